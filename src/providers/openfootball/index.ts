/** Public exports. The importer of files shares this code with the live source. */
export { goalIncidents, periodAt } from './goals.ts';
export { findLeague, type League, OPENFOOTBALL, seasonOfTitle } from './league.ts';
export { findTeam, readMatch, readState } from './match.ts';
export { type OpenScore, parseScore } from './score.ts';
