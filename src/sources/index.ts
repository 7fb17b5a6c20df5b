/** Public exports: requests to public sources. */
export { backoff } from './backoff.ts';
export { readEvents, type SourceEvent } from './event-stream.ts';
export { createSourceMetrics, type PolledMetrics, type SourceMetrics } from './metrics.ts';
export {
  endBackoff,
  type NotUnderstood,
  type PolledSource,
  polledSources,
  retireSources,
  type SourceReport,
  saveReport,
  usedBudgets,
} from './queries.ts';
export { type Reply, readReply, requestJson, requestText, type Validators } from './request.ts';
export { type Outcome, type RequestResult, Source, type SourceOptions } from './source.ts';
export { SourceError } from './source-error.ts';
