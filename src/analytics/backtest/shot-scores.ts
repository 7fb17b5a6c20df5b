/** Scores for expected goals, compared with the actual goals. Pure. */
import { type Calibration, type EventForecast, type ReliabilityBin, reliabilityBin } from './forecast-scores.ts';

/** Number of bins with equal width between 0 and 1, as in ML-KULeuven/soccer_xg. */
const BINS = 10;

export interface ShotScores {
  shots: number;
  goals: number;
  /** Total expected goals. */
  expected: number;
  /** Probability that a random goal has a higher value than a random missed shot; 0.5 is what chance gives. */
  auc: number;
  /** Mean squared error (0 is perfect, 1 the worst). */
  brier: number;
  /** Mean distance between predicted and observed frequency over ten bins with equal width, weighted by shots. */
  calibration_error: number;
  /** The bins that have shots. */
  reliability: ReliabilityBin[];
}

/** @returns null if all shots are goals, or if no shot is a goal */
export function shotScores(shots: readonly EventForecast[]): ShotScores | null {
  const goals = shots.filter(({ occurred }) => occurred).length;
  if (goals === 0 || goals === shots.length) return null;
  return {
    shots: shots.length,
    goals,
    expected: shots.reduce((sum, { probability }) => sum + probability, 0),
    auc: areaUnderCurve(shots, goals),
    brier: eventBrierScore(shots),
    ...binnedCalibration(shots),
  };
}

/** Mean squared error over one or more forecasts. */
export const eventBrierScore = (forecasts: readonly EventForecast[]): number =>
  forecasts.reduce((sum, { probability, occurred }) => sum + (probability - Number(occurred)) ** 2, 0) /
  forecasts.length;

/** Measures one or more forecasts over bins with equal width. */
export function binnedCalibration(forecasts: readonly EventForecast[]): Calibration {
  const reliability = equalWidthBins(forecasts);
  const distance = reliability.reduce((sum, bin) => sum + bin.count * Math.abs(bin.predicted - bin.observed), 0);
  return { calibration_error: distance / forecasts.length, reliability };
}

/** Returns the area under the ROC curve by the Mann–Whitney statistic. Equal probabilities count half. */
function areaUnderCurve(shots: readonly EventForecast[], goals: number): number {
  const sorted = shots.toSorted((a, b) => a.probability - b.probability);
  let ranks = 0;
  for (let from = 0; from < sorted.length; ) {
    let to = from;
    while (sorted[to]?.probability === sorted[from]?.probability) to += 1;
    const rank = (from + 1 + to) / 2;
    ranks += rank * sorted.slice(from, to).filter(({ occurred }) => occurred).length;
    from = to;
  }
  return (ranks - (goals * (goals + 1)) / 2) / (goals * (shots.length - goals));
}

/** Returns the bins that have forecasts. */
const equalWidthBins = (forecasts: readonly EventForecast[]): ReliabilityBin[] =>
  Array.from({ length: BINS }, (_, bin) =>
    forecasts.filter(({ probability }) => Math.min(BINS - 1, Math.floor(probability * BINS)) === bin),
  ).flatMap((inside) => (inside.length === 0 ? [] : reliabilityBin(inside)));
