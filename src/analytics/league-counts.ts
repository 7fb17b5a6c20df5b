/** Counts of events in the matches of a league. Pure. */
import type { PlayedMatch } from './sample.ts';

/**
 * Condition of each count. One SQL aggregate computes the same: `count()` for `matches`, else `countIf` of the
 * condition.
 */
const COUNTED = {
  matches: () => true,
  home_wins: ({ winner }) => winner === 'home',
  draws: ({ winner }) => winner === 'draw',
  away_wins: ({ winner }) => winner === 'away',
  over_1_5: (match) => goalsOf(match) > 1,
  over_2_5: (match) => goalsOf(match) > 2,
  over_3_5: (match) => goalsOf(match) > 3,
  over_4_5: (match) => goalsOf(match) > 4,
  over_5_5: (match) => goalsOf(match) > 5,
  over_6_5: (match) => goalsOf(match) > 6,
  btts: ({ home_score, away_score }) => home_score > 0 && away_score > 0,
  home_scored: ({ home_score }) => home_score > 0,
  away_scored: ({ away_score }) => away_score > 0,
  home_scored_two: ({ home_score }) => home_score > 1,
  away_scored_two: ({ away_score }) => away_score > 1,
  home_scored_four: ({ home_score }) => home_score > 3,
  away_scored_four: ({ away_score }) => away_score > 3,
} as const satisfies Record<string, (match: PlayedMatch) => boolean>;

/** Numbers of matches. */
export type LeagueCounts = Record<keyof typeof COUNTED, number>;

const goalsOf = ({ home_score, away_score }: PlayedMatch): number => home_score + away_score;

export const leagueCounts = (matches: readonly PlayedMatch[]): LeagueCounts =>
  Object.fromEntries(
    Object.entries(COUNTED).map(([key, counts]) => [key, matches.filter(counts).length]),
  ) as LeagueCounts;

/**
 * Returns the counts of an average match over several leagues, as if all of their matches were in one.
 * @param leagues counts with the share of the side's matches that are in each league; shares add up to 1
 */
export function meanCounts(leagues: readonly { counts: LeagueCounts; weight: number }[]): LeagueCounts {
  const matches = leagues.reduce((sum, { counts }) => sum + counts.matches, 0);
  const mean = (key: keyof LeagueCounts) =>
    leagues.reduce(
      (sum, { counts, weight }) => sum + (counts.matches === 0 ? 0 : (weight * counts[key]) / counts.matches),
      0,
    );
  return Object.fromEntries(
    Object.keys(COUNTED).map((key) => [key, key === 'matches' ? matches : matches * mean(key as keyof LeagueCounts)]),
  ) as LeagueCounts;
}
