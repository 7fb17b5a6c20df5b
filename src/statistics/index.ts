/** Public exports: statistics, for pages. */
export {
  participantVersion,
  participantVersionRead,
  tournamentVersion,
  tournamentVersionRead,
} from './cache-versions.ts';
export { type CricketFigures, leastBalls, toCricketFigures } from './cricket-figures.ts';
export { goalMinutesRead } from './goal-minutes.ts';
export { firstStat, type Leader, leadersRead, STATS, type Stat, seasonLeaders, seasonTotalsRead } from './leaders.ts';
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
export { careerFigures, type ShownStatistics, shownStatistics, statisticsNamesRead } from './statistics.ts';
