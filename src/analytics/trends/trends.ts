/**
 * Finds a side's trends. A trend is an event that occurs more often than the league's rate and chance explain. The
 * rules are in data/analytics/trends.yaml, the words in `trend-texts.ts`. Pure.
 */

import { type SideMatch, seenBy } from '../form/rates-and-streaks.ts';
import { isPlayedAt, newestFirst, type PlayedMatch } from '../samples/match-samples.ts';
import { binomialTail } from './binomial.ts';
import type { LeagueCounts } from './league-counts.ts';
import { type ConditionKey, implies, isMet, withLevels } from './trend-conditions.ts';
import { listConditions, shippedTrendRules, type TrendRules } from './trend-rules.ts';

/** Which matches count for a trend: all, only home matches, or only away matches. */
export const VENUES = ['overall', 'home', 'away'] as const;
export type Venue = (typeof VENUES)[number];

export interface TrendInput {
  /** Slug. */
  sport: string;
  sideId: number;
  /** Samples to try. Name only those that matter for the next match, since each additional sample makes the bound stricter for all. */
  venues: readonly Venue[];
  /** Form sample matches, in any order. Matches without this side, or against itself, are ignored. */
  matches: readonly PlayedMatch[];
  /** League counts before the match date. */
  league: LeagueCounts;
}

/** A trend, with the data for `explain`. */
export interface Trend {
  sport: string;
  condition: ConditionKey;
  sample: { venue: Venue; last: number };
  /** Number of matches, and how many of them met the condition. */
  matches: number;
  count: number;
  /** How often an average side in the league meets the condition at the same venues, between 0 and 1. */
  base_rate: number;
  /** Probability that an average side meets the condition in at least as many matches as this side. */
  tail: number;
  /** Upper bound for the tail. */
  bound: number;
  /** All sample matches, newest first. */
  event_ids: number[];
}

type Tried = Omit<Trend, 'bound'> & { metIn: ReadonlySet<number> };

/**
 * Finds trends. The bound on the tail depends on the number of tries (see `boundFor`). The tail is computed from the
 * binomial distribution with the sample's mean rate. If rates at home and away differ, an average side's matches are
 * trials with unequal probabilities. For counts of at least one more than the mean, the computed tail is never below
 * the true tail (W. Hoeffding, Ann. Math. Statist. 27, 1956, theorem 4).
 * @returns trends by rising tail, so that the strongest comes first; none if the sport has no trends or the league is
 * too small
 */
export function findTrends(input: TrendInput, rules: TrendRules = shippedTrendRules()): Trend[] {
  if (input.league.matches < rules.fewest_league_matches) return [];
  const conditions = withLevels(listConditions(rules, input.sport), input.league.levels);
  const tried = buildSamples(input, rules).flatMap(([sample, matches]) =>
    conditions.flatMap((condition) => tryCondition(input, condition, sample, matches)),
  );
  const bound = boundFor(
    tried.map(({ matches, base_rate }) => base_rate ** matches),
    rules.chance_level,
  );
  const strongest = tried
    .filter(({ tail, count, matches }) => tail <= bound && count >= rules.fewest_share * matches)
    // Sorting is stable, so equal trends keep the order by venue, length and condition.
    .sort((a, b) => a.tail - b.tail || b.matches - a.matches);
  const kept: Tried[] = [];
  for (const trend of strongest) {
    if (kept.length === rules.most_per_side) break;
    if (!kept.some((other) => saysTheSame(trend, other, rules.same_above))) kept.push(trend);
  }
  return kept.map(({ metIn: _, ...trend }) => ({ ...trend, bound }));
}

type Sample = [Trend['sample'], readonly SideMatch[]];

/**
 * Returns distinct samples. If a side has 13 matches, for example, the samples are the last 10 and all 13, and the latter appears only
 * once.
 */
function buildSamples({ sideId, venues, matches }: TrendInput, { last, fewest_matches }: TrendRules): Sample[] {
  const all = newestFirst(matches).flatMap((match) => seenBy(sideId, match));
  return venues.flatMap((venue) => {
    const seen = all.filter(({ match }) => venue === 'overall' || isPlayedAt(venue, sideId, match));
    const lengths = new Set(last.map((length) => Math.min(length, seen.length)));
    return [...lengths]
      .filter((length) => length >= fewest_matches)
      .map((length): Sample => [{ venue, last: length }, seen.slice(0, length)]);
  });
}

/** @returns nothing if the condition was met in all of the league's matches, or in none, since chance then plays no part */
function tryCondition(
  { sport, sideId, league }: TrendInput,
  condition: ConditionKey,
  sample: Trend['sample'],
  matches: readonly SideMatch[],
): Tried[] {
  const atHome = matches.filter(({ match }) => match.home_id === sideId).length;
  const counts = league.met(condition);
  const expected = (atHome * counts.home + (matches.length - atHome) * counts.away) / league.matches;
  const base_rate = expected / matches.length;
  if (!(base_rate > 0 && base_rate < 1)) return [];
  const met = matches.filter((match) => isMet(condition, match));
  return [
    {
      sport,
      condition,
      sample,
      matches: matches.length,
      count: met.length,
      base_rate,
      tail: binomialTail(met.length, matches.length, base_rate),
      event_ids: matches.map(({ match }) => match.id),
      metIn: new Set(met.map(({ match }) => match.id)),
    },
  ];
}

/**
 * Returns a bound for the tails. The probability that chance alone puts any tail at or below the bound is at most `level`. The bound is
 * level ÷ number of tries (Bonferroni). Tries are not counted if their smallest possible tail is above the bound (R. E. Tarone, Biometrics
 * 46, 1990).
 * @param smallest smallest possible tail for each try
 */
export function boundFor(smallest: readonly number[], level: number): number {
  for (let tries = 1; tries < smallest.length; tries += 1) {
    const bound = level / tries;
    if (smallest.filter((tail) => tail <= bound).length <= tries) return bound;
  }
  return level / Math.max(1, smallest.length);
}

/**
 * True if both trends tell a reader the same. This is so if one condition follows from the other, or if both were met in nearly the same
 * matches.
 */
function saysTheSame(one: Tried, other: Tried, shareAbove: number): boolean {
  if (implies(one.condition, other.condition) || implies(other.condition, one.condition)) return true;
  const shared = [...one.metIn].filter((id) => other.metIn.has(id)).length;
  return shared > shareAbove * (one.metIn.size + other.metIn.size - shared);
}
