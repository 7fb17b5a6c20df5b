/** Public exports: recording and reading usage. */
export { startUsageMover } from './move-to-clickhouse.ts';
export { readUsage, readWindows, requestsToday, type UsageRow, type WindowState } from './read-usage.ts';
export { usageRoutes } from './routes.ts';
export { countWebhooks } from './usage-queries.ts';
export { UsageRecorder } from './usage-recorder.ts';
