/** Draws match scores from the model's probabilities. Pure. */
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import { calibratedScores, type LeagueFit } from '../calibrated/calibrated-model.ts';
import { scoreProbability } from '../poisson/poisson.ts';

/** A score. `overtime` is true if the sides were level after regular time and one side had to win. */
export interface DrawnScore {
  home: number;
  away: number;
  overtime: boolean;
}

export type ScoreSampler = (random: RandomGenerator, into: DrawnScore) => void;
/** Returns the sampler for a pairing's matches. */
export type SamplerFor = (home: number, away: number, neutral: boolean) => ScoreSampler;

/**
 * @param mustEnd whether overtime decides a level score. The side that scores the next goal then wins. Each side's chance of scoring it is
 * in proportion to its expected goals.
 */
export function samplers(fit: LeagueFit, mustEnd: boolean): SamplerFor {
  const known = new Map<string, ScoreSampler>();
  return (home, away, neutral) => {
    const key = `${home}-${away}-${neutral}`;
    const found = known.get(key) ?? createSampler(fit, home, away, { neutral, mustEnd });
    known.set(key, found);
    return found;
  };
}

function createSampler(
  fit: LeagueFit,
  homeId: number,
  awayId: number,
  { neutral, mustEnd }: { neutral: boolean; mustEnd: boolean },
): ScoreSampler {
  const { expected, matrix } = calibratedScores(fit, homeId, awayId, neutral);
  const size = matrix.home.length;
  const cells = Array.from({ length: size * size }, (_, cell) => cell)
    .map((cell) => ({ cell, probability: scoreProbability(matrix, Math.floor(cell / size), cell % size) }))
    .sort((a, b) => b.probability - a.probability || a.cell - b.cell);
  // Likely scores come first, which keeps the search short. The probabilities add up to slightly less than 1.
  const mass = cells.reduce((sum, { probability }) => sum + probability, 0);
  const upTo = new Float64Array(cells.length);
  let sum = 0;
  for (const [index, { probability }] of cells.entries()) {
    sum += probability / mass;
    upTo[index] = sum;
  }
  const scores = Int32Array.from(cells, ({ cell }) => cell);
  const homeShare = expected.home / (expected.home + expected.away);
  return (random, into) => {
    const drawn = uniformFloat64(random);
    let index = 0;
    while (index < upTo.length - 1 && upTo[index]! <= drawn) index += 1;
    into.home = Math.floor(scores[index]! / size);
    into.away = scores[index]! % size;
    into.overtime = mustEnd && into.home === into.away;
    if (!into.overtime) return;
    if (uniformFloat64(random) < homeShare) into.home += 1;
    else into.away += 1;
  };
}
