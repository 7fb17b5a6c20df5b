/** Public exports: coverage, for jobs. */
export { coverageLease } from './queries.ts';
export { CoverageRefresh } from './refresh.ts';
