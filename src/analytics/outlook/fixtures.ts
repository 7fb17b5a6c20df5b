/** Draws the fixtures' results. Every simulation draws them again and writes them to the same objects. */
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import type { Pairing, Result } from '../../competitions/index.ts';
import type { DrawnScore, SamplerFor } from './score-sampler.ts';

/**
 * @param samplerFor null if all matches have been played
 * @returns the results, two for each fixture (one per side), and the function that draws them
 */
export function createDraw(
  fixtures: readonly Pairing[],
  samplerFor: SamplerFor | null,
): { results: Result[]; draw: (random: RandomGenerator) => void } {
  if (samplerFor === null) return { results: [], draw: () => {} };
  const matches = fixtures.map(({ home, away, neutral }) => ({
    drawScore: samplerFor(home, away, neutral),
    ofHome: newResult(home, away, false),
    ofAway: newResult(away, home, true),
  }));
  const score: DrawnScore = { home: 0, away: 0, overtime: false };
  const draw = (random: RandomGenerator) => {
    for (const { drawScore, ofHome, ofAway } of matches) {
      drawScore(random, score);
      write(ofHome, score.home, score.away, score.overtime);
      write(ofAway, score.away, score.home, score.overtime);
    }
  };
  return { results: matches.flatMap(({ ofHome, ofAway }) => [ofHome, ofAway]), draw };
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
