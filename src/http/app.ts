/** The Koa application, built from the list of routes. It contains no code for a particular feature. */
import type { RequestListener } from 'node:http';
import Koa, { type Context } from 'koa';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import type { Clock } from '../runtime/clock.ts';
import { type AdaptPage, adapted } from './adapted-page.ts';
import { type AddressConfig, createAddresses } from './address.ts';
import { createAddressLimits, findAddressLimit } from './address-rate-limit.ts';
import { asyncApiRoute } from './asyncapi.ts';
import { createAuthenticator, type FindMember } from './auth.ts';
import type { Channel } from './channel.ts';
import type { ChargeRequest } from './charge.ts';
import { corsHeaders } from './cors.ts';
import { Problem, toProblem } from './errors.ts';
import { securityHeaders, setAll, VARY } from './headers.ts';
import { createAsk } from './inner-request.ts';
import { createKeyCache, type KeyStore } from './key-cache.ts';
import { createKnownRequests } from './known-requests.ts';
import { chooseLanguage } from './language.ts';
import type { ShareOf } from './load-shedding.ts';
import { type Examples, type ListedOperation, listOperations, openApiRoute } from './openapi.ts';
import { sendProblem, sendProblemPage } from './reply.ts';
import { createRequestLog, type PlanOf } from './request-log.ts';
import { type RecordRequest, RequestRecord } from './request-record.ts';
import type { AnyRoute, RefusedPage, RouteValue } from './route.ts';
import { createResourceFinder, groupResources, type Resource } from './route-finder.ts';
import { type AccessOf, createRouteRunner } from './run-route.ts';
import { createFreeWindows } from './uncharged-limits.ts';
import type { TakeUpgrade } from './upgrade.ts';
import { createUpgradeTaker } from './upgrade-requests.ts';

export interface HttpConfig extends AddressConfig {
  feedToken: string | undefined;
}

/** The dependencies that the HTTP layer itself needs. Handlers have more. */
export interface HttpDeps {
  config: HttpConfig;
  clock: Clock;
  logger: Logger;
}

/** Routes, streams and webhooks from all roles. */
export interface Documented {
  allRoutes: readonly AnyRoute[];
  allChannels: readonly Channel[];
}

export interface HttpOptions {
  keys: KeyStore;
  /** Finds the signed-in member. Without this function, members cannot sign in. */
  findMember?: FindMember;
  /** Adapts pages to what a reader has chosen. Without this function, a page is the same for every reader. */
  adaptPage?: AdaptPage;
  /** Charges a request to the plan. Without this function, requests cost nothing. */
  chargeRequest?: ChargeRequest;
  /**
   * Returns the matches that a principal may see, or null for all. Without this function, a principal may see all
   * matches.
   */
  accessOf?: AccessOf;
  /** Returns a plan's place share. Without this function, all plans have the same share. */
  shareOf?: ShareOf;
  /** Returns the name of the plan that applies to a principal. Without this function, the account's plan applies. */
  planOf?: PlanOf;
  /** Called after the answer to a request, and at the start of a stream. */
  recordRequest?: RecordRequest;
  /**
   * Reads the routes and channels for the documents. Called when a client first requests a document. Needed if several
   * processes serve the routes. Without this function, the documents describe only `routes`.
   */
  documented?: () => Promise<Documented>;
  /**
   * Makes the routes for the page that shows the OpenAPI document, and for the files that the page loads.
   * @param list lists the document's operations. Called when a client first requests the page.
   */
  reference?: (list: () => Promise<readonly ListedOperation[]>) => readonly RouteValue<unknown>[];
  /** Examples for the OpenAPI document, read when a client first requests it. */
  examples?: () => Examples;
  /** Registry for the request metrics. */
  registry?: Registry;
}

/** Error codes that occur if the client closes the connection in the middle of a response. */
const CLIENT_GONE = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECANCELED',
  'ERR_STREAM_PREMATURE_CLOSE',
  'HPE_INVALID_EOF_STATE',
]);

const nothing = async () => {};

/**
 * Answers a path without a route. A preflight gets 204, so that the browser lets the page read the 404 that follows.
 */
function answerUnrouted(ctx: Context): void {
  const preflight = ctx.headers.origin !== undefined && ctx.headers['access-control-request-method'] !== undefined;
  if (ctx.method !== 'OPTIONS' || (!preflight && ctx.url !== '*')) {
    throw new Problem('not_found', 'There is nothing at this path.');
  }
  ctx.status = 204;
}

function refusedPage(ctx: Context, { path, querystring, baseUrl }: RequestRecord): RefusedPage {
  const lang = chooseLanguage(ctx, { lang: new URLSearchParams(querystring).get('lang') }, true);
  return { method: ctx.method, path, querystring, baseUrl, lang };
}

/** Answers a method that the path does not have. */
function answerMethod<D>(ctx: Context, { allow }: Resource<D>): void {
  ctx.res.setHeader('Allow', allow);
  if (ctx.method !== 'OPTIONS') {
    throw new Problem('method_not_allowed', `${ctx.method} is not allowed here. Allowed: ${allow}.`);
  }
  ctx.status = 204;
}

export interface App {
  /** Answers requests. */
  listener: RequestListener;
  /** Answers requests to switch protocols. */
  upgrade: TakeUpgrade;
}

/** Returns the routes with the documents about routes and streams, and the page that shows them. */
function documentRoutes(
  routes: readonly AnyRoute[],
  { documented, reference: makeReference, chargeRequest, examples }: HttpOptions,
): RouteValue<unknown>[] {
  const read = documented ?? (async () => ({ allRoutes: routes, allChannels: [] }));
  const asyncDocument = asyncApiRoute(async () => (await read()).allChannels);
  const list = async () => [...(await read()).allRoutes, ...reference, asyncDocument];
  const reference: readonly RouteValue<unknown>[] =
    makeReference?.(async () => listOperations([...(await list()), document])) ?? [];
  const document: RouteValue<unknown> = openApiRoute(async () => {
    const { allChannels: channels } = await read();
    const given = examples?.();
    return {
      routes: await list(),
      options: { charged: chargeRequest !== undefined, channels, ...(given && { examples: given }) },
    };
  });
  return [...reference, asyncDocument, document];
}

/**
 * @param routes routes from all features; the OpenAPI document is added here.
 * @param deps passed to handlers unchanged.
 * @throws {TypeError} for conflicting routes and invalid configuration.
 */
export function createApp<D extends HttpDeps>(routes: readonly RouteValue<D>[], deps: D, options: HttpOptions): App {
  const { config, clock, logger } = deps;
  const addresses = createAddresses(config, logger);
  const registry = options.registry ?? new Registry();
  const logRequest = createRequestLog(logger, registry, addresses, options.planOf);
  const record = options.recordRequest ?? (() => {});
  const limits = createAddressLimits(() => clock.now());
  const security = securityHeaders(config.baseUrl?.startsWith('https:') ?? false);
  const findKey = createKeyCache(options.keys, clock);
  const authenticate = createAuthenticator(config, findKey, clock, options.findMember);
  const freeWindows = createFreeWindows(() => clock.now());
  const chargeRequest = options.chargeRequest ?? (() => undefined);
  const app = new Koa();
  const callback: RequestListener = (request, response) => listener(request, response);
  const askFor = createAsk(() => callback);
  const { accessOf = () => null, shareOf } = options;
  const shared = { config, clock, addresses, accessOf, chargeRequest, record, logRequest };
  const known = createKnownRequests({ ...shared, findKey, registry });
  const { remember } = known;
  const runner = createRouteRunner({
    deps,
    authenticate,
    freeWindows,
    chargeRequest,
    askFor,
    accessOf,
    shareOf,
    remember,
    adaptPage: options.adaptPage,
  });
  const served: RouteValue<D>[] = [...routes, ...documentRoutes(routes, options)];
  const find = createResourceFinder(groupResources(served, security));

  function answer(ctx: Context, facts: RequestRecord): Promise<void> | undefined {
    facts.readAddress(ctx.req, addresses);
    const found = find(facts.path);
    if (found === null) {
      facts.headers.setOn(ctx.res);
      answerUnrouted(ctx);
      return undefined;
    }
    const { resource, params } = found;
    facts.matched(resource.path);
    const prepared = resource.byMethod.get(ctx.method === 'HEAD' ? 'GET' : ctx.method);
    if (prepared === undefined) {
      facts.headers.setOn(ctx.res);
      answerMethod(ctx, resource);
      return undefined;
    }
    const { inTotal, problemPage } = prepared.route;
    facts.problemPage = problemPage;
    const perAddress = findAddressLimit(prepared.route);
    if (perAddress !== undefined) limits.take(resource.path, addresses.clientIp(ctx.req), perAddress);
    if (inTotal !== undefined) limits.takeInTotal(resource.path, inTotal);
    return runner.run(ctx, prepared, params, facts);
  }

  app.use(async (ctx) => {
    const facts = new RequestRecord(ctx.req);
    facts.headers.add('X-Request-Id', facts.id);
    facts.headers.add('Vary', VARY);
    let cause: unknown;
    try {
      if (ctx.headers.origin !== undefined) await corsHeaders(ctx, nothing);
      await answer(ctx, facts);
    } catch (error) {
      const problem = toProblem(error);
      if (problem.status >= 500) cause = problem.options.cause ?? problem;
      const { problemPage } = facts;
      facts.headers.setOn(ctx.res);
      setAll(ctx.res, problemPage === undefined ? security.data : security.page);
      if (problemPage === undefined) sendProblem(ctx, problem, facts);
      else {
        const page = problemPage(problem, refusedPage(ctx, facts));
        sendProblemPage(ctx, problem, adapted(ctx, page, options.adaptPage));
      }
    }
    record(facts, ctx.status);
    if (facts.trace === null) logRequest(ctx.req, ctx.status, facts, cause);
    else facts.trace.end(ctx.status, () => logRequest(ctx.req, ctx.status, facts, cause));
  });
  app.on('error', (error: Error & { code?: string }) => {
    logger[CLIENT_GONE.has(error.code ?? '') ? 'debug' : 'error']({ err: error }, 'response aborted');
  });
  const listener = app.callback();
  return {
    upgrade: createUpgradeTaker({ deps, logger, addresses, find, runner, record, logRequest }),
    listener(request, response) {
      if (!known.answer(request, response)) listener(request, response);
    },
  };
}
