/** Converts a Major League Baseball game to a feed update. Used for all Retrosheet files. */

import { BASEBALL_ROUNDS, type BaseballPhase, dateOnly } from '../../providers/index.ts';
import type { MatchInput, MatchUpdateInput } from '../../wire/feed-update.ts';
import { matchUpdate } from '../feed-updates.ts';
import type { InputFile } from '../files.ts';
import { findLeague, findTeam } from './teams.ts';

export const RETROSHEET = 'retrosheet';

export interface Game {
  /** Team codes. */
  home: string;
  away: string;
  /** YYYY-MM-DD on which the game began. */
  day: string;
  /** 0 for a single game, 1 and 2 for a double-header. */
  number: string;
  phase: BaseballPhase;
  /** Whether the park is neutral ground. */
  neutral: boolean;
  score: { home: number; away: number };
  awarded?: boolean;
  details?: Partial<MatchInput>;
}

/** @returns an error text if the game cannot be converted */
export function toUpdate(game: Game, file: InputFile): MatchUpdateInput | string {
  const { home, away, day, number, phase, neutral, score, awarded, details } = game;
  const [host, guest] = [findTeam(home), findTeam(away)];
  if (!host || !guest) return `the team code ${JSON.stringify(host ? away : home)} is not known`;
  if (home === away) return 'both sides are the same team';
  if (score.home === score.away && phase !== 'R' && phase !== 'A')
    return `a play-off cannot end ${score.home}:${score.away}`;
  const { tournament, round } = BASEBALL_ROUNDS[phase];
  // Rounds within a league bear the league's name.
  const league = phase === 'W' ? undefined : findLeague(home, Number(day.slice(0, 4)));
  return matchUpdate(RETROSHEET, file, {
    // In all files, Retrosheet identifies a game by the park host's code, the day and the number.
    id: `${home}${day.replaceAll('-', '')}${number}`,
    sport: 'baseball',
    tournament: { id: tournament, name: tournament, country: 'US', gender: 'men' },
    season: { label: day.slice(0, 4) },
    home: { id: home, ...host },
    away: { id: away, ...guest },
    ...dateOnly(day),
    ...(round && { round_name: league === undefined ? round : `${league}, ${round}` }),
    ...(neutral && { neutral }),
    status: 'finished',
    status_detail: awarded ? 'awarded' : 'ended',
    score,
    ...details,
  });
}
