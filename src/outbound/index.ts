/** Public exports: the guard for addresses that users have chosen. */
export { AddressRefused, type CheckedAddress, createGuard, type Guard } from './address-guard.ts';
export { parseAllowEntry } from './allow-list.ts';
