/** Public exports: storing the entries of registers, and linking them to our entities. */
export { doubtsAsCsv } from './doubts.ts';
export { type RegisterEntity, type RegisterEntry, storeEntries } from './entries.ts';
export { linkRegisters } from './link.ts';
