/** Public exports: statistics, for pages. */
export {
  participantVersion,
  participantVersionRead,
  tournamentVersion,
  tournamentVersionRead,
} from './cache-versions.ts';
export { goalMinutesRead } from './goal-minutes.ts';
export { type Leader, leadersRead, STATS, type Stat, seasonLeaders, seasonTotalsRead } from './leaders.ts';
export { type MissingPlayer, missingCardRead, missingPlayersRead } from './missing-players.ts';
export {
  dropWrongFigures,
  lastSeasonsRead,
  playerSeasonsRead,
  rebuildSeasonFigures,
  refreshStaleSeason,
  withFreshFigures,
} from './season-figures.ts';
export { type ShownSquad, squadRead } from './squad.ts';
export { type ShownStatistics, shownStatistics, statisticsNamesRead } from './statistics.ts';
