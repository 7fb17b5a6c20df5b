/** Public exports: search, for commands, jobs and the portal. */
export { SearchRefresh, searchLease } from './refresh.ts';
export { searchEverything, searchParticipants } from './search.ts';
