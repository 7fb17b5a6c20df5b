/** Converts a Major League Baseball game to a feed update without card blocks: sides, start, round, state. Pure. */
import type { MatchInput } from '../../wire/feed-update.ts';
import { BASEBALL_ROUNDS, isBaseballPhase } from '../baseball-rounds.ts';
import type { Phase } from '../polled-game.ts';
import { lookUp } from '../reader.ts';
import type { Score } from '../side.ts';
import { TeamCodes } from '../team-codes.ts';
import type { ScheduledGame } from './replies.ts';

export const MLB = 'mlb';
const TEAMS = new TeamCodes('mlb-teams.csv');

const AMERICAN = new Set([108, 110, 111, 114, 116, 117, 118, 133, 136, 139, 140, 141, 142, 145, 147, 159]);

/** True for game types that belong to the season. Spring training (S) and exhibitions (E) do not. */
export const isOfSeason = isBaseballPhase;

/** The members that identify the game. */
export interface NamedGame {
  gamePk: number;
  gameType: string;
  /** For example 2024. */
  season: string;
  /** Team numbers. */
  home: number;
  away: number;
}

/**
 * Returns the members that every update about a game has.
 * @returns an error text if a team is unknown
 */
export function gameReference({ gamePk, gameType, season, home, away }: NamedGame) {
  const [host, guest] = [TEAMS.find(String(home), Number(season)), TEAMS.find(String(away), Number(season))];
  if (!host || !guest) return TEAMS.unknown(String(host ? away : home));
  if (home === away) return `${host.name} plays against itself`;
  const type = lookUp(BASEBALL_ROUNDS, gameType);
  if (!type) return `the game type ${gameType} is not part of the season`;
  const { tournament } = type;
  return {
    id: String(gamePk),
    sport: 'baseball',
    tournament: { id: tournament, name: tournament, country: 'US', gender: 'men' as const },
    season: { label: season },
    home: host,
    away: guest,
  };
}

/** Rounds within a league bear the league's name. */
export function readRound({ gameType, teams }: ScheduledGame): Partial<MatchInput> {
  const round = lookUp(BASEBALL_ROUNDS, gameType)?.round;
  if (round === undefined) return {};
  const league = AMERICAN.has(teams.home.team.id) ? 'American League' : 'National League';
  return { round_name: gameType === 'W' ? round : `${league}, ${round}` };
}

type Detail = NonNullable<MatchInput['status_detail']>;

/**
 * Maps `codedGameState` to the game's phase and detail. `abstractGameState` is not used, because it calls a postponed
 * game Final and a warm-up Live.
 */
const STATES: Record<string, { phase: Phase; status_detail: Detail }> = {
  S: { phase: 'ahead', status_detail: 'not_started' },
  P: { phase: 'ahead', status_detail: 'not_started' },
  I: { phase: 'live', status_detail: 'in_play' },
  M: { phase: 'live', status_detail: 'in_play' },
  N: { phase: 'live', status_detail: 'in_play' },
  D: { phase: 'ahead', status_detail: 'postponed' },
  C: { phase: 'final', status_detail: 'cancelled' },
  F: { phase: 'over', status_detail: 'ended' },
  O: { phase: 'over', status_detail: 'ended' },
  T: { phase: 'live', status_detail: 'suspended' },
  U: { phase: 'live', status_detail: 'suspended' },
  Q: { phase: 'over', status_detail: 'awarded' },
  R: { phase: 'over', status_detail: 'awarded' },
};
const STATUSES = { ahead: 'scheduled', live: 'live', over: 'finished', final: 'finished' } as const;

export interface State {
  phase: Phase;
  status: 'scheduled' | 'live' | 'finished';
  status_detail: Detail;
  /** Postponed or suspended. */
  isStopped: boolean;
}

/** @returns undefined for an unknown state */
export function readState({ codedGameState, detailedState }: ScheduledGame['status']): State | undefined {
  const known = lookUp(STATES, codedGameState);
  if (!known) return undefined;
  const isDelayed = /^delayed/iu.test(detailedState ?? '');
  const status_detail =
    isDelayed && known.phase === 'ahead' && codedGameState !== 'D'
      ? 'delayed'
      : isDelayed && known.status_detail === 'in_play'
        ? 'interrupted'
        : known.status_detail;
  return {
    phase: known.phase,
    status: STATUSES[known.phase],
    status_detail,
    isStopped: known.status_detail === 'postponed' || known.status_detail === 'suspended',
  };
}

/**
 * Returns status and score.
 * @param score null if unknown
 * @returns an error text if a game is over and its result cannot be right
 */
export function toState({ status, status_detail, phase }: State, score: Score | null): Partial<MatchInput> | string {
  if (phase === 'ahead' || status_detail === 'cancelled') return { status, status_detail };
  if (phase === 'live') return { status, status_detail, ...(score && { score }) };
  if (score === null) return 'over, but without a score';
  if (score.home === score.away && status_detail !== 'ended') return 'a forfeit without a winner';
  return { status, status_detail, score };
}
