/** Exports for other rooms: applying updates. */
export { applyUpdates, retried, timeFaults } from './apply.ts';
export type { ApplyDeps, ApplyOptions, ApplyResult, MatchDeps } from './interface.ts';
export { matchFaults } from './match-updates.ts';
export { type Rejection, storeRejections } from './rejections.ts';
