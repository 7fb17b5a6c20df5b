/**
 * Converts an Elo rating difference to probabilities of a home win, a draw and an away win. It uses an ordered logit, as in L. M. Hvattum
 * and H. Arntzen, Int. J. Forecasting 26 (2010). Here, the logit is symmetric, since the difference includes home advantage. Pure.
 */

/** Probabilities between 0 and 1. */
export interface Forecast {
  home: number;
  draw: number;
  away: number;
  /** Probability of more than 2.5 goals; null if goals are not forecast. */
  over: number | null;
}

export interface OutcomeCurve {
  /** Change in the log-odds per point. */
  slope: number;
  /** Log-odds against each side's win if the ratings are equal. A larger value makes draws more likely. */
  draw: number;
}

/**
 * `touchline fit-elo` fitted both curves to early matches only, so that they can be evaluated on later ones. The curve for clubs was fitted
 * to 17,388 matches from July 1995 to June 2005 (England, France, Germany, Italy, Spain), the curve for national teams to 14,150 matches
 * from 1950 to 1990. Fitted to all later matches, the values would be 0.00457 and 0.597 for clubs, and 0.00525 and 0.652 for national
 * teams.
 */
export const CLUB_OUTCOMES: OutcomeCurve = { slope: 0.00462, draw: 0.646 };
export const NATIONAL_OUTCOMES: OutcomeCurve = { slope: 0.00508, draw: 0.571 };

const logistic = (x: number): number => 1 / (1 + Math.exp(-x));

/** @param difference the home side's lead in points @returns a forecast without goals */
export function outcomeForecast(difference: number, { slope, draw }: OutcomeCurve): Forecast {
  const home = logistic(slope * difference - draw);
  const away = logistic(-slope * difference - draw);
  return { home, draw: 1 - home - away, away, over: null };
}

/** A match with the rating difference before it. */
export interface RatedOutcome {
  difference: number;
  /** 1 for a home win, 0.5 for a draw, 0 for an away win. */
  result: number;
}

/** Computes the mean −ln(probability of the actual outcome). */
export function outcomeLoss(matches: readonly RatedOutcome[], curve: OutcomeCurve): number {
  const loss = ({ difference, result }: RatedOutcome) => {
    const { home, draw, away } = outcomeForecast(difference, curve);
    return -Math.log(result === 1 ? home : result === 0 ? away : draw);
  };
  return matches.reduce((sum, match) => sum + loss(match), 0) / matches.length;
}

const SLOPES = [0.001, 0.02] as const;
const DRAWS = [0.05, 2] as const;
const ROUNDS = 8;

/**
 * Finds the curve with the smallest loss. The loss has only one minimum.
 * @throws Error if there is no match
 */
export function fitOutcomes(matches: readonly RatedOutcome[]): OutcomeCurve {
  if (matches.length === 0) throw new Error('there is no match to fit to');
  let curve: OutcomeCurve = { slope: 0.005, draw: 0.6 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const { draw } = curve;
    const slope = minimum(SLOPES, (value) => outcomeLoss(matches, { slope: value, draw }));
    curve = { slope, draw: minimum(DRAWS, (value) => outcomeLoss(matches, { slope, draw: value })) };
  }
  return curve;
}

const GOLDEN = (Math.sqrt(5) - 1) / 2;
/** The search ends when the interval is this narrow. */
const PRECISION = 1e-5;

/** Golden-section search. @param loss has one minimum between the bounds */
function minimum([from, to]: readonly [number, number], loss: (value: number) => number): number {
  let [low, high] = [from, to];
  while (high - low > PRECISION * (to - from)) {
    const [a, b] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
    if (loss(a) < loss(b)) high = b;
    else low = a;
  }
  return (low + high) / 2;
}
