/**
 * Win probability in a Twenty20 match. The expected margin of the side that bats first is what both sides have scored and can still
 * expect from their resources. Its standard deviation grows with the root of the resources that are left, as in the model of H. S.
 * Stern ("A Brownian motion model for the progress of sports scores", J. Am. Stat. Assoc. 89, 1994), with resources in the place of time:
 *
 * logit P = β × margin ÷ √(L × R) + γ × √R
 *
 * L is the mean of both sides' expected runs in a full innings, R the resources that both sides have left (2 before the match), and γ
 * is what batting first is worth. β has a value for the first innings, and is linear in √R in the second one, because the last runs are
 * more certain than the model of Stern has them. Pure.
 */
import type { BySide } from './chances.ts';
import type { InningsParameters } from './innings-parameters.ts';
import { type Left, resources } from './resources.ts';

export type Side = 'home' | 'away';

export interface InningsState {
  /** The side that bats first. */
  first: Side;
  /** Runs of both sides. After a revised target, those of the first side are one fewer than the target. */
  runs: { first: number; second: number };
  left: { first: Left; second: Left };
}

/** Least resources in the formula, about as many as one ball has. */
const LEAST_LEFT = 0.005;
/** Log-odds for each point of a rating difference; see elo.ts. */
const LOG_ODDS_PER_POINT = Math.LN10 / 400;

/**
 * Returns both sides' expected runs in a full innings. Before the match, they give the side with the higher rating the chance that the
 * ratings give it, apart from what batting first is worth.
 * @param level mean runs of a full innings in the tournament
 * @param difference the home side's lead in rating points, home advantage included
 */
export function expectedRuns(
  level: number,
  difference: number,
  { first_innings }: Pick<InningsParameters, 'first_innings'>,
): BySide {
  const lead = (difference * LOG_ODDS_PER_POINT * Math.sqrt(2 * level)) / first_innings;
  return { home: level + lead / 2, away: level - lead / 2 };
}

/** The factors that the formula multiplies by the coefficients. */
export interface Terms {
  margin: number;
  root: number;
}

/** @returns null when both innings are over */
export function chanceTerms(
  { first, runs, left }: InningsState,
  expected: BySide,
  parameters: Pick<InningsParameters, 'decay' | 'wicket_shares'>,
): Terms | null {
  const second = first === 'home' ? 'away' : 'home';
  const [mine, theirs] = [resources(left.first, parameters), resources(left.second, parameters)];
  if (theirs === 0 || (mine === 0 && runs.second > runs.first)) return null;
  const rest = mine + theirs;
  const margin = runs.first + expected[first] * mine - runs.second - expected[second] * theirs;
  const level = (expected.home + expected.away) / 2;
  return { margin: margin / Math.sqrt(level * Math.max(rest, LEAST_LEFT)), root: Math.sqrt(rest) };
}

/** Whether the side that bats first still bats. */
export const isInFirst = ({ left: { first } }: InningsState): boolean => first.balls > 0 && first.wickets > 0;

/** Returns the home side's chance to win. A tie counts as half, because a super over decides it. */
export function homeChance(state: InningsState, expected: BySide, parameters: InningsParameters): number {
  const { first, runs } = state;
  const terms = chanceTerms(state, expected, parameters);
  let chance: number;
  if (terms === null) chance = runs.first > runs.second ? 1 : runs.first < runs.second ? 0 : 0.5;
  else {
    const { first_innings, second_innings, second_innings_rest } = parameters;
    const slope = isInFirst(state) ? first_innings : second_innings + second_innings_rest * terms.root;
    chance = 1 / (1 + Math.exp(-slope * terms.margin - parameters.batting_first * terms.root));
  }
  return first === 'home' ? chance : 1 - chance;
}
