/** What jobs use of coverage. */
export { coverageLease } from './queries.ts';
export { CoverageRefresh } from './refresh.ts';
