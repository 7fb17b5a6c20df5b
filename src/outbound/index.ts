/** Public exports: the guard for addresses that users have chosen, and requests through it. */
export { AddressRefused, type CheckedAddress, createGuard, type Guard } from './address-guard.ts';
export { parseAllowEntry } from './allow-list.ts';
export { type GuardedFetch, guardedFetch, RequestFailed } from './guarded-fetch.ts';
