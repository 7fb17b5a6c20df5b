/**
 *  The Poisson match model. It computes attack and defence strengths relative to the league's averages, expected goals,
 * and figures from the score matrix. `poisson.ts` names the source. Pure.
 */

import { DECIMALS, DECIMALS_OF_EXPECTED_GOALS, roundTo } from '../rounding.ts';
import { type PlayedMatch, playedPeriod } from '../samples/match-samples.ts';
import type { AnalyticsCard } from '../schema.ts';
import { likelyScorelines, type Probabilities, type Scoreline, scoreMatrix, toProbabilities } from './poisson.ts';

/**
 * Minimum number of the home side's home matches and the away side's away matches. Fewer say nothing about the side.
 */
const FEWEST_MATCHES = 4;
/** Maximum, far above any football or hockey result. A higher value can only come from a wrong result, and would make the matrix large. */
const MOST_EXPECTED_GOALS = 1_000;

/** Goals per match relative to the league's average, where 1 is an average side. A weak defence is above 1. */
interface Strength {
  attack: number;
  defence: number;
}

/** All values are unrounded. */
export interface Prediction {
  expected: { home: number; away: number };
  strengths: { home: Strength; away: Strength };
  /** Goals per match for the league's home sides and away sides. */
  averages: { home: number; away: number };
  probabilities: Probabilities;
  scorelines: Scoreline[];
  sample: { from: string; to: string; league_matches: number; home_matches: number; away_matches: number };
}

/** The match fields that the model uses. */
export type ModelMatch = Omit<PlayedMatch, 'id' | 'winner'>;

/**
 * The home side's expected goals = attack at home × the opponent's defence away × goals per match by the league's home
 * sides. The away side's expected goals are computed likewise.
 * @param league the tournament's matches in the sample, with scores without shoot-out goals
 * @returns null if the home side has fewer than 4 home matches or the away side has fewer than 4 away matches; if the
 * league's home or away sides have no goals; if both sides are the same; or if a side has more than 1,000 expected
 * goals
 */
export function predict(league: readonly ModelMatch[], homeId: number, awayId: number): Prediction | null {
  const atHome = league.filter(({ home_id }) => home_id === homeId);
  const away = league.filter(({ away_id }) => away_id === awayId);
  if (homeId === awayId || atHome.length < FEWEST_MATCHES || away.length < FEWEST_MATCHES) return null;
  const period = playedPeriod(league);
  const average = goalsPerMatch(league);
  if (period === null || !(average.home > 0 && average.away > 0)) return null;
  const [own, other] = [goalsPerMatch(atHome), goalsPerMatch(away)];
  const strengths = {
    home: { attack: own.home / average.home, defence: own.away / average.away },
    away: { attack: other.away / average.away, defence: other.home / average.home },
  };
  const expected = {
    home: strengths.home.attack * strengths.away.defence * average.home,
    away: strengths.away.attack * strengths.home.defence * average.away,
  };
  if (Math.max(expected.home, expected.away) > MOST_EXPECTED_GOALS) return null;
  const matrix = scoreMatrix(expected.home, expected.away);
  return {
    expected,
    strengths,
    averages: average,
    probabilities: toProbabilities(matrix),
    scorelines: likelyScorelines(matrix),
    sample: {
      ...period,
      league_matches: league.length,
      home_matches: atHome.length,
      away_matches: away.length,
    },
  };
}

function goalsPerMatch(matches: readonly ModelMatch[]): { home: number; away: number } {
  const sum = (side: 'home_score' | 'away_score') => matches.reduce((goals, match) => goals + match[side], 0);
  return { home: sum('home_score') / matches.length, away: sum('away_score') / matches.length };
}

type AnsweredModel = NonNullable<AnalyticsCard['model']>;
/** Figures that every model provides. Probabilities are in percent; decimal odds are null if the probability is 0. */
export type ModelFigures = Pick<AnsweredModel, 'expected_goals' | 'probabilities' | 'fair_odds'>;
/** `model` in the pre-match analytics, without the calibrated model. */
export type Model = Omit<AnsweredModel, 'calibrated' | 'explain'>;

const goals = (value: number) => roundTo(DECIMALS_OF_EXPECTED_GOALS, value);

/** @returns the figures as replies show them, rounded */
export function modelFigures({
  expected,
  probabilities,
}: Pick<Prediction, 'expected' | 'probabilities'>): ModelFigures {
  const each = <V>(value: (probability: number) => V) => ({
    home_win: value(probabilities.home_win),
    draw: value(probabilities.draw),
    away_win: value(probabilities.away_win),
    over_1_5: value(probabilities.over_1_5),
    over_2_5: value(probabilities.over_2_5),
    over_3_5: value(probabilities.over_3_5),
    under_2_5: value(probabilities.under_2_5),
    btts: value(probabilities.btts),
  });
  return {
    expected_goals: {
      home: goals(expected.home),
      away: goals(expected.away),
      total: goals(expected.home + expected.away),
    },
    probabilities: each(percent),
    fair_odds: each((probability) => {
      const odds = fairOdds(probability);
      return odds === null ? null : roundTo(DECIMALS, odds);
    }),
  };
}

/** @returns the prediction as replies show it, rounded */
export function toModel(prediction: Prediction): Model {
  const { strengths, scorelines, sample } = prediction;
  const strength = ({ attack, defence }: Strength) => ({ attack: goals(attack), defence: goals(defence) });
  return {
    ...modelFigures(prediction),
    likely_scorelines: toScorelines(scorelines),
    sample,
    strengths: { home: strength(strengths.home), away: strength(strengths.away) },
  };
}

/** @returns scores as replies show them, rounded */
export const toScorelines = (scorelines: readonly Scoreline[]): Model['likely_scorelines'] =>
  scorelines.map(({ home, away, probability }) => ({ score: `${home}:${away}`, prob: percent(probability) }));

const percent = (probability: number): number => roundTo(DECIMALS, probability * 100);

/**
 * Returns the decimal price (1 ÷ probability) at which a bet breaks even in the long run.
 * @returns null if the probability is 0, or so small that the price exceeds the number range
 */
export function fairOdds(probability: number): number | null {
  const odds = 1 / probability;
  return Number.isFinite(odds) ? odds : null;
}
