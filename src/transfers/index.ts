/** Public exports: transfers, for importers and pages. */
export { movesRead, type Transfer, transfersRead } from './queries.ts';
export { type StoredTransfers, storeTransfers } from './store.ts';
export { type ListedTransfer, TRANSFER_TYPES } from './transfer.ts';
