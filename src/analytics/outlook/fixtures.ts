/** Results of fixtures that are drawn again in each simulation, in the same objects. */
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import type { Pairing, Result } from '../../competitions/index.ts';
import type { DrawnScore, SamplerFor } from './score-sampler.ts';

/**
 * @param samplerFor null if all matches have been played
 * @returns both sides' results of each fixture in a row, and the function that draws them
 */
export function createDraw(
  fixtures: readonly Pairing[],
  samplerFor: SamplerFor | null,
): { results: Result[]; draw: (random: RandomGenerator) => void } {
  if (samplerFor === null) return { results: [], draw: () => {} };
  const results = fixtures.flatMap(({ home, away }) => [newResult(home, away, false), newResult(away, home, true)]);
  const drawers = fixtures.map(({ home, away, neutral }) => samplerFor(home, away, neutral));
  const score: DrawnScore = { home: 0, away: 0, overtime: false };
  const draw = (random: RandomGenerator) => {
    for (let index = 0; index < drawers.length; index += 1) {
      drawers[index]!(random, score);
      write(results[2 * index]!, score.home, score.away, score.overtime);
      write(results[2 * index + 1]!, score.away, score.home, score.overtime);
    }
  };
  return { results, draw };
}

const newResult = (team: number, opponent: number, away: boolean): Result => {
  return { team, opponent, away, scored: 0, conceded: 0, outcome: 'D', overtime: false };
};

function write(result: Result, scored: number, conceded: number, overtime: boolean): void {
  result.scored = scored;
  result.conceded = conceded;
  result.outcome = scored > conceded ? 'W' : scored < conceded ? 'L' : 'D';
  result.overtime = overtime;
}
