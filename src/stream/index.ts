/** Public exports: streams, for live pages. */
export type { LiveConnection, Owner } from './connection-owner.ts';
export type { Encoder } from './frame-encoder.ts';
export type { Hub } from './hub.ts';
export type { StreamMetrics } from './metrics.ts';
export { STREAM_HEADERS, takeOver } from './sse-response.ts';
export type { EventRule, StreamFilter } from './stream-filter.ts';
