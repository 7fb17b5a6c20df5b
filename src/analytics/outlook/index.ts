/** Public exports: season outlooks. */
export type { SideOutlook } from './outlook.ts';
export { OutlookRefresh } from './refresh-outlooks.ts';
export { newestOutlook, type OutlookDay, outlookHistory, type StoredOutlook } from './stored-outlooks.ts';
