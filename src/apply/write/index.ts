/** Exports for other rooms: cards to render again, and prices to load. */
export { drainCardRefresh, queueRefresh } from './card-refresh.ts';
export { moveQueuedPrices, queuedPrices, removePrices } from './price-queue.ts';
