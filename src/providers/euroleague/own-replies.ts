/** Reads replies about one game: play-by-play and box score. Pure. */
import { gameReader } from '../game-updates.ts';
import { replyFault, withReply } from '../listed-game.ts';
import { CLUBS } from './clubs.ts';
import { gameReference } from './game.ts';
import { otherGame, SET_BACK, toSaid } from './lists.ts';
import { boxScoreBlocks } from './live-box-score.ts';
import { readGame } from './live-game.ts';
import { readPlays } from './live-plays.ts';
import { GAME_END, playedSeconds } from './plays.ts';
import type { EuroleagueGame } from './poll-schedule.ts';
import { type BoxScoreReply, boxScoreReply, playByPlayReply } from './replies.ts';

const STARTERS = 5;

export const readPlayByPlay = gameReader(
  { schema: playByPlayReply, mayBeEmpty: true },
  (reply, before: EuroleagueGame, into, id) => {
    const wrong = otherGame(reply, before);
    if (wrong !== undefined) return wrong;
    const { season, code } = before;
    const read = readGame({ season, code, playByPlay: reply });
    if (typeof read === 'string') return read;
    into.warn('Live', read.warnings);
    const plays = readPlays(reply);
    const said = toSaid(read.match, Math.max(0, ...plays.map(playedSeconds)));
    if (!said) return into.reading();
    if (said.phase === 'over' && !plays.some(({ type }) => type === GAME_END))
      return into.unread('Live', 'not live, although the plays do not have the end of the game');
    const claim = { said, start: before.start, at: into.at, isStopped: false, setBack: SET_BACK };
    const fault = replyFault(before, claim, plays.length);
    if (fault !== undefined) return into.unread('Live', fault);
    const next = { ...before, ...withReply(before, claim, plays.length, true) };
    if (said.mark === next.listed.mark) delete next.differsAt;
    into.games[id] = next;
    if (said.phase !== 'ahead') into.add(read.match);
    return into.reading();
  },
);

export const readBoxScore = gameReader(
  { schema: boxScoreReply, mayBeEmpty: true },
  (reply, game: EuroleagueGame, into) => {
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
      // All figures are 0 before the game begins.
      ...(game.phase !== 'ahead' && { ...(statistics && { statistics }), ...(player_stats && { player_stats }) }),
      ...(reply.Attendance && !reply.Live && game.phase !== 'ahead' && { attendance: reply.Attendance }),
    };
    if (Object.keys(blocks).length > 0) into.add({ ...gameReference(season, code, home, away), ...blocks });
    return into.reading();
  },
);

/**
 * Returns a fault if players belong to a club that does not play in the game. A box score names clubs only with the
 * players.
 */
function otherClub({ Stats }: BoxScoreReply, { home, away }: EuroleagueGame): string | undefined {
  for (const [index, club] of [home, away].entries()) {
    for (const { Team } of Stats[index]?.PlayersStats ?? [])
      if (typeof Team === 'string' && Team.trim() !== club) return `the players are of ${Team.trim()}, not of ${club}`;
  }
  return undefined;
}
