/**
 * Types for routes. A route is a single value. The router, 422 replies, OpenAPI, the docs page and the contract tests
 * are all derived from the list of routes.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { MatchAccess } from '../wire/access.ts';
import type { Position } from '../wire/position.ts';
import type { AddressLimit } from './address-rate-limit.ts';
import type { Access, Principal } from './auth.ts';
import type { Problem, ProblemCode } from './errors.ts';
import type { Deprecation } from './headers.ts';
import type { Ask, ChargeInner } from './inner-request.ts';
import type { JoinedBody } from './joined-body.ts';
import type { KeyScope } from './key-cache.ts';
import type { Permission } from './permission.ts';
import type { BucketLimit } from './token-buckets.ts';
import type { Upgrade } from './upgrade.ts';

/** Languages in which names, texts and pages exist. */
export type Lang = 'en' | 'ru';

/** A handler's result. A `body` that is a text is sent unchanged, for example JSON that was rendered earlier. */
export interface Reply {
  status?: number;
  body: string | Buffer | JoinedBody | Readable | object | null;
  contentType?: string;
  /** The body's version, as an opaque text. Without it the HTTP layer hashes the body. */
  etag?: string;
  /** How long the reply may be cached, in seconds. Overrides the route's value. */
  maxAge?: number;
  /**
   * Set if caches in front of the service may keep the reply, provided that the request is anonymous: the tags by which
   * they can forget it (wire/cache-tags.ts), at most 16.
   */
  cacheTags?: readonly string[] | undefined;
  /** The reply's cost, for a route with `mostCost`. */
  cost?: number;
  /** True if the reply depends on the reader's time zone. */
  isZoned?: boolean;
  /**
   * Set by the reply cache, for a cached reply. Returns true as long as the reply may be sent again.
   * @param needed the position that the reply must have reached
   */
  isFresh?: (needed?: Position) => boolean;
  /** Set by the reply cache if a replica may have been read: a position at or past everything that the reply shows. */
  position?: string;
  /** Headers that replace the HTTP layer's headers with the same names. */
  headers?: Record<string, string | readonly string[]>;
  /**
   * For event streams. Takes over the response once the HTTP layer has set status and headers, before the first byte is
   * written. The HTTP layer then ignores `body`, and does not write, compress or end the response. Not called for HEAD.
   * A problem that this function throws is answered like one from the handler.
   */
  attach?: (response: ServerResponse) => void | Promise<void>;
}

/** The caller's trace. */
export interface CallerTrace {
  /** Runs the work within the caller's trace, which is trusted. */
  continued<T>(work: () => T): T;
}

/**
 * A handler's input in addition to its dependencies, such as parsed parameters and the principal. Handlers never get
 * Koa's ctx.
 */
export interface RouteInput<P, Q, B> {
  params: P;
  query: Q;
  body: B;
  /** For a route with `rawBody`: the request, whose body is still unread. Otherwise null. */
  rawBody: IncomingMessage | null;
  principal: Principal | null;
  /** The matches that the account's plan includes. Null for all. */
  access: MatchAccess | null;
  /** For a route with `form`: the form's fields. Otherwise null. */
  form: URLSearchParams | null;
  /** The client's address. */
  readonly address: string;
  /** Request headers, with lower-case names. */
  headers: Readonly<Record<string, string | undefined>>;
  requestId: string;
  /** The service's public address for links, without a trailing slash. */
  baseUrl: string;
  lang: Lang;
  /** Requests a route in this process, as the same client. */
  ask: Ask;
  /** Charges an inner request before it begins. The result is passed to `ask`. */
  charge: ChargeInner;
  /**
   * The caller's trace, for a route with the access `feed`, whose handler authenticates the caller. Null if tracing is
   * off.
   */
  trace: CallerTrace | null;
}

/** The request facts that a problem page may use. */
export interface RefusedPage {
  method: string;
  /** The request's path, still encoded. */
  path: string;
  /** The request's query, as it was sent. */
  querystring: string;
  /** The service's public address. Empty if the request named a host that is not allowed. */
  baseUrl: string;
  lang: Lang;
}

/** @typeParam G the query before it is parsed */
export interface RouteValue<D, P = unknown, Q = unknown, B = unknown, G = unknown, R = unknown> {
  /** Dependencies to which `bindRoutes` has bound the route. Without them, it gets the app's. */
  deps?: unknown;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path with `{id}` placeholders, as OpenAPI writes them. */
  path: string;
  summary: string;
  description?: string;
  tag: string;
  /**
   * Who may use the route. public: anyone. key: a client with an API key, secret or publishable, in X-API-Key (with
   * `keyInQuery` also in `?key=`). feed: a client with a feed token. account: a client with a secret key, or a
   * signed-in member. member: a signed-in member. visitor: anyone; a signed-in member is the principal. operator: a
   * member who is an operator of this service; anyone else gets 404.
   */
  access: Access['access'];
  /** The scope that a key needs. By default `account` for a route with that access, otherwise `read`. */
  scope?: KeyScope;
  /** The permission that a member's role must have. Each route about accounts that members may use declares it. */
  permission?: Permission;
  keyInQuery?: boolean;
  /** True if a WebSocket may send the key as a subprotocol (key-subprotocol.ts). */
  keyInProtocol?: boolean;
  /**
   * Set if the key may also be sent as `Authorization: Bearer`. The value is the path to the metadata (RFC 9728) that a
   * 401 names.
   */
  keyInBearer?: string;
  /**
   * Set if a member has to have given the password, a code or a passkey within the last 10 minutes. A page asks for it;
   * any other route answers `sign_in_required`. A key that may use the route needs no sign-in.
   */
  needsRecentSignIn?: true;
  /** How many requests the plan is charged for one request. */
  cost: number;
  /**
   * For a route whose cost depends on the request: the most that this query and body may cost. It is charged before the
   * handler runs, and reduced to `Reply.cost` afterwards, if the reply has one.
   */
  mostCost?: (query: Q, body: B) => number;
  cache: { maxAge: number } | 'no-store';
  /** Sent in the headers Deprecation and Sunset. */
  deprecation?: Deprecation;
  params?: z.ZodType<P>;
  /** Query schema. Defaults must be constants, because they are computed once. */
  query?: z.ZodType<Q, G>;
  /** Schema for a JSON body with at most `maxBodyBytes` (1 MiB). */
  body?: z.ZodType<B>;
  maxBodyBytes?: number;
  /** Set if the body is a form that a browser sends. It may have at most 64 KiB. */
  form?: true;
  /**
   * For a body that the handler reads from `input.rawBody`: the media types, with schemas. A body with any other media
   * type gets 415.
   */
  rawBody?: Readonly<Record<string, z.ZodType>>;
  /** Status for a reply that sets no status. The default is 200. */
  status?: 200 | 201 | 202 | 204;
  /** The strict schema for a 200 reply, or the media type if the reply is not JSON. */
  response: z.ZodType<R> | { contentType: string };
  /**
   * Name of the list in the reply whose items become the rows for `format=csv`. A route with `csv` must have the query
   * parameter `format`.
   */
  csv?: string;
  /** The schema whose members are the columns for `format=csv`. By default the schema of the list's items. */
  csvItem?: z.ZodObject;
  responseDescription?: string;
  /**
   * For the document: the headers that the handler reads, with JSON Schemas, and the headers that it sends. Headers
   * with `required` are always sent.
   */
  requestHeaders?: Readonly<Record<string, { description: string; schema: object }>>;
  responseHeaders?: Readonly<Record<string, { description: string; required: boolean }>>;
  /** True if the reply is written piece by piece, with or without an end. Such a reply has no entity tag. */
  isStream?: boolean;
  /** True if the reply is always sent whole, so that the route has no parameter `fields` (fields.ts). */
  isWhole?: boolean;
  /**
   * Query for the example request. The request is run on the sample catalogue for the document. Ids in the path come
   * from the sample.
   */
  example?: Readonly<Record<string, string>>;
  /** Body for the example request. */
  exampleBody?: object;
  /** Problem codes in addition to those that every route has. */
  errors?: readonly ProblemCode[];
  /** How many places a request takes at a slow store. The default is 1. */
  weight?: number;
  /** Rate limit per client address. The default comes from `findAddressLimit`. */
  perAddress?: AddressLimit;
  /** Rate limit per process for all addresses together. */
  inTotal?: BucketLimit;
  /** Renders problems as a page with headers, in place of `application/problem+json`. */
  problemPage?: (problem: Problem, refused: RefusedPage) => Pick<Reply, 'body' | 'headers'>;
  /**
   * Returns the reply that is sent in place of a 503. Needed because an EventSource gives up for good on any status but
   * 200.
   */
  unavailable?: () => Reply;
  /** For a GET: the protocol to which a connection may be upgraded. Requests without an upgrade go to the handler. */
  upgrade?: {
    /** Name in the Upgrade header. */
    protocol: string;
    /** @param input the request's input, or a problem that is reported in the new protocol */
    take: (connection: Upgrade, input: RouteInput<P, Q, B> | Problem, deps: D) => void;
  };
  /**
   * Set for a page, or for a file that a page loads. Such a route is served, but is not part of the OpenAPI document.
   */
  undocumented?: boolean;
  handler: (input: RouteInput<P, Q, B>, deps: D) => Promise<Reply> | Reply;
}

/** The documented part of a route value. */
export type AnyRoute = Omit<RouteValue<never>, 'handler'>;

type None = Record<string, never>;

/** A route value that keeps the types of parameters and reply, for callers that read it by `readRoute`. */
export type TypedRoute<D, P, G, R> = RouteValue<D> &
  Pick<RouteValue<D, P, unknown, unknown, G, R>, 'params' | 'query' | 'response'>;

/** Gives types to a route value: `route<Deps>()({ … })` infers params, query, body and reply from the schemas. */
export const routeFor =
  <D>() =>
  <P = None, Q = None, B = undefined, G = None, R = unknown>(
    value: RouteValue<D, P, Q, B, G, R>,
  ): TypedRoute<D, P, G, R> =>
    value as unknown as TypedRoute<D, P, G, R>;

/** Binds routes to `deps`, so that the app need not have these dependencies. */
export const bindRoutes = <D>(routes: readonly RouteValue<D>[], deps: D): RouteValue<unknown>[] =>
  routes.map(({ upgrade, ...route }) => ({
    ...route,
    ...(upgrade && {
      upgrade: { ...upgrade, take: (connection, asked) => upgrade.take(connection, asked, deps) },
    }),
    deps,
    handler: (input, given) => route.handler(input, given as D),
  }));
