/**
 * Measures the expected goals model by the ML-KULeuven/soccer_xg protocol. The model is fitted to three leagues in the Wyscout data set and
 * tested on England. All shots count, including penalties and free kicks. Pure.
 */

import { isGoal, isPenalty } from '../../expected-goals/shot-features.ts';
import { type ExpectedGoalsModel, expectedGoals } from '../../expected-goals/shot-model.ts';
import { type FittedModel, fitExpectedGoals } from '../fit/fit-expected-goals.ts';
import type { ShotMatch } from '../fit/shot-source.ts';
import type { EventForecast } from './forecast-scores.ts';
import { TRAINING, TRAINING_LEAGUES } from './published-expected-goals.ts';
import { type ShotScores, shotScores } from './shot-scores.ts';

const SEASON = '2017/18';
const TEST: Record<string, string> = { 'GB-ENG': 'England' };
const UNUSED: Record<string, string> = { FR: 'France' };

interface Count {
  league: string;
  role: 'training' | 'test' | 'unused';
  matches: number;
  shots: number;
  goals: number;
}

export interface ExpectedGoalsReport {
  season: string;
  leagues: Count[];
  /** All shots except penalties and direct free kicks. */
  open_play_shots: number;
  all: ShotScores;
  without_penalties: ShotScores;
}

const inLeagues = (matches: readonly ShotMatch[], leagues: Record<string, string>): ShotMatch[] =>
  matches.filter(({ country, season }) => season === SEASON && country in leagues);

/** Fits the model to the training leagues. @throws Error with a one-line message if a league is missing */
export function fitToTraining(matches: readonly ShotMatch[]): { model: ExpectedGoalsModel; crossValidated: number } {
  const training = inLeagues(matches, TRAINING);
  for (const [country, name] of Object.entries(TRAINING))
    if (!training.some((match) => match.country === country))
      throw new Error(`the folder has no shots of ${name} ${SEASON}`);
  const { crossValidated, ...fitted } = fitExpectedGoals(training);
  const shots = training.flatMap((match) => match.shots);
  return {
    model: {
      fitted_on: {
        source: 'Pappalardo and Massucco (2019), Soccer match event dataset, CC BY 4.0',
        tournaments: TRAINING_LEAGUES.join(', '),
        season: SEASON,
        shots: shots.length,
        goals: shots.filter(isGoal).length,
        penalties: shots.filter(isPenalty).length,
      },
      ...fitted,
    },
    crossValidated,
  };
}

/** @throws Error with a one-line message if a league is missing */
export function measureExpectedGoals(matches: readonly ShotMatch[]): ExpectedGoalsReport {
  const { model } = fitToTraining(matches);
  const test = inLeagues(matches, TEST).flatMap((match) => forecasts(match, model));
  const all = shotScores(test);
  const without_penalties = shotScores(test.filter((shot) => !shot.isPenalty));
  if (all === null || without_penalties === null) throw new Error(`the folder has no shots of England ${SEASON}`);
  const leagues = [
    ...countShots(matches, TRAINING, 'training'),
    ...countShots(matches, TEST, 'test'),
    ...countShots(matches, UNUSED, 'unused'),
  ];
  const known = inLeagues(matches, { ...TRAINING, ...TEST, ...UNUSED }).flatMap(({ shots }) => shots);
  const open_play_shots = known.filter(({ situation }) => situation !== 'penalty' && situation !== 'free_kick').length;
  return { season: SEASON, leagues, open_play_shots, all, without_penalties };
}

function forecasts({ shots }: ShotMatch, model: FittedModel): (EventForecast & { isPenalty: boolean })[] {
  const expected = expectedGoals(shots, model);
  return shots.flatMap((shot, position) => {
    const probability = expected[position] ?? null;
    return probability === null ? [] : [{ probability, occurred: isGoal(shot), isPenalty: isPenalty(shot) }];
  });
}

const countShots = (matches: readonly ShotMatch[], leagues: Record<string, string>, role: Count['role']): Count[] =>
  Object.entries(leagues).map(([country, league]) => {
    const own = inLeagues(matches, { [country]: league });
    const shots = own.flatMap((match) => match.shots);
    return { league, role, matches: own.length, shots: shots.length, goals: shots.filter(isGoal).length };
  });
