/** Replies about one game: its play-by-play, and its box score. Pure. */
import { fittingUpdates } from '../fitting-match.ts';
import { replyFault, withReply } from '../listed-game.ts';
import type { ProviderReply, Reading } from '../provider.ts';
import { Reader } from '../reader.ts';
import { CLUBS } from './clubs.ts';
import { gameReference } from './game.ts';
import { isEmpty, otherGame, SET_BACK, toSaid } from './lists.ts';
import { boxScoreBlocks } from './live-box-score.ts';
import { readGame } from './live-game.ts';
import { readPlays } from './live-plays.ts';
import { GAME_END, playedSeconds } from './plays.ts';
import type { EuroleagueGame, Known } from './poll-schedule.ts';
import { type BoxScoreReply, boxScoreReply, playByPlayReply } from './replies.ts';

const STARTERS = 5;

export function readPlayByPlay(
  { body, receivedAt: at }: ProviderReply,
  id: string,
  known: Known,
): Reading<Known> | string {
  const before = known.games[id];
  if (!before) return `the game ${id} is not known`;
  if (isEmpty(body)) return before.phase === 'ahead' ? { known, updates: [], unknown: [] } : 'the reply is empty';
  const parsed = playByPlayReply.safeParse(body);
  if (!parsed.success) return `${parsed.error.issues[0]!.path.join('.')}: ${parsed.error.issues[0]!.message}`;
  const wrong = otherGame(parsed.data, before);
  if (wrong !== undefined) return wrong;
  const { season, code } = before;
  const read = readGame({ season, code, playByPlay: parsed.data });
  if (typeof read === 'string') return read;
  const reader = new Reader();
  for (const warning of read.warnings) reader.report('Live', warning);
  const unchanged = (value: unknown): Reading<Known> => {
    if (value !== undefined) reader.report('Live', value);
    return { known, updates: [], unknown: reader.unknown };
  };
  const plays = readPlays(parsed.data);
  const said = toSaid(read.match, Math.max(0, ...plays.map(playedSeconds)));
  if (!said) return unchanged(undefined);
  if (said.phase === 'over' && !plays.some(({ type }) => type === GAME_END))
    return unchanged('not live, without the end of the game');
  const claim = { said, start: before.start, at, isStopped: false, setBack: SET_BACK };
  const fault = replyFault(before, claim, plays.length);
  if (fault !== undefined) return unchanged(fault);
  const next = { ...before, ...withReply(before, claim, plays.length, true) };
  if (said.mark === next.listed.mark) delete next.differsAt;
  return {
    known: { games: { ...known.games, [id]: next } },
    updates: said.phase === 'ahead' ? [] : fittingUpdates(read.match, '', reader),
    unknown: reader.unknown,
  };
}

export function readBoxScore({ body }: ProviderReply, id: string, known: Known): Reading<Known> | string {
  const game = known.games[id];
  if (!game) return `the game ${id} is not known`;
  if (isEmpty(body)) return game.phase === 'ahead' ? { known, updates: [], unknown: [] } : 'the reply is empty';
  const parsed = boxScoreReply.safeParse(body);
  if (!parsed.success) return `${parsed.error.issues[0]!.path.join('.')}: ${parsed.error.issues[0]!.message}`;
  const reply = parsed.data;
  const wrong = otherClub(reply, game);
  if (wrong !== undefined) return wrong;
  const { season, code } = game;
  const [home, away] = [CLUBS.find(game.home, season), CLUBS.find(game.away, season)];
  if (!home || !away) return CLUBS.unknown(home ? game.away : game.home);
  const { lineups, lineup_confirmed, statistics, player_stats, ...others } = boxScoreBlocks(reply);
  const hasStarters = ['home', 'away'].every(
    (side) => lineups?.filter((entry) => entry.side === side && !entry.is_substitute).length === STARTERS,
  );
  const blocks = {
    ...others,
    ...(hasStarters && { lineups: lineups!, lineup_confirmed: lineup_confirmed! }),
    // Its figures are all 0 before it begins.
    ...(game.phase !== 'ahead' && { ...(statistics && { statistics }), ...(player_stats && { player_stats }) }),
    ...(reply.Attendance && !reply.Live && game.phase !== 'ahead' && { attendance: reply.Attendance }),
  };
  if (Object.keys(blocks).length === 0) return { known, updates: [], unknown: [] };
  const reader = new Reader();
  const updates = fittingUpdates({ ...gameReference(season, code, home, away), ...blocks }, '', reader);
  return { known, updates, unknown: reader.unknown };
}

/** A box score has no codes but the ones of its players. */
function otherClub({ Stats }: BoxScoreReply, { home, away }: EuroleagueGame): string | undefined {
  for (const [index, club] of [home, away].entries()) {
    for (const { Team } of Stats[index]?.PlayersStats ?? [])
      if (typeof Team === 'string' && Team.trim() !== club) return `the players are of ${Team.trim()}, not of ${club}`;
  }
  return undefined;
}
