/** Public exports. The importer of saved replies shares this code with the live source. */
export { playerStats, sideFigures } from './box-score.ts';
export { CLUBS } from './clubs.ts';
export {
  EUROLEAGUE,
  gameId,
  gameReference,
  isForfeit,
  namedRound,
  PHASES,
  type Phase,
  playOffRound,
  readPhase,
  tableRound,
} from './game.ts';
export { type GameReplies, readGame } from './live-game.ts';
export { personName } from './player-name.ts';
export { elapsedSeconds, momentum, type Play, type Player, periodScores, pointIncidents } from './plays.ts';
export {
  boxScoreReply,
  headerReply,
  playByPlayReply,
  type ScheduleReply,
  scheduledGame,
  scheduleReply,
} from './replies.ts';
export { readScheduledGame } from './schedule.ts';
export { sideStatistics } from './side-statistics.ts';
