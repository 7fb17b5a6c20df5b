/**
 * Reads a season's schedule and a game's header. Both give a game's state. Only the header gives a live score and the
 * minute. The play-by-play has more detail. Pure.
 */
import type { MatchInput } from '../../wire/feed-update.ts';
import { GameUpdates, gameReader } from '../game-updates.ts';
import { entryFault, type Said, withEntry } from '../listed-game.ts';
import type { ProviderReply, Reading } from '../provider.ts';
import { gameId } from './game.ts';
import { readGame } from './live-game.ts';
import type { EuroleagueGame, Known } from './poll-schedule.ts';
import { headerReply, scheduledGame, scheduleReply } from './replies.ts';
import { readScheduledGame } from './schedule.ts';

/** Maximum time by which referees set the clock back, in seconds. */
export const SET_BACK = 30;
const REGULAR_MINUTES = 40;

/**
 * Returns the match state that an update gives.
 * @returns undefined if the update has no status
 */
export function toSaid({ status, score }: MatchInput, played: number): Said | undefined {
  if (!status) return undefined;
  const phase = ({ scheduled: 'ahead', live: 'live', finished: 'over' } as const)[status];
  const { home, away } = score ?? { home: 0, away: 0 };
  return { phase, mark: phase === 'ahead' ? phase : `${phase} ${home}:${away}`, played, home, away };
}

/** @param season first year of the requested season */
export function readSchedule(
  { body, receivedAt: at }: ProviderReply,
  season: number,
  known: Known,
): Reading<Known> | string {
  const parsed = scheduleReply.safeParse(body);
  if (!parsed.success) return 'the reply has no list of games';
  const into = new GameUpdates(known.games, at);
  let others = 0;
  for (const [index, given] of parsed.data.data.entries()) {
    const path = `data[${index}]`;
    const game = into.item(scheduledGame, given, path);
    if (!game) continue;
    if (game.season.year !== season) {
      others += 1;
      into.report(`${path}.season.year`, game.season.year);
      continue;
    }
    const read = readScheduledGame(game);
    if (typeof read === 'string') {
      into.report(path, read);
      continue;
    }
    into.warn(path, read.warnings);
    const id = gameId(season, game.gameCode);
    const before = into.games[id];
    const said = toSaid(read.match, 0);
    // The schedule shows a live game as a fixture, so an entry without a result is ignored once the game has begun.
    if (said?.phase === 'ahead' && before && before.phase !== 'ahead') continue;
    const start = Date.parse(game.utcDate);
    if (!said) {
      if (!before) into.add(read.match, path);
      continue;
    }
    const claim = { said, start, at, isStopped: false, setBack: SET_BACK };
    const fault = entryFault(before, claim);
    if (fault !== undefined) {
      into.report(`${path}.played`, fault);
      continue;
    }
    // If this entry has the mark that was applied last, all replies agree on the final score. Only other members can be
    // new, so the entry may be applied at once.
    const isNews = said.phase === 'ahead' || said.mark === before?.applied?.mark;
    const { game: next, isApplied } = withEntry(before, claim, isNews, true);
    const named = { season, code: game.gameCode, home: game.local.club.code.trim(), away: game.road.club.code.trim() };
    into.games[id] = { ...before, ...next, ...named };
    if (isApplied) into.add(read.match, path);
  }
  if (others > 0 && others === parsed.data.data.length) return `the reply is of another season than E${season}`;
  return into.nearReading();
}

/** Returns a fault if a reply is about another game than the requested one. */
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

export const readHeader = gameReader(
  { schema: headerReply, mayBeEmpty: true },
  (header, before: EuroleagueGame, into, id) => {
    const wrong = otherGame(header, before);
    if (wrong !== undefined) return wrong;
    const { season, code } = before;
    const read = readGame({ season, code, header });
    if (typeof read === 'string') return read;
    into.warn('ScoreA', read.warnings);
    const played = seconds(header.GameTime);
    const said = toSaid(read.match, played);
    const isForfeit = read.match.status_detail === 'awarded';
    if (!said) return into.reading();
    if (said.phase === 'over' && !isForfeit && played < REGULAR_MINUTES * 60)
      return into.unread('Live', `not live after ${header.GameTime ?? 'no time'}`);
    const start = read.match.scheduled_start ? Date.parse(read.match.scheduled_start) : before.start;
    const claim = { said, start, at: into.at, isStopped: false, setBack: SET_BACK };
    const stale = entryFault(before, claim);
    if (stale !== undefined) return into.unread('Live', stale);
    const isNews = said.phase === 'ahead' && !before.hasHeader;
    const { game, isApplied } = withEntry(before, claim, isNews, true);
    const { home, away } = before;
    const next: EuroleagueGame = { ...before, ...game, season, code, home, away, hasHeader: true };
    if (!('differsAt' in game)) delete next.differsAt;
    const match = isApplied ? read.match : besideState(read.match, before);
    into.games[id] = next;
    if (match) into.add(match);
    return into.reading();
  },
);

/** Returns the minute of a live game, if the header's score equals the plays' score. */
function besideState(match: MatchInput, { applied }: EuroleagueGame): MatchInput | undefined {
  const { id, sport, tournament, season, home, away, status, minute, score } = match;
  const agrees = score && score.home === applied?.home && score.away === applied.away && applied.phase === 'live';
  if (status !== 'live' || minute === undefined || !agrees) return undefined;
  return { id, sport, tournament, season, home, away, status, minute };
}
