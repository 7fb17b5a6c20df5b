/** Reads replies about one game: live feed and box score. Pure. */
import type { MatchInput } from '../../wire/feed-update.ts';
import { gameReader } from '../game-updates.ts';
import { replyFault, withReply } from '../listed-game.ts';
import type { Reader } from '../reader.ts';
import { isSameScore, type Score, totalScore } from '../side.ts';
import { boxScoreBlocks } from './box-score.ts';
import { gameReference, readState, type State, toState } from './game.ts';
import { inningScores, readCommentary, readIncidents } from './plays.ts';
import { FINAL_AFTER_MS, type MlbGame } from './poll-schedule.ts';
import { boxScoreReply, type FeedReply, feedReply, type LineScore, type Play, play } from './replies.ts';
import { toMark } from './schedule.ts';

const OUTS = 3;
/** How many outs a review may take back. */
const SET_BACK = 2;

export const readFeed = gameReader({ schema: feedReply }, (reply, before: MlbGame, into, id) => {
  const wrong = otherGame(reply, id, before);
  if (wrong !== undefined) return wrong;
  const reference = gameReference({ ...before, gamePk: Number(id) });
  if (typeof reference === 'string') return reference;
  const { at } = into;
  const { status } = reply.gameData;
  const state = readState(status);
  if (!state) return into.unread('gameData.status.codedGameState', status.codedGameState);
  const { linescore: lines } = reply.liveData;
  const score = totals(lines);
  const isFinal = state.phase === 'over' && isPastRevision(before, at);
  const claim = {
    said: {
      phase: isFinal ? ('final' as const) : state.phase,
      mark: toMark(state, score),
      played: playedHalves(lines) * OUTS + (lines.outs ?? 0),
      home: score?.home ?? 0,
      away: score?.away ?? 0,
    },
    start: before.start,
    at,
    isStopped: state.isStopped,
    setBack: SET_BACK,
  };
  const order = Number(reply.metaData.timeStamp.replace('_', ''));
  const isOlder = before.read !== undefined && order < before.read.order;
  const fault = isOlder ? 'an earlier time stamp than before' : replyFault(before, claim, order);
  if (fault !== undefined) return into.unread('gameData.status.codedGameState', fault);
  const read = toState(state, score);
  if (typeof read === 'string') into.report('liveData.linescore', read);
  const isRead = typeof read !== 'string';
  const { wait } = reply.metaData;
  const { currentInning } = lines;
  const next: MlbGame = {
    ...before,
    ...withReply(before, claim, order, isRead),
    isStopped: state.isStopped,
    ...(typeof wait === 'number' && { wait }),
    ...(currentInning && { inning: currentInning }),
  };
  if (claim.said.mark === next.listed.mark) delete next.differsAt;
  into.games[id] = next;
  into.add({
    ...reference,
    ...(isRead && read),
    ...(isRead && isFinal && { finalized: true }),
    ...(isRead && state.phase !== 'ahead' && scoring(reply, state, score, into)),
  });
  return into.reading();
});

function otherGame(reply: FeedReply, id: string, { home, away }: MlbGame): string | undefined {
  if (String(reply.gamePk) !== id) return `the reply is of game ${reply.gamePk}, not of ${id}`;
  const { teams } = reply.gameData;
  return teams.home.id === home && teams.away.id === away
    ? undefined
    : `the teams are ${teams.home.id} and ${teams.away.id}, not ${home} and ${away}`;
}

/** True if a game ended so long ago that its result is final. */
const isPastRevision = ({ endedAt, phase }: MlbGame, at: number): boolean =>
  phase === 'final' || (endedAt !== undefined && at >= endedAt + FINAL_AFTER_MS);

function totals({ teams }: LineScore): Score | null {
  const [home, away] = [teams?.home?.runs, teams?.away?.runs];
  return typeof home === 'number' && typeof away === 'number' ? { home, away } : null;
}

/** Returns how many half-innings were played before the present one. */
const playedHalves = ({ currentInning, isTopInning }: LineScore): number =>
  currentInning ? (currentInning - 1) * 2 + (isTopInning === false ? 1 : 0) : 0;

/**
 * Returns innings, incidents and commentary. Innings that do not add up to the score are left out. Once the game is
 * over, incidents that do not add up are left out, too.
 */
function scoring(reply: FeedReply, state: State, score: Score | null, reader: Reader): Partial<MatchInput> {
  const { allPlays } = reply.liveData.plays;
  const plays = allPlays.map((one, index) => reader.item(play, one, `liveData.plays.allPlays[${index}]`));
  const known = plays.filter((one): one is Play => one !== undefined);
  const isOver = state.phase === 'over';
  const innings = inningScores(reply.liveData.linescore);
  const isComplete = (sum: Score, path: string) => {
    const agrees = isSameScore(sum, score);
    if (!agrees && isOver) reader.report(path, `adds up to ${sum.home}:${sum.away}`);
    return agrees;
  };
  const isForfeit = state.status_detail === 'awarded';
  const { incidents, score: made, isWrong } = readIncidents(known, isOver);
  if (isWrong) reader.report('liveData.plays.allPlays', 'the running score falls');
  const hasAll = known.length === plays.length && !isWrong;
  const isBehind = score !== null && (score.home < made.home || score.away < made.away);
  if (hasAll && state.phase === 'live' && isBehind)
    reader.report(
      'liveData.linescore.teams',
      `${score.home}:${score.away}, and ${made.home}:${made.away} by the plays`,
    );
  return {
    // The plays have more runs than the line score, and no run was taken back, so the plays' score is newer.
    ...(hasAll && state.phase === 'live' && isBehind && { score: made }),
    ...(!isForfeit && isComplete(totalScore(innings), 'liveData.linescore.innings') && { period_scores: innings }),
    ...(known.length === plays.length && withCommentary(known)),
    // In a live game, incidents need not add up to the score, because the score may be ahead of the plays.
    ...(hasAll && (!isOver || isForfeit || isComplete(made, 'liveData.plays.allPlays')) && { incidents }),
  };
}

function withCommentary(plays: readonly Play[]): Partial<MatchInput> {
  const commentary = readCommentary(plays);
  return commentary.length > 0 ? { commentary } : {};
}

export const readBoxScore = gameReader({ schema: boxScoreReply }, (reply, game: MlbGame, into, id) => {
  const { home, away } = reply.teams;
  if (home.team.id !== game.home || away.team.id !== game.away)
    return `the teams are ${home.team.id} and ${away.team.id}, not ${game.home} and ${game.away}`;
  const reference = gameReference({ ...game, gamePk: Number(id) });
  if (typeof reference === 'string') return reference;
  const blocks = boxScoreBlocks(reply, into);
  if (game.phase === 'ahead') {
    // All figures are 0 before the first pitch.
    delete blocks.statistics;
    delete blocks.player_stats;
  }
  if (Object.keys(blocks).length > 0) into.add({ ...reference, ...blocks });
  return into.reading();
});
