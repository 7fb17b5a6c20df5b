/** Public exports: components that several pages use. */
export { contactLink } from './contact.ts';
export { english, nameText } from './english.ts';
export { FLAG, flag, flagFile, flagPath } from './flag.ts';
export { pageTabs } from './page-tabs.ts';
export { heads, scrollTable, shortHead } from './scroll-table.ts';
export { dateTime, logTime, utcTime } from './time.ts';
