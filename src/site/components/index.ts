/** Public exports: components that several pages use. */
export { contactLink } from './contact.ts';
export { heads, scrollTable, shortHead } from './scroll-table.ts';
export { dateTime, logTime } from './time.ts';
