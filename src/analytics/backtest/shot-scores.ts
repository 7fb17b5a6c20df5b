/** Scores of expected goals against goals. Pure. */
import type { EventForecast, ReliabilityBin } from './forecast-scores.ts';

/** Bins of equal width between 0 and 1, as in ML-KULeuven/soccer_xg. */
const BINS = 10;

export interface ShotScores {
  shots: number;
  goals: number;
  /** Sum of the expected goals. */
  expected: number;
  /** Probability that a goal had more expected goals than a shot that was no goal; 0.5 is chance. */
  auc: number;
  /** Mean squared error: 0 is perfect, 1 the worst. */
  brier: number;
  /** Mean distance of predicted and observed frequency over ten bins of equal width, weighted by their shots. */
  calibration_error: number;
  /** The bins that have shots. */
  reliability: ReliabilityBin[];
}

/** @returns null without a goal, or without a shot that was none */
export function shotScores(shots: readonly EventForecast[]): ShotScores | null {
  const goals = shots.filter(({ occurred }) => occurred).length;
  if (goals === 0 || goals === shots.length) return null;
  const reliability = equalWidthBins(shots);
  const distance = ({ count, predicted, observed }: ReliabilityBin) => count * Math.abs(predicted - observed);
  const squared = ({ probability, occurred }: EventForecast) => (probability - Number(occurred)) ** 2;
  return {
    shots: shots.length,
    goals,
    expected: sum(shots, ({ probability }) => probability),
    auc: areaUnderCurve(shots, goals),
    brier: sum(shots, squared) / shots.length,
    calibration_error: sum(reliability, distance) / shots.length,
    reliability,
  };
}

const sum = <T>(items: readonly T[], value: (item: T) => number): number =>
  items.reduce((total, item) => total + value(item), 0);

/** The Mann–Whitney statistic; equal probabilities count half. */
function areaUnderCurve(shots: readonly EventForecast[], goals: number): number {
  const sorted = shots.toSorted((a, b) => a.probability - b.probability);
  let ranks = 0;
  for (let from = 0; from < sorted.length; ) {
    let to = from;
    while (to < sorted.length && sorted[to]!.probability === sorted[from]!.probability) to += 1;
    const rank = (from + 1 + to) / 2;
    ranks += rank * sorted.slice(from, to).filter(({ occurred }) => occurred).length;
    from = to;
  }
  return (ranks - (goals * (goals + 1)) / 2) / (goals * (shots.length - goals));
}

/** Returns the bins that have forecasts. */
export function equalWidthBins(shots: readonly EventForecast[]): ReliabilityBin[] {
  const bins = Array.from({ length: BINS }, (): EventForecast[] => []);
  for (const shot of shots) bins[Math.min(BINS - 1, Math.floor(shot.probability * BINS))]!.push(shot);
  return bins.flatMap((inside) => {
    if (inside.length === 0) return [];
    const probabilities = inside.map(({ probability }) => probability);
    return [
      {
        from: probabilities.reduce((a, b) => Math.min(a, b)),
        to: probabilities.reduce((a, b) => Math.max(a, b)),
        count: inside.length,
        predicted: sum(inside, ({ probability }) => probability) / inside.length,
        observed: inside.filter(({ occurred }) => occurred).length / inside.length,
      },
    ];
  });
}
