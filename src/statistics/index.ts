/** Public exports: statistics, for pages. */
export { participantVersion, tournamentVersion } from './cache-versions.ts';
export { goalMinutes } from './goal-minutes.ts';
export { STATS, type Stat } from './leaders.ts';
export { dropWrongFigures, rebuildSeasonFigures, refreshStaleSeason } from './season-figures.ts';
export { listStatistics } from './statistics.ts';
