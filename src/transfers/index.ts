/** What importers store of transfers. */
export { type StoredTransfers, storeTransfers } from './store.ts';
export { type ListedTransfer, TRANSFER_TYPES, type TransferType } from './transfer.ts';
