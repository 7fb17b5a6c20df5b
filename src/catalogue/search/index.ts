/** What commands, jobs and the portal use of search. */
export { SearchRefresh, searchLease } from './refresh.ts';
export { searchEverything } from './search.ts';
