/** Public exports: season outlooks. */
export type { SideOutlook } from './outlook.ts';
export { OutlookRefresh } from './refresh-outlooks.ts';
export { newestOutlookRead, type OutlookDay, outlookHistoryRead, type StoredOutlook } from './stored-outlooks.ts';
