/**
 * Squiggle (api.squiggle.com.au): Australian football, with server-sent events. The year's games are read twice a day.
 * A round's games are read every 20 s while one of them is in its window, but less often while events arrive.
 */
import { HOUR_MS } from '../../wire/time.ts';
import { GameUpdates } from '../game-updates.ts';
import { ListRequests } from '../list-requests.ts';
import {
  isInWindow,
  isOverdue,
  isRechecked,
  type KnownGame,
  LIVE_MS,
  phaseFault,
  RECHECK_MS,
  toPhase,
} from '../polled-game.ts';
import { defineProvider, type PlannedRequest, type ProviderReply, type Reading } from '../provider.ts';
import { isRecord } from '../reader.ts';
import { type Game, readGame, readMembers, readPhase, readState, sidePoints, toFixture } from './game.ts';

const CALENDAR_MS = 12 * HOUR_MS;
/** While events arrive, the round is read this often to check them. */
const CHECK_MS = 120_000;
/** If the last event is newer than this, the stream works. During play there is an event every half minute. */
const STREAM_FRESH_MS = 90_000;
/** Month (January is 0) from which the next year's games are requested. They appear some day in or after October. */
const NEXT_YEAR_FROM_MONTH = 9;
/** Melbourne is ahead of UTC by this time, so the year begins earlier there. */
const AHEAD_OF_UTC_MS = 10 * HOUR_MS;

interface SquiggleGame extends KnownGame {
  /** The game as last read, in full. An event contains only the changed members. */
  last: Game;
}
interface Known {
  games: Record<string, SquiggleGame>;
  /** When the last event about a game arrived, by our clock, ms. */
  eventAt: number | null;
}

const yearPath = (year: number) => `/?q=games;year=${year}`;
const roundPath = ({ year, round }: Pick<Game, 'year' | 'round'>) => `/?q=games;year=${year};round=${round}`;
const PATH = /^\/\?q=games;year=(\d{4})(?:;round=(\d+))?$/u;
const ALL_EVENTS = '/games';
const GAME_EVENTS = /^\/events\/(\d+)$/u;

export const provider = defineProvider<Known>({
  name: 'squiggle',
  title: 'Squiggle',
  baseUrl: 'https://api.squiggle.com.au',
  eventsUrl: 'https://sse.squiggle.com.au',
  // Four games in a row on a Saturday cost 2,000 requests without events (test/providers/polled-day.test.ts). The
  // poller asks less often once half the budget is spent.
  dailyRequests: 4_000,
  maxBytes: 2_000_000,
  requires: 'contact',
  notice:
    'Squiggle asks for a User-Agent with a contact address, for caching, and for no bulk requests. Its owner may block clients that do not comply.',
  knownVersion: 1,
  start: (scope) =>
    scope === null ? { games: {}, eventAt: null } : 'Squiggle has one league: write squiggle without a colon',
  requests: (now, known) => [...roundRequests(now, known), ...yearRequests(now)],
  streams(now, { games }) {
    const current = Object.entries(games).filter(([, game]) => isInWindow(game, now));
    const live = current.filter(([, { phase }]) => phase === 'live');
    return [...(current.length > 0 ? [{ path: ALL_EVENTS }] : []), ...live.map(([id]) => ({ path: `/events/${id}` }))];
  },
  updates: (reply, known) =>
    reply.path === ALL_EVENTS || GAME_EVENTS.test(reply.path) ? readEvent(reply, known) : readGames(reply, known),
});

function yearRequests(now: number): PlannedRequest[] {
  const there = new Date(now + AHEAD_OF_UTC_MS);
  const year = there.getUTCFullYear();
  const years = there.getUTCMonth() >= NEXT_YEAR_FROM_MONTH ? [year, year + 1] : [year];
  return years.map((year) => ({ path: yearPath(year), everyMs: CALENDAR_MS }));
}

/** Requests each round in which a game is being played or has just ended. */
function roundRequests(now: number, { games, eventAt }: Known): PlannedRequest[] {
  const isStreamed = eventAt !== null && now - eventAt <= STREAM_FRESH_MS;
  const rounds = new ListRequests();
  for (const game of Object.values(games)) {
    const isLive = isInWindow(game, now);
    if (!isLive && !isOverdue(game, now) && !isRechecked(game, now)) continue;
    const everyMs = !isLive ? RECHECK_MS : isStreamed ? CHECK_MS : LIVE_MS;
    rounds.add(roundPath(game.last), everyMs);
  }
  return rounds.all().sort((a, b) => a.everyMs - b.everyMs);
}

function readGames({ path, body, receivedAt }: ProviderReply, known: Known): Reading<Known> | string {
  const [, year, round] = PATH.exec(path) ?? [];
  if (year === undefined) return `${path} is no request of this provider`;
  if (!isRecord(body) || !Array.isArray(body.games)) return 'the reply has no list of games';
  const into = new GameUpdates(known.games, receivedAt);
  const isAsked = (game: Game) => game.year === Number(year) && (round === undefined || game.round === Number(round));
  let others = 0;
  for (const [index, given] of body.games.entries()) {
    const at = `games[${index}]`;
    const game = readGame(given, at, into);
    if (!game) continue;
    if (isAsked(game)) addGame(game, at, into);
    else {
      others += 1;
      into.report(`${at}.round`, `${game.year}, round ${game.round}`);
    }
  }
  if (others > 0 && others === body.games.length) return `the reply has games of other rounds than ${path} asks for`;
  const reading = into.nearReading();
  return { ...reading, known: { ...known, ...reading.known } };
}

/**
 * Adds a game from a reply or an event, unless the known game is newer.
 * @returns whether the game was added
 */
function addGame(game: Game, path: string, into: GameUpdates<SquiggleGame>): boolean {
  const { at } = into;
  const before = into.games[game.id];
  const claimed = readPhase(game);
  const start = game.unixtime * 1_000;
  const fault = staleness(before?.last, game) ?? (claimed && phaseFault(before, { start, phase: claimed }, at));
  if (fault !== undefined) {
    into.report(`${path}.complete`, fault);
    return false;
  }
  const state = claimed ? readState(game, claimed, path, into) : {};
  // A finished game whose result cannot be read stays live, because the source may correct the result.
  const phase = claimed === 'over' && state.status === undefined ? 'live' : claimed;
  const isDown = before?.phase === 'over' && phase === 'live';
  into.games[game.id] = {
    ...(phase === undefined || isDown
      ? { ...(before ?? { phase: 'ahead' }), start }
      : toPhase(before, start, phase, at)),
    last: game,
  };
  into.add({ ...toFixture(game), ...state }, path);
  return true;
}

const points = (game: Game) => [sidePoints(game, 'h') ?? 0, sidePoints(game, 'a') ?? 0] as const;

/** Returns a fault if a newly read game is older than the one that was read before. */
function staleness(before: Game | undefined, game: Game): string | undefined {
  if (!before) return undefined;
  const isNewer = (game.updated ?? '') > (before.updated ?? '');
  if (before.updated && game.updated && game.updated < before.updated) return 'older than before, by its time';
  if ((game.complete ?? 0) < (before.complete ?? 0) && !isNewer) return 'less complete than before';
  const [[home, away], [homeBefore, awayBefore]] = [points(game), points(before)];
  const hasFallen = home < homeBefore || away < awayBefore;
  const isLater = isNewer || (game.complete ?? 0) > (before.complete ?? 0);
  return hasFallen && !isLater ? 'a lower score than before, without a later time' : undefined;
}

/** Members in which an event may give the game's number. */
const IDS = ['id', 'gameid', 'game_id', 'game'] as const;

/**
 * Reads an event. It has a game, a list of games, or a game's number with the changed members. The score may be an
 * object of its own.
 */
function readEvent({ path, body, event, receivedAt }: ProviderReply, known: Known): Reading<Known> | string {
  const into = new GameUpdates(known.games, receivedAt);
  const given = listGames(body);
  const own = GAME_EVENTS.exec(path)?.[1];
  let isAbout = false;
  for (const [index, one] of given.entries()) {
    const at = `${event ?? 'message'}[${index}]`;
    if (typeof one === 'string') continue; // The stream's greeting.
    if (!isRecord(one)) into.report(at, one);
    else isAbout = addEvent(one, own, at, into) || isAbout;
  }
  const reading = into.nearReading();
  return { ...reading, known: { ...reading.known, eventAt: isAbout ? receivedAt : known.eventAt } };
}

function listGames(body: unknown): unknown[] {
  if (Array.isArray(body)) return body;
  return isRecord(body) && Array.isArray(body.games) ? body.games : [body];
}

/** @returns whether the event was news about a game */
function addEvent(
  given: Record<string, unknown>,
  own: string | undefined,
  path: string,
  into: GameUpdates<SquiggleGame>,
): boolean {
  const nested = isRecord(given.score) ? given.score : {};
  const ids = IDS.map((name) => given[name]).filter((id) => typeof id === 'number' || typeof id === 'string');
  const id = ids[0] === undefined ? own : String(ids[0]);
  if (id === undefined || (own !== undefined && id !== own)) {
    into.report(path, given);
    return false;
  }
  if ('unixtime' in given) {
    const game = readGame({ ...given, ...nested, id }, path, into);
    return game !== undefined && addGame(game, path, into);
  }
  const before = into.games[id];
  if (!before) {
    into.report(`${path}.id`, id);
    return false;
  }
  const {
    id: _id,
    year: _year,
    round: _round,
    hteamid: _home,
    ateamid: _away,
    ...changed
  } = readMembers({ ...given, ...nested, id }, path, into);
  if (Object.keys(changed).length === 0) {
    into.report(path, given);
    return false;
  }
  return addGame({ ...withoutStale(withoutStale(before.last, 'h', changed), 'a', changed), ...changed }, path, into);
}

/** Leaves out those of a side's score members that are stale because the event has only some of them. */
function withoutStale(game: Game, side: 'h' | 'a', changed: Partial<Game>): Game {
  const [goals, behinds, score] = [`${side}goals`, `${side}behinds`, `${side}score`] as const;
  const isCounted = changed[goals] !== undefined || changed[behinds] !== undefined;
  if (!isCounted && changed[score] === undefined) return game;
  const { [score]: _score, ...others } = game;
  if (isCounted) return others;
  const { [goals]: _goals, [behinds]: _behinds, ...rest } = others;
  return rest;
}
