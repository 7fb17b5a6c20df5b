/**
 * The schedule of a season, and the header of a game: both know the state of a game, its header the score and the minute, too. The
 * plays know more. Pure.
 */
import type { MatchUpdateInput } from '../../wire/feed-update.ts';
import { fittingUpdates } from '../fitting-match.ts';
import { entryFault, type Said, withEntry } from '../listed-game.ts';
import { nearGames } from '../polled-game.ts';
import type { ProviderReply, ProviderUpdate, Reading } from '../provider.ts';
import { isRecord, Reader } from '../reader.ts';
import { gameId } from './game.ts';
import { readGame } from './live-game.ts';
import type { EuroleagueGame, Known } from './poll-schedule.ts';
import { headerReply, scheduledGame, scheduleReply } from './replies.ts';
import { readScheduledGame } from './schedule.ts';

type Match = MatchUpdateInput['match'];

/** Referees set the clock back by less, in seconds. */
export const SET_BACK = 30;
const REGULAR_MINUTES = 40;

/** The state of a match as an update gives it. @returns undefined if it gives none */
export function toSaid({ status, score }: Match, played: number): Said | undefined {
  if (!status) return undefined;
  const phase = ({ scheduled: 'ahead', live: 'live', finished: 'over' } as const)[status];
  const { home, away } = score ?? { home: 0, away: 0 };
  return { phase, mark: phase === 'ahead' ? phase : `${phase} ${home}:${away}`, played, home, away };
}

/** @param season that the request asks for, its first year */
export function readSchedule(
  { body, receivedAt: at }: ProviderReply,
  season: number,
  known: Known,
): Reading<Known> | string {
  const parsed = scheduleReply.safeParse(body);
  if (!parsed.success) return 'the reply has no list of games';
  const reader = new Reader();
  const games = { ...known.games };
  const updates: ProviderUpdate[] = [];
  let others = 0;
  for (const [index, given] of parsed.data.data.entries()) {
    const path = `data[${index}]`;
    const game = reader.item(scheduledGame, given, path);
    if (!game) continue;
    if (game.season.year !== season) {
      others += 1;
      reader.report(`${path}.season.year`, game.season.year);
      continue;
    }
    const read = readScheduledGame(game);
    if (typeof read === 'string') {
      reader.report(path, read);
      continue;
    }
    for (const warning of read.warnings) reader.report(path, warning);
    const id = gameId(season, game.gameCode);
    const before = games[id];
    const said = toSaid(read.match, 0);
    // The schedule does not know which games are live.
    if (said?.phase === 'ahead' && before && before.phase !== 'ahead') continue;
    const start = Date.parse(game.utcDate);
    if (!said) {
      if (!before) updates.push(...fittingUpdates(read.match, path, reader));
      continue;
    }
    const claim = { said, start, at, isStopped: false, setBack: SET_BACK };
    const fault = entryFault(before, claim);
    if (fault !== undefined) {
      reader.report(`${path}.played`, fault);
      continue;
    }
    // The score of a result is the same in all replies: what else is new in it may be applied.
    const isNews = said.phase === 'ahead' || said.mark === before?.applied?.mark;
    const { game: next, isApplied } = withEntry(before, claim, isNews, true);
    const named = { season, code: game.gameCode, home: game.local.club.code.trim(), away: game.road.club.code.trim() };
    games[id] = { ...before, ...next, ...named };
    if (isApplied) updates.push(...fittingUpdates(read.match, path, reader));
  }
  if (others > 0 && others === parsed.data.data.length) return `the reply is of another season than E${season}`;
  return { known: { games: nearGames(games, at) }, updates, unknown: reader.unknown };
}

/** Before a game begins, its replies may be empty. */
export const isEmpty = (body: unknown): boolean =>
  body === null || body === '' || (isRecord(body) && Object.keys(body).length === 0);

/** Returns why a reply is about another game than the requested one. */
export function otherGame(
  reply: { CodeTeamA: string; CodeTeamB: string; CompetitionReducedName?: unknown },
  { season, home, away }: EuroleagueGame,
): string | undefined {
  const competition = reply.CompetitionReducedName;
  if (typeof competition === 'string' && competition.trim() !== `E${season}`)
    return `the reply is of ${competition.trim()}, not of E${season}`;
  return reply.CodeTeamA === home && reply.CodeTeamB === away
    ? undefined
    : `the teams are ${reply.CodeTeamA} and ${reply.CodeTeamB}, not ${home} and ${away}`;
}

const seconds = (time: string | null | undefined): number => {
  const parts = /^(\d+):(\d\d)$/u.exec(time ?? '');
  return parts ? Number(parts[1]) * 60 + Number(parts[2]) : 0;
};

export function readHeader({ body, receivedAt: at }: ProviderReply, id: string, known: Known): Reading<Known> | string {
  const before = known.games[id];
  if (!before) return `the game ${id} is not known`;
  if (isEmpty(body)) return before.phase === 'ahead' ? { known, updates: [], unknown: [] } : 'the reply is empty';
  const parsed = headerReply.safeParse(body);
  if (!parsed.success) return `${parsed.error.issues[0]!.path.join('.')}: ${parsed.error.issues[0]!.message}`;
  const wrong = otherGame(parsed.data, before);
  if (wrong !== undefined) return wrong;
  const { season, code } = before;
  const read = readGame({ season, code, header: parsed.data });
  if (typeof read === 'string') return read;
  const reader = new Reader();
  for (const warning of read.warnings) reader.report('ScoreA', warning);
  const played = seconds(parsed.data.GameTime);
  const said = toSaid(read.match, played);
  const isForfeit = read.match.status_detail === 'awarded';
  const fault =
    said?.phase === 'over' && !isForfeit && played < REGULAR_MINUTES * 60
      ? `not live after ${parsed.data.GameTime ?? 'no time'}`
      : undefined;
  if (fault !== undefined || !said) {
    if (fault !== undefined) reader.report('Live', fault);
    return { known, updates: [], unknown: reader.unknown };
  }
  const start = read.match.scheduled_start ? Date.parse(read.match.scheduled_start) : before.start;
  const claim = { said, start, at, isStopped: false, setBack: SET_BACK };
  const stale = entryFault(before, claim);
  if (stale !== undefined) {
    reader.report('Live', stale);
    return { known, updates: [], unknown: reader.unknown };
  }
  const isNews = said.phase === 'ahead' && !before.hasHeader;
  const { game, isApplied } = withEntry(before, claim, isNews, true);
  const { home, away } = before;
  const next: EuroleagueGame = { ...before, ...game, season, code, home, away, hasHeader: true };
  if (!('differsAt' in game)) delete next.differsAt;
  const match = isApplied ? read.match : besideState(read.match, before);
  return {
    known: { games: { ...known.games, [id]: next } },
    updates: match ? fittingUpdates(match, '', reader) : [],
    unknown: reader.unknown,
  };
}

/** The minute of a live game whose score is the one of its plays. */
function besideState(match: Match, { applied }: EuroleagueGame): Match | undefined {
  const { id, sport, tournament, season, home, away, status, minute, score } = match;
  const agrees = score && score.home === applied?.home && score.away === applied.away && applied.phase === 'live';
  if (status !== 'live' || minute === undefined || !agrees) return undefined;
  return { id, sport, tournament, season, home, away, status, minute };
}
