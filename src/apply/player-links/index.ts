/** Exports for other rooms: player links, for commands and jobs. */
export { linkLines } from './command.ts';
export { hasUnlinkedNames, linkPlayers } from './link-players.ts';
