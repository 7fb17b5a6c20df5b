/** What the importer of saved NHL replies shares with the live source. */
export { laterGame, NHL } from './game.ts';
export { landingReply, playByPlayReply, rightRailReply, scheduledGame, scheduleReply } from './replies.ts';
export { type GameReplies, readReplies } from './replies-of-game.ts';
