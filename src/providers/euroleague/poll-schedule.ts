/** The Euroleague games that the provider knows, and the requests that it plans for them. Pure. */
import { MINUTE_MS } from '../../wire/time.ts';
import { current, heldVersion, isUnread, type ListedGame } from '../listed-game.ts';
import { isInWindow, isOverdue, isRechecked, type KnownGames, LIVE_MS, RECHECK_MS } from '../polled-game.ts';
import type { PlannedRequest } from '../provider.ts';

const SCHEDULE_MS = 3 * 60 * MINUTE_MS;
/** Pause between two play-by-play requests. When the header shows a new score, the plays are read at once. */
const PLAYS_MS = MINUTE_MS;
const BOX_SCORE_MS = 3 * MINUTE_MS;
/** Month (January is 0) from which the next season's schedule is read. Seasons begin in autumn. */
const FIRST_MONTH = 6;

export interface EuroleagueGame extends ListedGame {
  /** First year of the season, and the game's number in the season. */
  season: number;
  code: number;
  /** Club codes. */
  home: string;
  away: string;
  /** True once the header has been read. */
  hasHeader?: true;
}
/** Games by id, for example E2024_1. */
export type Known = KnownGames<EuroleagueGame>;

export const schedulePath = (season: number) => `/v2/competitions/E/seasons/E${season}/games`;
const gamePath = (kind: string, { season, code }: EuroleagueGame) =>
  `/api/${kind}?gamecode=${code}&seasoncode=E${season}`;

export function planRequests(now: number, { games }: Known): PlannedRequest[] {
  const own = Object.values(games).flatMap((game) => planGame(game, now));
  const at = new Date(now);
  const season = at.getUTCMonth() >= FIRST_MONTH ? at.getUTCFullYear() : at.getUTCFullYear() - 1;
  return [
    ...own.filter(({ path }) => path.startsWith('/api/Header')),
    ...own.filter(({ path }) => !path.startsWith('/api/Header')),
    { path: schedulePath(season), everyMs: SCHEDULE_MS },
  ];
}

function planGame(game: EuroleagueGame, now: number): PlannedRequest[] {
  const is = current(game);
  const isLive = isInWindow(is, now);
  if (!isLive && !isOverdue(is, now) && !isRechecked(is, now) && !isUnread(game)) return [];
  const header = {
    path: gamePath('Header', game),
    everyMs: isLive ? LIVE_MS : RECHECK_MS,
    isLive,
    ...heldVersion(game, now),
  };
  const boxScore = {
    path: gamePath('Boxscore', game),
    everyMs: isLive ? BOX_SCORE_MS : RECHECK_MS,
    // The phase makes the box score due at once when the game ends.
    version: is.phase,
    isLive,
  };
  if (is.phase === 'ahead') return isLive ? [header, boxScore] : [header];
  const { mark } = game.listed;
  const playsMs = game.read?.mark === mark ? PLAYS_MS : LIVE_MS;
  return [
    header,
    { path: gamePath('PlaybyPlay', game), everyMs: isLive ? playsMs : RECHECK_MS, version: mark, isLive },
    boxScore,
  ];
}
