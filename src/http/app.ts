/** The Koa application, derived from the list of routes; it knows no feature. */
import { randomUUID } from 'node:crypto';
import Koa, { type Context } from 'koa';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { type AddressConfig, createAddresses } from './address.ts';
import { createAuthenticator, type KeyStore, type Principal } from './auth.ts';
import { docsRoutes } from './docs.ts';
import { Problem, toProblem } from './errors.ts';
import { corsHeaders, type HeaderList, securityHeaders, setAll, VARY } from './headers.ts';
import { checkPath, readTarget } from './input.ts';
import { openApiRoute } from './openapi.ts';
import { sendProblem } from './reply.ts';
import { createRequestRecorder } from './request-log.ts';
import { createResourceFinder, type Resource, resourcesOf } from './resource.ts';
import type { RouteValue } from './route.ts';
import { createRouteRunner, type RequestFacts } from './run-route.ts';

export interface KitConfig extends AddressConfig {
  secretKeys: readonly string[];
  feedToken: string | undefined;
  demo: boolean;
  publicSite: boolean;
}

/** The part of what handlers get that the kit needs itself. */
export interface KitDeps {
  config: KitConfig;
  clock: { now(): number };
  logger: Logger;
}

/** What a request took from the plan's windows. */
export interface Charge {
  /** RateLimit and RateLimit-Policy. */
  headers: HeaderList;
  /** Called for a 304, which costs nothing. */
  refund(): void;
}
/** Throws Problem rate_limited or quota_exceeded where nothing is left; undefined where nothing is counted. */
export type ChargeRequest = (principal: Principal, cost: number) => Charge | undefined;

export interface KitOptions {
  keys: KeyStore;
  /** Nothing is counted without it. */
  chargeRequest?: ChargeRequest;
  /** Where the measurements of requests go. */
  registry?: Registry;
}

const SANE_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
/** How a client that goes away in the middle of an answer shows. */
const CLIENT_GONE = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECANCELED',
  'ERR_STREAM_PREMATURE_CLOSE',
  'HPE_INVALID_EOF_STATE',
]);

const nothing = async () => {};

function requestIdOf(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && SANE_REQUEST_ID.test(sent) ? sent : randomUUID();
}

/** No route has this path: a preflight is answered all the same, so that the browser gets to see the 404. */
function answerUnrouted(ctx: Context): void {
  const preflight = ctx.headers.origin !== undefined && ctx.headers['access-control-request-method'] !== undefined;
  if (ctx.method !== 'OPTIONS' || (!preflight && ctx.url !== '*')) {
    throw new Problem('not_found', 'There is nothing at this path.');
  }
  ctx.status = 204;
}

/** The path is known, the method is not one of its routes'. */
function answerMethod<D>(ctx: Context, { allow }: Resource<D>): void {
  ctx.res.setHeader('Allow', allow);
  if (ctx.method !== 'OPTIONS') {
    throw new Problem('method_not_allowed', `${ctx.method} is not allowed here; allowed are ${allow}.`);
  }
  ctx.status = 204;
}

/**
 * @param routes of all features; the OpenAPI document and its page are added here.
 * @param deps what handlers get.
 * @throws {TypeError} for routes or configuration that contradict themselves.
 */
export function createApp<D extends KitDeps>(routes: readonly RouteValue<D>[], deps: D, options: KitOptions): Koa {
  const { config, clock, logger } = deps;
  const addresses = createAddresses(config);
  const record = createRequestRecorder(logger, options.registry ?? new Registry());
  const security = securityHeaders(config.baseUrl?.startsWith('https:') ?? false);
  const anonymousSessions = config.demo || config.publicSite;
  const authenticate = createAuthenticator({ ...config, anonymousSessions }, options.keys, clock);
  const run = createRouteRunner(deps, authenticate, options.chargeRequest ?? (() => undefined));

  const served: RouteValue<D>[] = [...routes, ...docsRoutes];
  const find = createResourceFinder(resourcesOf([...served, openApiRoute(served)], security));

  async function answer(ctx: Context, facts: RequestFacts): Promise<void> {
    if (ctx.headers.origin !== undefined) await corsHeaders(ctx, nothing);
    const { path, querystring } = readTarget(ctx.url);
    facts.path = path;
    facts.querystring = querystring;
    checkPath(path);
    facts.baseUrl = addresses.baseUrl(ctx.req);
    const found = find(path);
    if (found === null) return answerUnrouted(ctx);
    const { resource, params } = found;
    facts.route = resource.path;
    const prepared = resource.byMethod.get(ctx.method === 'HEAD' ? 'GET' : ctx.method);
    if (prepared === undefined) answerMethod(ctx, resource);
    else await run(ctx, prepared, params, facts);
  }

  function log(ctx: Context, { id, route, principal }: RequestFacts, start: number, error: unknown): void {
    const key = principal !== null && principal.kind !== 'session' ? principal : undefined;
    record({
      requestId: id,
      method: ctx.method,
      url: ctx.url,
      route,
      status: ctx.status,
      durationMs: performance.now() - start,
      ip: addresses.clientIp(ctx.req),
      accountId: key?.accountId,
      keyId: key?.keyId,
      error,
    });
  }

  const app = new Koa();
  app.use(async (ctx) => {
    const start = performance.now();
    const facts: RequestFacts = {
      id: requestIdOf(ctx.headers['x-request-id']),
      baseUrl: '',
      path: '/',
      querystring: '',
      route: null,
      principal: null,
    };
    ctx.res.setHeader('X-Request-Id', facts.id);
    ctx.res.setHeader('Vary', VARY);
    let cause: unknown;
    try {
      await answer(ctx, facts);
    } catch (error) {
      const problem = toProblem(error);
      if (problem.status >= 500) cause = problem.options.cause ?? problem;
      setAll(ctx.res, security.data);
      sendProblem(ctx, problem, facts);
    }
    log(ctx, facts, start, cause);
  });
  app.on('error', (error: Error & { code?: string }) => {
    logger[CLIENT_GONE.has(error.code ?? '') ? 'debug' : 'error']({ err: error }, 'an answer was not sent whole');
  });
  return app;
}
