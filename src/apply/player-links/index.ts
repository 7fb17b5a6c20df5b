/** What commands and jobs use of player links. */
export { linkLines } from './command.ts';
export { hasUnlinkedNames, linkPlayers } from './link-players.ts';
