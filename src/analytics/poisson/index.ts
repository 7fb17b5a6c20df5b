/** Public exports: the Poisson model. */

export { likelyScorelines, type ScoreMatrix, scoreMatrix, scoreProbability, toProbabilities } from './poisson.ts';
export type { Model } from './poisson-model.ts';
