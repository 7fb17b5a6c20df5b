/** Public exports: transfers, for importers. */
export { type StoredTransfers, storeTransfers } from './store.ts';
export { type ListedTransfer, TRANSFER_TYPES } from './transfer.ts';
