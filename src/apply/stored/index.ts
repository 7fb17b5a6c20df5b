/** Exports for other rooms: stored matches, for corrections and the feed. */
export { loadBlocks, parseList } from './blocks.ts';
export type { FieldGroup, MatchState } from './match-state.ts';
export { begunProvidersSql, type Correction, type IncidentPlayers, LEAD, observedAtSql } from './provenance.ts';
export { lockMatches, type StoredMatch } from './stored-match.ts';
