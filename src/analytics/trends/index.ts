/** Public exports: trend texts for widgets. */
export { DISCLAIMERS } from './disclaimers.ts';
export { type TrendEntry, trendEntry } from './trend-texts.ts';
