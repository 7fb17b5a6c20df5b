/** Counts how often a league's sides meet the conditions for trends. Pure. */
import type { PlayedMatch } from '../samples/match-samples.ts';
import { type ConditionKey, isMet, type LeagueLevels, type Seen } from './trend-conditions.ts';

export interface LeagueCounts {
  matches: number;
  /** Returns how often the home side met the condition, and how often the away side did. */
  met(condition: ConditionKey): { home: number; away: number };
  /** Null without a match. */
  levels: LeagueLevels | null;
}

export function leagueCounts(matches: readonly PlayedMatch[]): LeagueCounts {
  const home = matches.map((match) => seenFrom(match, 'home'));
  const away = matches.map((match) => seenFrom(match, 'away'));
  const counted = new Map<ConditionKey, { home: number; away: number }>();
  const count = (seen: readonly Seen[], condition: ConditionKey) =>
    seen.filter((match) => isMet(condition, match)).length;
  return {
    matches: matches.length,
    levels: findLevels(home),
    met(condition) {
      const known = counted.get(condition) ?? { home: count(home, condition), away: count(away, condition) };
      counted.set(condition, known);
      return known;
    },
  };
}

function seenFrom({ home_score, away_score, winner }: PlayedMatch, side: 'home' | 'away'): Seen {
  const [scored, conceded] = side === 'home' ? [home_score, away_score] : [away_score, home_score];
  return { scored, conceded, outcome: winner === 'draw' ? 'draw' : winner === side ? 'win' : 'loss' };
}

function findLevels(seen: readonly Seen[]): LeagueLevels | null {
  if (seen.length === 0) return null;
  const total = upperMedian(seen.map(({ scored, conceded }) => scored + conceded));
  const side = upperMedian(seen.flatMap(({ scored, conceded }) => [scored, conceded]));
  return { total: Math.max(0, total - 1), side };
}

/** Returns the upper median. At least half the values are equal or higher. */
const upperMedian = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/**
 * Returns the counts for an average match over several leagues, as if all matches were in one league.
 * @param leagues counts, with each league's share of the side's matches; the shares add up to 1
 */
export function meanCounts(leagues: readonly { counts: LeagueCounts; weight: number }[]): LeagueCounts {
  const matches = leagues.reduce((sum, { counts }) => sum + counts.matches, 0);
  const main = leagues.toSorted((a, b) => b.weight - a.weight)[0];
  return {
    matches,
    levels: main?.counts.levels ?? null,
    met(condition) {
      const mean = (side: 'home' | 'away') =>
        leagues.reduce(
          (sum, { counts, weight }) =>
            sum + (counts.matches === 0 ? 0 : (weight * counts.met(condition)[side]) / counts.matches),
          0,
        );
      return { home: matches * mean('home'), away: matches * mean('away') };
    },
  };
}
