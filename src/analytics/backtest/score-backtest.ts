/** Measures forecasts of margins and of scores in sets on past matches. Pure. */
import type { MarginRating } from '../../sports/margin-rating.ts';
import type { MarginFixture } from '../elo/margin-matches.ts';
import { setScores } from '../elo/score-forecasts.ts';

/** Mean absolute errors in points. */
export interface MarginErrors {
  rating: number;
  /** Baseline: the mean margin of the home sides in all earlier matches. */
  home_mean: number;
}

/** Scores for the probabilities of all final scores. Smaller is better. */
export interface SetScoreScores {
  log_loss: number;
  /** Mean sum over the final scores of (probability − 1 or 0)². */
  brier: number;
  /** Baseline: log-loss of the shares of final scores in all earlier matches. */
  share_log_loss: number;
}

type Scored = Pick<MarginFixture, 'home_score' | 'away_score'>;

/** @param rated at least one match, oldest first */
export function marginErrors(rated: readonly { match: Scored; expected: number }[]): MarginErrors {
  let [error, meanError, sum] = [0, 0, 0];
  for (const [index, { match, expected }] of rated.entries()) {
    const margin = match.home_score - match.away_score;
    error += Math.abs(margin - expected);
    meanError += Math.abs(margin - (index === 0 ? 0 : sum / index));
    sum += margin;
  }
  return { rating: error / rated.length, home_mean: meanError / rated.length };
}

/** Each final score starts as if it had occurred this often. */
const PRIOR_MATCHES = 5;

/**
 * Leaves out matches that did not end with a final score, such as abandoned ones.
 * @param rated oldest first
 */
export function scoreSets(
  rated: readonly { match: Scored; home_win: number }[],
  rules: NonNullable<MarginRating['sets']>,
): SetScoreScores {
  const seen = new Map<string, number>();
  let [loss, brier, shareLoss, matches] = [0, 0, 0, 0];
  for (const { match, home_win } of rated) {
    const scores = setScores(home_win, rules);
    const isFinal = ({ home, away }: { home: number; away: number }) =>
      home === match.home_score && away === match.away_score;
    const found = scores.find(isFinal);
    if (found === undefined) continue;
    const key = `${found.home}:${found.away}`;
    loss -= Math.log(found.probability);
    for (const one of scores) brier += (one.probability - (isFinal(one) ? 1 : 0)) ** 2;
    shareLoss -= Math.log(((seen.get(key) ?? 0) + PRIOR_MATCHES) / (matches + PRIOR_MATCHES * scores.length));
    seen.set(key, (seen.get(key) ?? 0) + 1);
    matches += 1;
  }
  return { log_loss: loss / matches, brier: brier / matches, share_log_loss: shareLoss / matches };
}
