/** Public exports. The importer of saved replies shares this code with the live source. */
export { laterGame, NHL, NHL_TEAMS } from './game.ts';
export {
  landingReply,
  playByPlayReply,
  rightRailReply,
  type ScheduleReply,
  scheduledGame,
  scheduleReply,
} from './replies.ts';
export { type GameReplies, readReplies } from './replies-of-game.ts';
