/** The NHL games that the provider knows, and the requests that it plans for them. Pure. */
import { HOUR_MS, MINUTE_MS } from '../../wire/time.ts';
import { leagueDay } from '../league-days.ts';
import { ListRequests } from '../list-requests.ts';
import { current, heldVersion, isUnread, type ListedGame, type Said } from '../listed-game.ts';
import { isInWindow, isOverdue, isRechecked, type KnownGames, LIVE_MS, RECHECK_MS } from '../polled-game.ts';
import type { PlannedRequest } from '../provider.ts';
import { isUnplayed, playedSeconds, readPhase } from './game.ts';
import type { GameReply } from './replies.ts';

const WEEK_DAYS = 7;
const WEEK_MS = 3 * HOUR_MS;
const NEXT_WEEK_MS = 12 * HOUR_MS;
/**
 * Pause between two play-by-play requests, which find penalties and line-ups. When today's list shows news, the
 * play-by-play is read at once.
 */
const PLAYS_MS = MINUTE_MS;
const STATISTICS_MS = 5 * MINUTE_MS;
const LINEUPS_MS = 5 * MINUTE_MS;
/** A result becomes official at night or on the next day. */
const OFFICIAL_MS = HOUR_MS;

export interface NhlGame extends ListedGame {
  /** Date of the list that has the game. */
  day: string;
  /** For example 20232024. */
  season: number;
  home: string;
  away: string;
}

/** Games by id. */
export type Known = KnownGames<NhlGame>;

/** @returns undefined for an unknown state */
export function readSaid(game: GameReply): Said | undefined {
  const phase = readPhase(game);
  if (!phase) return undefined;
  const { gameState, gameScheduleState, homeTeam, awayTeam, periodDescriptor, clock } = game;
  const [home, away] = [homeTeam.score ?? 0, awayTeam.score ?? 0];
  const period = phase === 'ahead' ? 0 : (periodDescriptor?.number ?? 1);
  const state = gameState === 'CRIT' ? 'LIVE' : gameState;
  const place = clock?.inIntermission ? 'break' : '';
  return {
    phase,
    mark: `${isUnplayed(game) ? gameScheduleState : state} ${home}:${away} ${period}${place}`,
    played: phase === 'live' ? playedSeconds(game) : 0,
    home,
    away,
  };
}

/** Maximum time by which officials set the clock back, in seconds. */
export const SET_BACK = 60;

const schedulePath = (day: string) => `/v1/schedule/${day}`;
const scorePath = (day: string) => `/v1/score/${day}`;
const playsPath = (id: string) => `/v1/gamecenter/${id}/play-by-play`;
const railPath = (id: string) => `/v1/gamecenter/${id}/right-rail`;

export function planRequests(now: number, { games }: Known): PlannedRequest[] {
  const lists = new ListRequests();
  const own: PlannedRequest[] = [];
  for (const [id, game] of Object.entries(games)) {
    lists.add(scorePath(game.day), listPause(game, now), heldVersion(game, now));
    own.push(...planGame(id, game, now));
  }
  const days = lists.all();
  return [
    ...days.filter(({ isLive }) => isLive),
    ...own,
    ...days.filter(({ isLive }) => !isLive),
    { path: schedulePath(leagueDay(now)), everyMs: WEEK_MS },
    { path: schedulePath(leagueDay(now, WEEK_DAYS)), everyMs: NEXT_WEEK_MS },
  ];
}

/** Returns the pause between list reads, in ms. Infinite if no news about this game is expected. */
function listPause(game: NhlGame, now: number): number {
  const is = current(game);
  if (isInWindow(is, now)) return LIVE_MS;
  if (isOverdue(is, now) || isRechecked(is, now)) return RECHECK_MS;
  return is.phase === 'over' ? OFFICIAL_MS : Number.POSITIVE_INFINITY;
}

/** Plans requests. The cheap list for the day comes first. A change in the list makes the game's own requests due. */
function planGame(id: string, game: NhlGame, now: number): PlannedRequest[] {
  const is = current(game);
  const { mark } = game.listed;
  const statistics = (everyMs: number, isLive: boolean): PlannedRequest => ({
    path: railPath(id),
    everyMs,
    // The version changes when the game or a period ends.
    version: mark.replace(/\d+:\d+ /u, ''),
    isLive,
  });
  const plays = (everyMs: number, isLive: boolean): PlannedRequest => ({
    path: playsPath(id),
    everyMs,
    version: mark,
    isLive,
  });
  if (isInWindow(is, now)) {
    if (is.phase === 'ahead') return [plays(LINEUPS_MS, true)];
    const differs = game.read?.mark !== mark;
    return [plays(differs ? LIVE_MS : PLAYS_MS, true), statistics(STATISTICS_MS, true)];
  }
  // When the result is official, everything is read for the last time.
  if (isOverdue(is, now) || isRechecked(is, now) || isUnread(game))
    return is.phase === 'ahead' || mark.startsWith('CNCL')
      ? []
      : [plays(RECHECK_MS, false), statistics(RECHECK_MS, false)];
  return [];
}
