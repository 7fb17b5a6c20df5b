/** Reads an AFL game in Squiggle's format, and converts it to a match. Pure. */
import { z } from 'zod';
import type { MatchInput } from '../../wire/feed-update.ts';
import { wireTime } from '../../wire/time.ts';
import type { Phase } from '../polled-game.ts';
import { isRecord, lookUp, quote, type Reader } from '../reader.ts';
import { count } from '../statistic.ts';
import { TeamCodes } from '../team-codes.ts';

const TEAMS = new TeamCodes('squiggle-teams.csv');
const TOURNAMENT = { name: 'AFL', country: 'AU', gender: 'men' } as const;
/** Grounds that Squiggle abbreviates. */
const VENUES: Record<string, string> = { 'M.C.G.': 'Melbourne Cricket Ground', 'S.C.G.': 'Sydney Cricket Ground' };

const GOAL_POINTS = 6;
/** Names of finals by `is_final`. The round's name is the same for all finals of a week. */
const FINALS: Record<number, string> = {
  2: 'Elimination final',
  3: 'Qualifying final',
  4: 'Semi-final',
  5: 'Preliminary final',
  6: 'Grand Final',
};
const GRAND_FINAL = 6;

/** Some numbers are text in some replies. */
const number = z
  .union([z.number(), z.string().regex(/^\d+$/u).transform(Number)])
  .pipe(z.int().min(0).max(9_999_999_999));
const text = z.string().trim().min(1).max(100);
/** The game members that are read. Times are in seconds. */
const MEMBERS = {
  id: number,
  year: number.pipe(z.int().min(1897).max(2199)),
  round: number.pipe(z.int().max(100)),
  unixtime: number,
  hteamid: number,
  ateamid: number,
  roundname: text,
  venue: text,
  is_final: number,
  /** 0 to 100. */
  complete: number.pipe(z.int().max(100)),
  timestr: text,
  /** Local time of the last change. Later times are also greater as text. */
  updated: z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/u),
  hgoals: number,
  hbehinds: number,
  hscore: number,
  agoals: number,
  abehinds: number,
  ascore: number,
};
type Members = { [Name in keyof typeof MEMBERS]: z.infer<(typeof MEMBERS)[Name]> };
/** Without these, the reply does not identify the game. */
const NEEDED = ['id', 'year', 'round', 'unixtime', 'hteamid', 'ateamid'] as const;
export type Game = Partial<Members> & Pick<Members, (typeof NEEDED)[number]>;

const isWhole = (game: Partial<Game>): game is Game => NEEDED.every((name) => game[name] !== undefined);

/** Reads the members that are present and fit. */
export const readMembers = (given: Record<string, unknown>, path: string, reader: Reader): Partial<Game> =>
  Object.fromEntries(
    Object.entries(MEMBERS).flatMap(([name, schema]) => {
      const value = reader.value<unknown>(schema, given[name], `${path}.${name}`);
      return value === undefined ? [] : [[name, value]];
    }),
  );

/**
 * @returns undefined if the game's sides are not known yet, or if the game cannot be identified; only the latter is
 *   reported
 */
export function readGame(given: unknown, path: string, reader: Reader): Game | undefined {
  if (!isRecord(given)) {
    reader.report(path, given);
    return undefined;
  }
  // A final whose sides are not known yet.
  if (given.id && (given.hteam ?? null) === null && (given.hteamid ?? null) === null) return undefined;
  if (given.id && (given.ateam ?? null) === null && (given.ateamid ?? null) === null) return undefined;
  const game = readMembers(given, path, reader);
  if (!isWhole(game)) {
    const missing = NEEDED.find((name) => game[name] === undefined);
    if (missing && (given[missing] ?? null) === null) reader.report(`${path}.${missing}`, null);
    return undefined;
  }
  for (const side of ['h', 'a'] as const) {
    const team = TEAMS.find(String(game[`${side}teamid`]), game.year);
    const name = given[`${side}team`];
    if (team && (typeof name !== 'string' || name.trim() === team.name)) continue;
    reader.report(`${path}.${side}teamid`, `${game[`${side}teamid`]} ${quote(name)}`);
    return undefined;
  }
  if (game.hteamid === game.ateamid) {
    reader.report(`${path}.ateamid`, game.ateamid);
    return undefined;
  }
  return game;
}

const FIRST_QUARTER = /^q(?:uarter )?1\b/iu;
const PLAYING = /^q(?:uarter )?[1-4]\b/iu;
const EXTRA_TIME = /^(?:extra time|et|q5|q6)\b/iu;
const BREAK = /(?:quarter|half|3\/4|qtr)[ -]?time|^(?:end|qt|ht|3qt)\b|^full time$/iu;

/** @returns undefined if the reply does not show the phase */
export function readPhase({ complete, timestr = '' }: Game): Phase | undefined {
  if (complete === undefined) return undefined;
  if (complete === 100) return 'over';
  return complete > 0 || FIRST_QUARTER.test(timestr) ? 'live' : 'ahead';
}

/** Returns the members that do not depend on the match's state. */
export function toFixture(game: Game): MatchInput {
  const [home, away] = [game.hteamid, game.ateamid].map((id) => TEAMS.find(String(id), game.year)!);
  const isFinal = (game.is_final ?? 0) > 0;
  const round = FINALS[game.is_final ?? 0] ?? game.roundname;
  return {
    id: String(game.id),
    sport: 'aussie-rules',
    tournament: TOURNAMENT,
    season: { label: String(game.year) },
    home: home!,
    away: away!,
    scheduled_start: wireTime(game.unixtime * 1_000),
    time_tbd: false,
    round_num: isFinal ? null : game.round,
    ...(round && { round_name: round }),
    ...(game.is_final === GRAND_FINAL && { neutral: true }),
    ...(game.venue && { venue: { name: lookUp(VENUES, game.venue) ?? game.venue, country: 'AU' } }),
  };
}

/**
 * Returns status, score, and goal and behind counts.
 * @param path where the game is in the reply, for values that are reported
 */
export function readState(game: Game, phase: Phase, path: string, reader: Reader): Partial<MatchInput> {
  if (phase === 'ahead') return { status: 'scheduled', status_detail: 'not_started' };
  const [home, away] = [readScore(game, 'h', path, reader), readScore(game, 'a', path, reader)];
  const scored: Partial<MatchInput> =
    home !== undefined && away !== undefined ? { score: { home, away }, ...statistics(game) } : {};
  const { timestr = '' } = game;
  if (phase === 'live') {
    const detail = EXTRA_TIME.test(timestr) ? 'extra_time' : BREAK.test(timestr) ? 'break' : 'in_play';
    if (timestr && detail === 'in_play' && !PLAYING.test(timestr)) reader.report(`${path}.timestr`, timestr);
    return { status: 'live', status_detail: detail, ...scored };
  }
  if (scored.score === undefined) {
    reader.report(`${path}.complete`, 'over, but without a score');
    return {};
  }
  if (game.is_final && home === away) {
    reader.report(`${path}.complete`, `a final cannot end ${home}:${away}`);
    return {};
  }
  return { status: 'finished', status_detail: 'ended', ...scored };
}

/**
 * Returns a side's points: six for a goal, one for a behind.
 * @returns undefined if neither the counts nor the points are known
 */
export function sidePoints(game: Game, side: 'h' | 'a'): number | undefined {
  const [goals, behinds] = [game[`${side}goals`], game[`${side}behinds`]];
  return goals === undefined || behinds === undefined ? game[`${side}score`] : GOAL_POINTS * goals + behinds;
}

/**
 * @returns undefined if the score is unknown, or if it contradicts the goals and the behinds; a contradiction is
 * reported
 */
function readScore(game: Game, side: 'h' | 'a', path: string, reader: Reader): number | undefined {
  const [score, made] = [game[`${side}score`], sidePoints(game, side)];
  if (score === undefined || score === made) return made;
  reader.report(
    `${path}.${side}score`,
    `${score}, and ${game[`${side}goals`]} goals and ${game[`${side}behinds`]} behinds`,
  );
  return undefined;
}

function statistics({ hgoals, hbehinds, agoals, abehinds }: Game): Pick<MatchInput, 'statistics'> {
  const [goals, behinds] = [count('ALL', 'Goals', hgoals, agoals), count('ALL', 'Behinds', hbehinds, abehinds)];
  return goals && behinds ? { statistics: [goals, behinds] } : {};
}
