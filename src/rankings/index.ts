/** Public exports: reading and storing rankings. */
export { isRankingKind, KIND_NAMES, kindFacts, marginKind, type RankingKind } from './kinds.ts';
export { publishedKinds } from './ranking-movement.ts';
export { type RatingHistory, ratingRead } from './rating-history.ts';
export type { ListedEntry, Snapshot } from './snapshot.ts';
export { type RankedSnapshot, removeOtherDays, replaceEntries, type StoredSnapshot, storeSnapshot } from './store.ts';
