/** Public exports: routes, parameters, problems, limits and caches for features. */
export { maskAddress } from './address-rate-limit.ts';
export {
  bearerToken,
  FEED_CHALLENGE,
  FEED_TOKEN_HEADER,
  type MemberPrincipal,
  type Principal,
} from './auth.ts';
export type { Channel, ClientMessage, Message, StreamChannel, WebhookChannel } from './channel.ts';
export type {
  AwaitBurst,
  Charge,
  ChargeRequest,
  NotifyWindow,
  StreamCounter,
  StreamUsage,
  WindowNotice,
} from './charge.ts';
export {
  invalidParameter,
  invalidParameters,
  type ParameterError,
  PROBLEM_CODES,
  PROBLEMS,
  Problem,
  type ProblemCode,
  rateLimited,
  serializeError,
  toProblem,
  unavailable,
} from './errors.ts';
export type { HeaderList } from './headers.ts';
export type { Answer, Ask, ChargeInner } from './inner-request.ts';
export { memberSchemas, parse as parseInput, readParams } from './input.ts';
export { type CachedItem, type ItemCache, listItem } from './item-cache.ts';
export { JoinedBody } from './joined-body.ts';
export { KEY_SCOPES, type KeyPrincipal, type KeyRecord, type KeyScope, type KeyStore } from './key-cache.ts';
export { answeredProtocol, STREAM_PROTOCOL } from './key-subprotocol.ts';
export { readTogether } from './load-shedding.ts';
export type { ListedOperation } from './openapi.ts';
export { parseOrigin } from './origin.ts';
export { NO_MATCH } from './page-cache.ts';
export type { Permission, Role } from './permission.ts';
export {
  bool,
  commaList,
  cursor,
  date,
  externalIdsParam,
  format,
  idList,
  idParam,
  idParams,
  integer,
  lang,
  limit,
  MAX_INTEGER,
  offset,
  oneValue,
  sportSlug,
  text,
  timeParam,
  timeZone,
} from './query.ts';
export type { AheadPage } from './read-ahead.ts';
export { findByRoute, readRoute } from './read-route.ts';
export { isRecentlyProved } from './recent-sign-in.ts';
export type { VersionedReply } from './reply-cache.ts';
export { readJson } from './request-body.ts';
export { RequestRecord } from './request-record.ts';
export { retryAfter } from './retry-after.ts';
export {
  type AnyRoute,
  bindRoutes,
  type CallerTrace,
  type Lang,
  type RefusedPage,
  type Reply,
  type RouteInput,
  type RouteValue,
  routeFor,
} from './route.ts';
export { type StaticFile, staticFile } from './static-file.ts';
export { type BucketLimit, type Buckets, createBuckets } from './token-buckets.ts';
export { leaveHttp, type Upgrade } from './upgrade.ts';
