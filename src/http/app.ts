/** The Koa application, derived from the list of routes; it knows no feature. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import Koa, { type Context } from 'koa';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { type AddressConfig, createAddresses } from './address.ts';
import { createAuthenticator, type KeyStore } from './auth.ts';
import type { ChargeRequest } from './charge.ts';
import { docsRoutes } from './docs.ts';
import { Problem, toProblem } from './errors.ts';
import { corsHeaders, securityHeaders, setAll, VARY } from './headers.ts';
import { checkPath, readTarget } from './input.ts';
import { type AnyRoute, openApiRoute } from './openapi.ts';
import { sendProblem } from './reply.ts';
import { createRequestRecorder } from './request-log.ts';
import { createResourceFinder, type Resource, resourcesOf } from './resource.ts';
import type { RouteValue } from './route.ts';
import { createRouteRunner, type RequestFacts } from './run-route.ts';
import type { TakeUpgrade } from './upgrade.ts';

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

export interface KitOptions {
  keys: KeyStore;
  /** Nothing is counted without it. */
  chargeRequest?: ChargeRequest;
  /** What the OpenAPI document describes, where other processes serve a part of it. */
  documented?: readonly AnyRoute[];
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
const SWITCHING_PROTOCOLS = 101;

function requestIdOf(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && SANE_REQUEST_ID.test(sent) ? sent : randomUUID();
}

const factsOf = ({ headers }: IncomingMessage): RequestFacts => ({
  id: requestIdOf(headers['x-request-id']),
  baseUrl: '',
  path: '/',
  querystring: '',
  route: null,
  principal: null,
});

/** A listener that keeps nothing else alive. */
function destroySelf(this: Duplex): void {
  this.destroy();
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
export function createApp<D extends KitDeps>(
  routes: readonly RouteValue<D>[],
  deps: D,
  options: KitOptions,
): Koa & { upgrade: TakeUpgrade } {
  const { config, clock, logger } = deps;
  const addresses = createAddresses(config);
  const record = createRequestRecorder(logger, options.registry ?? new Registry());
  const security = securityHeaders(config.baseUrl?.startsWith('https:') ?? false);
  const anonymousSessions = config.demo || config.publicSite;
  const authenticate = createAuthenticator({ ...config, anonymousSessions }, options.keys, clock);
  const runner = createRouteRunner(deps, authenticate, options.chargeRequest ?? (() => undefined));

  const served: RouteValue<D>[] = [...routes, ...docsRoutes];
  const documented = options.documented ?? routes;
  const find = createResourceFinder(resourcesOf([...served, openApiRoute([...documented, ...docsRoutes])], security));

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
    else await runner.run(ctx, prepared, params, facts);
  }

  function log(
    request: IncomingMessage,
    status: number,
    { id, route, principal }: RequestFacts,
    start: number,
    error: unknown,
  ): void {
    const key = principal !== null && principal.kind !== 'session' ? principal : undefined;
    record({
      requestId: id,
      method: request.method!,
      url: request.url!,
      route,
      status,
      durationMs: performance.now() - start,
      ip: addresses.clientIp(request),
      accountId: key?.accountId,
      keyId: key?.keyId,
      error,
    });
  }

  const app = new Koa();
  app.use(async (ctx) => {
    const start = performance.now();
    const facts = factsOf(ctx.req);
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
    log(ctx.req, ctx.status, facts, start, cause);
  });
  app.on('error', (error: Error & { code?: string }) => {
    logger[CLIENT_GONE.has(error.code ?? '') ? 'debug' : 'error']({ err: error }, 'an answer was not sent whole');
  });

  /** What asks for a protocol that the route at its path offers; null: to be answered as any other request. */
  function upgradeOf(request: IncomingMessage, facts: RequestFacts) {
    try {
      Object.assign(facts, readTarget(request.url!));
      checkPath(facts.path);
      facts.baseUrl = addresses.baseUrl(request);
    } catch {
      return null;
    }
    const found = find(facts.path);
    const prepared = found?.resource.byMethod.get(request.method!);
    const upgrade = prepared?.route.upgrade;
    if (upgrade === undefined || upgrade.protocol !== request.headers.upgrade?.toLowerCase()) return null;
    facts.route = found!.resource.path;
    return { prepared: prepared!, params: found!.params, take: upgrade.take };
  }

  const upgrade: TakeUpgrade = (connection) => {
    const start = performance.now();
    const { request, socket } = connection;
    const facts = factsOf(request);
    const asked = upgradeOf(request, facts);
    if (asked === null) return false;
    // Until the other protocol listens.
    socket.on('error', destroySelf);
    runner
      .admit(request, asked.prepared, asked.params, facts)
      .catch(toProblem)
      .then((input) => {
        const failed = input instanceof Problem;
        const cause = failed && input.status >= 500 ? (input.options.cause ?? input) : undefined;
        log(request, failed ? input.status : SWITCHING_PROTOCOLS, facts, start, cause);
        asked.take(connection, input, deps);
      })
      .catch((error: unknown) => {
        logger.error({ err: error }, 'a connection could not leave HTTP');
        socket.destroy();
      });
    return true;
  };
  return Object.assign(app, { upgrade });
}
