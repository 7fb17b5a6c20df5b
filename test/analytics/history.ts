/** Generated match histories for tests. They are the same in each run. */
import type { CalibratedMatch } from '../../src/analytics/calibrated/columns.ts';
import type { Parameters, SportParameters } from '../../src/analytics/calibrated/parameters.ts';
import type { HistoryMatch, MatchSource } from '../../src/analytics/history/match-source.ts';
import { randomNumbers } from '../support/random.ts';
import { at } from './matches.ts';

const DAY = 86_400;

/** Parameters that are round numbers and scale nothing. */
export const PLAIN: Parameters = {
  half_life_days: 365,
  ridge: 5,
  newcomer_attack: 0.2,
  newcomer_defence: 0.1,
  newcomer_matches: 20,
  shots_share: 0,
  level_matches: 1,
  level_goals: 1.35,
  level_home_advantage: 0.3,
  difference_scale: 1,
  total_scale: 1,
  low_score_correlation: 0,
};
export const sportOf = (over: Partial<Parameters> = {}): SportParameters => ({
  goals: { ...PLAIN, ...over },
  shots: { ...PLAIN, ...over },
});

/** Makes a match on a day in 2024, at the home side's venue, without shots. */
export const match = (day: number, home_id: number, score: string, away_id: number): CalibratedMatch => {
  const [home_score, away_score] = score.split(':').map(Number) as [number, number];
  return {
    start: at('2024-01-01T15:00:00Z') + day * DAY,
    home_id,
    away_id,
    home_score,
    away_score,
    neutral: false,
    home_shots_on_target: null,
    away_shots_on_target: null,
  };
};

/** Draws a Poisson number by multiplying uniform numbers (D. E. Knuth, The Art of Computer Programming 2, 3.4.1). */
function poissonNumber(mean: number, random: () => number): number {
  let count = -1;
  for (let product = 1; product > Math.exp(-mean); product *= random()) count += 1;
  return count;
}

export interface Simulated {
  seed: number;
  sides: number;
  seasons: number;
  /** Returns the logarithms of both sides' expected goals. */
  goals: (homeId: number, awayId: number) => [home: number, away: number];
  /** Number of days between two rounds. */
  pause?: number;
}

/** Simulates round robins. In each season every side plays every other side at home once, in a random order. */
export function simulate({ seed, sides, seasons, goals, pause = 4 }: Simulated): HistoryMatch[] {
  const random = randomNumbers(seed);
  const matches: HistoryMatch[] = [];
  const begin = at('2015-08-01T00:00:00Z');
  for (let season = 0; season < seasons; season += 1) {
    const pairs = Array.from(
      { length: sides * sides },
      (_, index) => [1 + Math.floor(index / sides), 1 + (index % sides)] as const,
    )
      .filter(([home, away]) => home !== away)
      .map((pair) => ({ pair, order: random() }))
      .sort((a, b) => a.order - b.order);
    for (const [index, { pair }] of pairs.entries()) {
      const [home, away] = goals(...pair).map(Math.exp) as [number, number];
      const perDay = Math.max(1, Math.floor(sides / 2));
      matches.push({
        id: matches.length + 1,
        season: `${2015 + season}/${16 + season}`,
        start: begin + season * 365 * DAY + Math.floor(index / perDay) * pause * DAY + (12 + (index % perDay)) * 3_600,
        home_id: pair[0],
        away_id: pair[1],
        home_score: poissonNumber(home, random),
        away_score: poissonNumber(away, random),
        neutral: false,
        home_shots_on_target: null,
        away_shots_on_target: null,
      });
    }
  }
  return matches;
}

/** Makes a source with football tournaments 1, 2 … */
export const sourceOf = (...tournaments: readonly (readonly HistoryMatch[])[]): MatchSource => ({
  tournaments: async () =>
    tournaments.map((_, index) => ({ id: index + 1, name: `League ${index + 1}`, sport: 'football' })),
  matches: async (id) => [...tournaments[id - 1]!],
});

/** Two leagues with three short seasons each. */
export const TWO_LEAGUES = [1, 2].map((seed) =>
  simulate({
    seed,
    sides: 8,
    seasons: 3,
    goals: (home, away) => [0.4 + (away - home) / 20, 0.1 + (home - away) / 20],
  }),
);
export const twoLeagues = (): MatchSource => sourceOf(...TWO_LEAGUES);

/** Makes a source whose backtest takes about a second, long enough for a test to kill it. */
export const longSource = (): MatchSource =>
  sourceOf(
    ...[3, 4, 5].map((seed) =>
      simulate({
        seed,
        sides: 14,
        seasons: 4,
        goals: (home, away) => [0.3 + (away - home) / 30, 0.1 + (home - away) / 30],
      }),
    ),
  );
