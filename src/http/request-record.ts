/** Collects facts about one request. Each step that handles the request adds what it finds. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { MatchAccess } from '../wire/access.ts';
import type { Addresses } from './address.ts';
import type { Principal } from './auth.ts';
import { type HeaderList, PendingHeaders } from './headers.ts';
import { hidesKey } from './hidden-keys.ts';
import { checkPath, readTarget } from './input.ts';
import { type RequestTrace, traceRequest } from './request-trace.ts';
import type { RouteValue } from './route.ts';

const ACCEPTED_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

export type RecordRequest = (facts: RequestRecord, status: number) => void;

export class RequestRecord {
  /**
   * The client's X-Request-Id, if it is well-formed and does not contain a key. Otherwise a new id, because the id is
   * logged.
   */
  readonly id: string;
  /** Time by `performance.now()`, in ms. */
  readonly startedAt = performance.now();
  #path = '/';
  #querystring = '';
  #baseUrl = '';
  #request: IncomingMessage;
  #addresses: Addresses | null = null;
  #route: string | null = null;
  #principal: Principal | null = null;
  #access: MatchAccess | null = null;
  /** Number of requests that the plan is charged for this request. 0 if it is free, or not charged yet. */
  cost = 0;
  /** Response headers, if the response is sent by HTTP. */
  readonly headers = new PendingHeaders();
  /** Headers with the account's limits, if the response is sent by another protocol. */
  limitHeaders: HeaderList = [];
  /** The request's span. Null if tracing is off. */
  readonly trace: RequestTrace | null;
  /** How the route renders problems. Undefined for the standard form. */
  problemPage: RouteValue<never>['problemPage'];

  /** @param sent value of X-Request-Id */
  constructor(request: IncomingMessage, sent: string | string[] | undefined = request.headers['x-request-id']) {
    this.#request = request;
    const isAccepted = typeof sent === 'string' && ACCEPTED_REQUEST_ID.test(sent) && !hidesKey(sent);
    this.id = isAccepted ? sent : randomUUID();
    this.trace = traceRequest(request, this);
  }

  /** Path without the query, still encoded. */
  get path(): string {
    return this.#path;
  }

  get querystring(): string {
    return this.#querystring;
  }

  /** The service's public address, without a trailing slash. */
  get baseUrl(): string {
    return this.#baseUrl;
  }

  /** The client's address. */
  get address(): string {
    return this.#addresses?.clientIp(this.#request) ?? '';
  }

  /** The route's path with placeholders. Null until a route has matched. */
  get route(): string | null {
    return this.#route;
  }

  /** Null before the request is authenticated, and for anonymous requests. */
  get principal(): Principal | null {
    return this.#principal;
  }

  /** The matches that the account's plan includes. Null for all. */
  get access(): MatchAccess | null {
    return this.#access;
  }

  /**
   * Reads the request target and Host.
   * @throws {Problem} bad_request if the target or the host is malformed, or if the host is not allowed
   */
  readAddress(request: IncomingMessage, addresses: Addresses): void {
    const { path, querystring } = readTarget(request.url!);
    this.#path = path;
    this.#querystring = querystring;
    checkPath(path);
    this.#baseUrl = addresses.baseUrl(request);
    this.#addresses = addresses;
  }

  matched(route: string): void {
    this.#route = route;
  }

  /** Records the facts about a request that is answered without reading its target. */
  answeredBefore(route: string, addresses: Addresses): void {
    this.#route = route;
    this.#addresses = addresses;
  }

  authenticated(principal: Principal | null, access: MatchAccess | null): void {
    this.#principal = principal;
    this.#access = access;
  }
}
