/** The MLB games that the provider knows, and the requests that it plans for them. Pure. */
import { HOUR_MS, MINUTE_MS } from '../../wire/time.ts';
import { leagueDay } from '../league-days.ts';
import { ListRequests } from '../list-requests.ts';
import { current, heldVersion, isUnread, type ListedGame } from '../listed-game.ts';
import { isInWindow, isOverdue, isRechecked, type KnownGames, LIVE_MS, RECHECK_MS } from '../polled-game.ts';
import type { PlannedRequest } from '../provider.ts';

const TODAY_MS = 3 * HOUR_MS;
/** Days after today whose schedules are read for upcoming fixtures. */
const FOLLOWING_DAYS = [1, 2, 3, 4, 5, 6];
const AHEAD_MS = 12 * HOUR_MS;
/**
 * Pause between two requests for a day's list if all games on that day are live. The news then comes from the games'
 * feeds.
 */
const LIST_MS = MINUTE_MS;
const BOX_SCORE_MS = 10 * MINUTE_MS;
/**
 * Time after a game's end at which it is read for the last time and becomes final. Scorers revise a game until the next
 * day.
 */
export const FINAL_AFTER_MS = 12 * HOUR_MS;
/** Lengthens the pause that the source asks for, because the poller's jitter shortens it by up to a tenth. */
const MARGIN = 1.2;

export interface MlbGame extends ListedGame {
  gameType: string;
  season: string;
  /** Team numbers. */
  home: number;
  away: number;
  /** Date of the list that has the game. */
  day: string;
  /** Postponed or suspended. */
  isStopped: boolean;
  /** The pause that the source asked for, in seconds. */
  wait?: number;
  /** The inning in the last live feed. */
  inning?: number;
}
/** Games by `gamePk`. */
export type Known = KnownGames<MlbGame>;

const schedulePath = (day: string) => `/api/v1/schedule?sportId=1&date=${day}`;

/** The members of the live feed that are requested. The whole feed has 1.5 MB. */
const FIELDS = [
  'gamePk,metaData,wait,timeStamp',
  'gameData,datetime,dateTime,status,abstractGameState,codedGameState,detailedState,startTimeTBD,teams,home,away,id',
  'liveData,plays,allPlays,about,atBatIndex,halfInning,inning,isComplete,result,eventType,awayScore,homeScore',
  'matchup,batter,fullName,playEvents,index,type,details,description,player',
  'linescore,currentInning,isTopInning,outs,innings,num,runs',
].join(',');
const feedPath = (id: string) => `/api/v1.1/game/${id}/feed/live?fields=${FIELDS}`;
const boxScorePath = (id: string) => `/api/v1/game/${id}/boxscore`;

export function planRequests(now: number, { games }: Known): PlannedRequest[] {
  const lists = new ListRequests();
  lists.add(schedulePath(leagueDay(now)), TODAY_MS);
  for (const after of FOLLOWING_DAYS) lists.add(schedulePath(leagueDay(now, after)), AHEAD_MS);
  const own: PlannedRequest[] = [];
  for (const [id, game] of Object.entries(games)) {
    const everyMs = listPause(game, now);
    if (everyMs !== null) lists.add(schedulePath(game.day), everyMs, heldVersion(game, now));
    own.push(...planGame(id, game, now));
  }
  const sorted = lists.all().sort((a, b) => a.everyMs - b.everyMs);
  return [...sorted.filter(({ isLive }) => isLive), ...own, ...sorted.filter(({ isLive }) => !isLive)];
}

/** True if a game is being played or about to be. A stopped game is not. */
const isOn = (game: MlbGame, now: number) => !game.isStopped && isInWindow(current(game), now);

/** Returns the pause between list reads, in ms. Null if no news about this game is expected soon. */
function listPause(game: MlbGame, now: number): number | null {
  const is = current(game);
  if (isOn(game, now)) return is.phase === 'ahead' || game.differsAt !== undefined ? LIVE_MS : LIST_MS;
  const isWaiting = game.isStopped && isInWindow(is, now);
  return isWaiting || isOverdue(is, now) || isRechecked(is, now) ? RECHECK_MS : null;
}

function planGame(id: string, game: MlbGame, now: number): PlannedRequest[] {
  const is = current(game);
  const state = is.phase === 'live' ? `${is.phase} ${game.inning ?? 0}` : game.listed.mark;
  const boxScore = (everyMs: number, isLive: boolean): PlannedRequest => ({
    path: boxScorePath(id),
    everyMs,
    // The version makes the box score due after each inning and at the end.
    version: state,
    isLive,
  });
  if (isOn(game, now)) {
    // The request has no version, because a new version would make it due sooner than the source asks for.
    const feed = { path: feedPath(id), everyMs: Math.max(LIVE_MS, (game.wait ?? 0) * 1_000 * MARGIN), isLive: true };
    return is.phase === 'ahead' ? [boxScore(BOX_SCORE_MS, true)] : [feed, boxScore(BOX_SCORE_MS, true)];
  }
  const isLast = game.phase === 'over' && game.endedAt !== undefined && now >= game.endedAt + FINAL_AFTER_MS;
  if (is.phase === 'ahead' || game.phase === 'final') return [];
  if (!isOverdue(is, now) && !isRechecked(is, now) && !isLast && !isUnread(game)) return [];
  return [{ path: feedPath(id), everyMs: RECHECK_MS }, boxScore(RECHECK_MS, false)];
}
