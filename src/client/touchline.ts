/** The package entry, with all that runs in both browsers and Node. It is also served as /client/touchline.js. */
export type * from './api.ts';
export { ApiError } from './problem.ts';
export type { Client, ClientOptions, ParamsOf, PathOf, ReplyOf, RequestOptions } from './rest.ts';
export { createClient } from './rest.ts';
export type { StreamEvent, StreamHandle, StreamOptions, StreamState, SyncPage } from './stream.ts';
export { openStream } from './stream.ts';
