/** Public exports: win probabilities during a match. */
export {
  type BySide,
  byResult,
  type Chances,
  ChanceTable,
  EXTRA_MINUTES,
  REGULAR_MINUTES,
  REGULAR_TIME,
} from './chances.ts';
export { expectRuns, type RunsInput, runsInputs, toExpectedRuns } from './expected-runs.ts';
export { chanceTerms, homeChance, type InningsState, isInFirst } from './innings-chances.ts';
export { ballsIn, type InningsMatch, inFirst, twenty20 } from './innings-match.ts';
export {
  FULL_BALLS,
  INNINGS_SPORTS,
  type InningsCoefficients,
  type InningsParameters,
  inningsCoefficients,
  inningsParameters,
} from './innings-parameters.ts';
export {
  INNINGS_REASONS,
  type InningsPoint,
  inningsChances,
  inningsStates,
  inningsTimeline,
} from './innings-timeline.ts';
export {
  type Coefficients,
  coefficients,
  IN_PLAY_SPORTS,
  type InPlayParameters,
  inPlayParameters,
} from './parameters.ts';
export { toPercent, toWinProbability, type WinProbability } from './percent.ts';
export { type Decider, MatchProbabilities } from './probabilities.ts';
export { resources } from './resources.ts';
export { countTurns, type InPlayMatch, isBeyondRegular, readSituation, readTurns, type Turn } from './situation.ts';
export { areCurrent, type MatchRates, matchRates, type NewRates, storeRates } from './stored-rates.ts';
export { type Point, REASONS, timeline } from './timeline.ts';
