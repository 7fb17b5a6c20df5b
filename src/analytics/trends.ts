/**
 * Trends of a side: what it does more often than chance explains, against the rate of the same thing in its league. Pure.
 * The rules are data: trends.yaml. `trend-texts.ts` has the words.
 */
import { binomialTail } from './binomial.ts';
import { type SideMatch, seenBy } from './form.ts';
import type { LeagueCounts } from './league-counts.ts';
import { newestFirst, type PlayedMatch } from './sample.ts';
import { type ConditionKey, countsOfLeague, implies, isMet } from './trend-conditions.ts';
import { listConditions, shippedTrendRules, type TrendRules } from './trend-rules.ts';

/** Which matches of a side: all, or those at home or away alone. */
export type Venue = 'overall' | 'home' | 'away';

export interface TrendInput {
  /** Its slug. */
  sport: string;
  sideId: number;
  /** Which samples are tried: those that say something of the match ahead. Each makes the bound stricter for all. */
  venues: readonly Venue[];
  /** Of the form sample, in any order; those of other sides, and of the side against itself, are left out. */
  matches: readonly PlayedMatch[];
  /** Of the league before the match's date. */
  league: LeagueCounts;
}

/** With what `explain` names. */
export interface Trend {
  sport: string;
  condition: ConditionKey;
  sample: { venue: Venue; last: number };
  /** Of these matches, so many met the condition. */
  matches: number;
  count: number;
  /** Between 0 and 1: how many of the matches of an average side of the league meet it, at the same venues. */
  base_rate: number;
  /** The chance that at least so many matches of an average side do. */
  tail: number;
  /** The bound that the tail is not above. */
  bound: number;
  /** Of all matches of the sample, newest first. */
  event_ids: number[];
}

type Tried = Omit<Trend, 'bound'> & { metIn: ReadonlySet<number> };

/**
 * The bound on the tail follows from how much is tried: see `boundFor`. The tail is that of the binomial distribution with
 * the mean rate of the sample. Where rates at home and away differ, matches of an average side are trials of unequal
 * probability; from one more than the mean on, this tail is not below theirs (W. Hoeffding, Ann. Math. Statist. 27, 1956,
 * theorem 4).
 * @returns the strongest first, that is by rising tail; none for a sport without trends and in a league that is too small
 */
export function findTrends(input: TrendInput, rules: TrendRules = shippedTrendRules()): Trend[] {
  if (input.league.matches < rules.fewest_league_matches) return [];
  const conditions = listConditions(rules, input.sport);
  const tried = buildSamples(input, rules).flatMap(([sample, matches]) =>
    conditions.flatMap((condition) => tryCondition(input, condition, sample, matches)),
  );
  const bound = boundFor(
    tried.map(({ matches, base_rate }) => base_rate ** matches),
    rules.chance_level,
  );
  const strongest = tried
    .filter(({ tail, count, matches }) => tail <= bound && count >= rules.fewest_share * matches)
    // Sorting keeps the order of equal ones: that of venues, lengths and conditions.
    .sort((a, b) => a.tail - b.tail || b.matches - a.matches);
  const kept: Tried[] = [];
  for (const trend of strongest) {
    if (kept.length === rules.most_per_side) break;
    if (!kept.some((other) => saysTheSame(trend, other, rules.same_above))) kept.push(trend);
  }
  return kept.map(({ metIn: _, ...trend }) => ({ ...trend, bound }));
}

type Sample = [Trend['sample'], readonly SideMatch[]];

/** Samples that differ: a side with 13 matches has its last 10, and all of them once. */
function buildSamples({ sideId, venues, matches }: TrendInput, { last, fewest_matches }: TrendRules): Sample[] {
  const all = newestFirst(matches).flatMap((match) => seenBy(sideId, match));
  return venues.flatMap((venue) => {
    const seen = all.filter(({ match }) => venue === 'overall' || match[`${venue}_id`] === sideId);
    const lengths = new Set(last.map((length) => Math.min(length, seen.length)));
    return [...lengths]
      .filter((length) => length >= fewest_matches)
      .map((length): Sample => [{ venue, last: length }, seen.slice(0, length)]);
  });
}

/** @returns nothing where the league leaves no room for chance: all of its matches met the condition, or none did */
function tryCondition(
  { sport, sideId, league }: TrendInput,
  condition: ConditionKey,
  sample: Trend['sample'],
  matches: readonly SideMatch[],
): Tried[] {
  const atHome = matches.filter(({ match }) => match.home_id === sideId).length;
  const counts = countsOfLeague(condition, league);
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
 * The bound on each tail with which any of them is reached by chance at most with probability `level`: level ÷ number of
 * tries (Bonferroni), where tries whose smallest possible tail is above the bound do not count, since they never reach it
 * (R. E. Tarone, Biometrics 46, 1990).
 * @param smallest the smallest tail that each try can have
 */
export function boundFor(smallest: readonly number[], level: number): number {
  for (let tries = 1; tries < smallest.length; tries += 1) {
    const bound = level / tries;
    if (smallest.filter((tail) => tail <= bound).length <= tries) return bound;
  }
  return level / Math.max(1, smallest.length);
}

/**
 * Of the same condition over other matches, of conditions that follow from one another, and of those that were met in
 * nearly the same matches.
 */
function saysTheSame(one: Tried, other: Tried, shareAbove: number): boolean {
  if (implies(one.condition, other.condition) || implies(other.condition, one.condition)) return true;
  const shared = [...one.metIn].filter((id) => other.metIn.has(id)).length;
  return shared > shareAbove * (one.metIn.size + other.metIn.size - shared);
}
