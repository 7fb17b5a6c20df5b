/** What widgets use of trends. */
export { DISCLAIMERS } from './disclaimers.ts';
export { type TrendEntry, trendEntry } from './trend-texts.ts';
