/** Exports for other rooms: search, for commands, jobs and the portal. */
export { SearchRefresh, searchLease } from './refresh.ts';
export { searchEverything } from './search.ts';
