/**
 * A route is one value. The router, 422 replies, OpenAPI, the docs page and the contract tests are derived from the
 * list of routes.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { MatchAccess } from '../wire/access.ts';
import type { AddressLimit } from './address-rate-limit.ts';
import type { Access, Principal } from './auth.ts';
import type { Problem, ProblemCode } from './errors.ts';
import type { Deprecation } from './headers.ts';
import type { Ask, ChargeInner } from './inner-request.ts';
import type { BucketLimit } from './token-buckets.ts';
import type { Upgrade } from './upgrade.ts';

/** Languages that names, texts and pages have. */
export type Lang = 'en' | 'ru';

/** Handler result. A text `body` is sent unchanged (JSON that was rendered earlier). */
export interface Reply {
  status?: number;
  body: string | Buffer | Readable | object | null;
  contentType?: string;
  /** Opaque body version. Without it the HTTP layer hashes text and objects. */
  etag?: string;
  /** Seconds. Overrides the route's value. */
  maxAge?: number;
  /** Override the headers that the HTTP layer sets. */
  headers?: Record<string, string | readonly string[]>;
  /**
   * Takes over the response after the HTTP layer has set status and headers, and before the first byte is written
   * (event streams). The HTTP layer then neither writes, compresses nor ends the response, and `body` is ignored. Not
   * called for HEAD. A problem that it throws is answered like one from the handler.
   */
  attach?: (response: ServerResponse) => void | Promise<void>;
}

/** The caller's trace. */
export interface CallerTrace {
  /** Runs the work within the caller's trace, which is trusted. */
  continued<T>(work: () => T): T;
}

/** The handler's input besides dependencies: parsed input and the principal, never Koa's ctx. */
export interface RouteInput<P, Q, B> {
  params: P;
  query: Q;
  body: B;
  /** The unread request for a route with `rawBody`, else null. */
  rawBody: IncomingMessage | null;
  principal: Principal | null;
  /** The matches that the account's plan includes. Null for all. */
  access: MatchAccess | null;
  /** The form fields, for a route with `form`, else null. */
  form: URLSearchParams | null;
  /** The client's address. */
  readonly address: string;
  /** Request headers, with lower-case names. */
  headers: Readonly<Record<string, string | undefined>>;
  requestId: string;
  /** The public address for links, without a trailing slash. */
  baseUrl: string;
  lang: Lang;
  /** Requests another route in this process, as the same client. */
  ask: Ask;
  /** Charges such a request before it begins. The result is passed to `ask`. */
  charge: ChargeInner;
  /** For a route with the access `feed`, whose handler checks who asks. Null if tracing is off. */
  trace: CallerTrace | null;
}

/** The request facts that a problem page may use. */
export interface RefusedPage {
  method: string;
  /** Still encoded. */
  path: string;
  /** As it was sent. */
  querystring: string;
  /** The public address. Empty if the request named a host that is not allowed. */
  baseUrl: string;
  lang: Lang;
}

/** @typeParam G the query as it is given, before it is parsed */
export interface RouteValue<D, P = unknown, Q = unknown, B = unknown, G = unknown, R = unknown> {
  /** Dependencies to which `bindRoutes` has bound the route. Without them it takes the app's. */
  deps?: unknown;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With `{id}` placeholders, as OpenAPI writes them. */
  path: string;
  summary: string;
  description?: string;
  tag: string;
  /**
   * public: anyone. key: an API key, secret or publishable, in X-API-Key (`keyInQuery`: `?key=` too). feed: the feed
   * token. account: a secret key, or a signed-in member. member: only the latter. visitor: anyone, with the signed-in
   * member as the principal. operator: a member who is an operator of this service. Everyone else gets 404.
   */
  access: Access['access'];
  keyInQuery?: boolean;
  /** True if a WebSocket may send the key as a subprotocol (key-subprotocol.ts). */
  keyInProtocol?: boolean;
  /**
   * The key may be sent as `Authorization: Bearer` too. The value is the path to the metadata (RFC 9728) that a 401
   * names.
   */
  keyInBearer?: string;
  /** Number of requests charged to the plan. */
  cost: number;
  cache: { maxAge: number } | 'no-store';
  /** Sent as Deprecation and Sunset headers. */
  deprecation?: Deprecation;
  params?: z.ZodType<P>;
  /** Defaults must be constants, because they are computed once. */
  query?: z.ZodType<Q, G>;
  /** Schema for a JSON body with at most `maxBodyBytes` (1 MiB). */
  body?: z.ZodType<B>;
  maxBodyBytes?: number;
  /** The body is a form that a browser sends, with at most 64 KiB. */
  form?: true;
  /**
   * Media types, with schemas, for a body that the handler reads from `input.rawBody`. Any media type not named gets
   * 415.
   */
  rawBody?: Readonly<Record<string, z.ZodType>>;
  /** Status for a reply that sets none, by default 200. */
  status?: 200 | 201 | 202 | 204;
  /** The strict schema for a 200 reply, or the media type if the reply is not JSON. */
  response: z.ZodType<R> | { contentType: string };
  /** Name of the list in the reply that `format=csv` gives as rows. The query then has the parameter `format`. */
  csv?: string;
  responseDescription?: string;
  /**
   * For the document: headers that the handler reads, with JSON Schema, and headers that it sends, always if
   * `required`.
   */
  requestHeaders?: Readonly<Record<string, { description: string; schema: object }>>;
  responseHeaders?: Readonly<Record<string, { description: string; required: boolean }>>;
  /** The reply is endless, so it has no entity tag. */
  isStream?: boolean;
  /**
   * Query for the example request, which is run on the sample catalogue for the document. Ids in the path come from the
   * sample.
   */
  example?: Readonly<Record<string, string>>;
  /** Body for the example request. */
  exampleBody?: object;
  /** Problem codes besides the ones that every route has. */
  errors?: readonly ProblemCode[];
  /** Places that a request takes at a slow store, by default 1. */
  weight?: number;
  /** Rate limit per client address. The default comes from `findAddressLimit`. */
  perAddress?: AddressLimit;
  /** Rate limit per process for all addresses together. */
  inTotal?: BucketLimit;
  /** Renders a page instead of `application/problem+json`, with status and headers. */
  problemPage?: (problem: Problem, refused: RefusedPage) => Pick<Reply, 'body' | 'headers'>;
  /** Reply instead of a 503, because an EventSource gives up for good on any status but 200. */
  unavailable?: () => Reply;
  /** For a GET, the protocol to which a connection may be upgraded. Requests without an upgrade go to the handler. */
  upgrade?: {
    /** Name in the Upgrade header. */
    protocol: string;
    /** @param input request input, or the problem with it, to be reported in the new protocol */
    take: (connection: Upgrade, input: RouteInput<P, Q, B> | Problem, deps: D) => void;
  };
  /** A page or a file for one, which is served without being part of the OpenAPI document. */
  undocumented?: boolean;
  handler: (input: RouteInput<P, Q, B>, deps: D) => Promise<Reply> | Reply;
}

/** The documented part of a route value. */
export type AnyRoute = Omit<RouteValue<never>, 'handler'>;

type None = Record<string, never>;

/** A route that still has the types of parameters and reply, for those who read it by `readRoute`. */
export type TypedRoute<D, P, G, R> = RouteValue<D> &
  Pick<RouteValue<D, P, unknown, unknown, G, R>, 'params' | 'query' | 'response'>;

/** Gives a route value types, since `route<Deps>()({ … })` infers params, query, body and reply from the schemas. */
export const routeFor =
  <D>() =>
  <P = None, Q = None, B = undefined, G = None, R = unknown>(
    value: RouteValue<D, P, Q, B, G, R>,
  ): TypedRoute<D, P, G, R> =>
    value as unknown as TypedRoute<D, P, G, R>;

/** Binds routes to `deps`, for routes that need no further dependencies. */
export const bindRoutes = <D>(routes: readonly RouteValue<D>[], deps: D): RouteValue<unknown>[] =>
  routes.map(({ upgrade, ...route }) => ({
    ...route,
    ...(upgrade && {
      upgrade: { ...upgrade, take: (connection, asked) => upgrade.take(connection, asked, deps) },
    }),
    deps,
    handler: (input, given) => route.handler(input, given as D),
  }));
