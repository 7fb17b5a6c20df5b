/** Scores for forecasts once the results are known. Pure. */

/** A forecast for three ordered outcomes, with the actual outcome. */
export interface OutcomeForecast {
  /** Home win, draw and away win, each between 0 and 1. They add up to 1. */
  probabilities: readonly [home: number, draw: number, away: number];
  outcome: Outcome;
}

/** A forecast for one event. */
export interface EventForecast {
  /** Between 0 and 1. */
  probability: number;
  occurred: boolean;
}

export const OUTCOMES = ['home', 'draw', 'away'] as const;
export type Outcome = (typeof OUTCOMES)[number];
/** Lower bound for probabilities. If an outcome with probability 0 occurs, the loss is then 34.5 instead of infinity. */
const SMALLEST_PROBABILITY = 1e-15;
const BINS = 10;

/** @returns null if there is no forecast */
function mean<F>(forecasts: readonly F[], value: (forecast: F) => number): number | null {
  if (forecasts.length === 0) return null;
  return forecasts.reduce((sum, forecast) => sum + value(forecast), 0) / forecasts.length;
}

const forecastProbability = ({ probabilities: [home, draw, away] }: OutcomeForecast, wanted: Outcome): number =>
  ({ home, draw, away })[wanted];

/** Returns the forecasts for one outcome. */
export const outcomeEvents = (forecasts: readonly OutcomeForecast[], wanted: Outcome): EventForecast[] =>
  forecasts.map((forecast) => ({
    probability: forecastProbability(forecast, wanted),
    occurred: forecast.outcome === wanted,
  }));

/** Each outcome's probability minus the observation, which is 1 for the actual outcome and otherwise 0. */
const forecastErrors = ({ probabilities: [home, draw, away], outcome }: OutcomeForecast) =>
  [home - Number(outcome === 'home'), draw - Number(outcome === 'draw'), away - Number(outcome === 'away')] as const;

/**
 * Mean ranked probability score. It sums the squared differences between the cumulative distributions, and divides by
 * the number of outcomes less 1 (E. S. Epstein, J. Appl. Meteorol. 8, 1969; for football, A. C. Constantinou and N. E.
 * Fenton, J. Quant. Anal. Sports 8, 2012). 0 is perfect, 1 the worst. In this score, a draw is nearer to a home win
 * than an away win is.
 */
export const rankedProbabilityScore = (forecasts: readonly OutcomeForecast[]): number | null =>
  mean(forecasts, (forecast) => {
    const [home, draw] = forecastErrors(forecast);
    return (home ** 2 + (home + draw) ** 2) / (OUTCOMES.length - 1);
  });

/**
 * Mean Brier score, which sums the squared errors over all outcomes (G. W. Brier, Mon. Weather Rev. 78, 1950). 0 is
 * perfect, 2 the worst.
 */
export const brierScore = (forecasts: readonly OutcomeForecast[]): number | null =>
  mean(forecasts, (forecast) => forecastErrors(forecast).reduce((sum, error) => sum + error ** 2, 0));

/** Mean −ln(probability of the actual outcome), in nats (I. J. Good, J. R. Stat. Soc. B 14, 1952). */
export const logLoss = (forecasts: readonly OutcomeForecast[]): number | null =>
  mean(
    forecasts,
    (forecast) => -Math.log(Math.max(forecastProbability(forecast, forecast.outcome), SMALLEST_PROBABILITY)),
  );

/** Mean −ln(probability of what happened), in nats. If the event did not occur, that probability is 1 minus the forecast. */
export const eventLogLoss = (forecasts: readonly EventForecast[]): number | null =>
  mean(forecasts, ({ probability, occurred }) => {
    return -Math.log(Math.max(occurred ? probability : 1 - probability, SMALLEST_PROBABILITY));
  });

/** One row of a reliability table. */
export interface ReliabilityBin {
  /** Smallest and largest probability in the bin. */
  from: number;
  to: number;
  count: number;
  /** Mean probability. */
  predicted: number;
  /** Share of forecasts whose event occurred. */
  observed: number;
}

/**
 * Compares forecast frequencies with observed ones, in ten bins with equal counts, ordered by rising probability. Equal probabilities share
 * a bin, so that the table does not depend on the forecasts' order. The table can therefore have fewer bins, or unequal counts.
 */
export function reliabilityTable(forecasts: readonly EventForecast[]): ReliabilityBin[] {
  const sorted = forecasts.toSorted((a, b) => a.probability - b.probability);
  const table: ReliabilityBin[] = [];
  let from = 0;
  for (let bin = 1; bin <= BINS; bin += 1) {
    let to = Math.max(from, Math.round((bin * sorted.length) / BINS));
    while (to > from && sorted[to]?.probability === sorted[to - 1]?.probability) to += 1;
    if (to > from) table.push(reliabilityBin(sorted.slice(from, to)));
    from = to;
  }
  return table;
}

/** @param forecasts one or more */
export const reliabilityBin = (forecasts: readonly EventForecast[]): ReliabilityBin => ({
  from: forecasts.reduce((least, { probability }) => Math.min(least, probability), 1),
  to: forecasts.reduce((most, { probability }) => Math.max(most, probability), 0),
  count: forecasts.length,
  predicted: mean(forecasts, ({ probability }) => probability)!,
  observed: mean(forecasts, ({ occurred }) => (occurred ? 1 : 0))!,
});

/**
 * Expected calibration error: the mean |predicted − observed| over the bins, weighted by count (M. P. Naeini, G. F. Cooper and M.
 * Hauskrecht, AAAI 2015, but with bins of equal counts). 0 is perfect.
 * @returns null if there is no forecast
 */
export function expectedCalibrationError(forecasts: readonly EventForecast[]): number | null {
  if (forecasts.length === 0) return null;
  return reliabilityTable(forecasts).reduce(
    (sum, { count, predicted, observed }) => sum + (count / forecasts.length) * Math.abs(predicted - observed),
    0,
  );
}

/** Three scores for forecasts of the outcome. */
export interface OutcomeScores {
  rps: number;
  brier: number;
  log_loss: number;
}

/** @param forecasts one or more */
export const outcomeScores = (forecasts: readonly OutcomeForecast[]): OutcomeScores => ({
  rps: rankedProbabilityScore(forecasts)!,
  brier: brierScore(forecasts)!,
  log_loss: logLoss(forecasts)!,
});

export interface Calibration {
  /** Between 0 and 1. */
  calibration_error: number;
  reliability: ReliabilityBin[];
}

/** Measures one or more forecasts over bins with equal counts. */
export const calibration = (forecasts: readonly EventForecast[]): Calibration => ({
  calibration_error: expectedCalibrationError(forecasts)!,
  reliability: reliabilityTable(forecasts),
});
