/** What other rooms use of written matches: cards to refresh, prices to load. */
export { drainCardRefresh, queueRefresh } from './card-refresh.ts';
export { moveQueuedPrices, queuedPrices, removePrices } from './price-queue.ts';
