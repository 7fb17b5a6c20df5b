/** Runs one request on one route: authentication, quota, input, handler, reply. */
import type { IncomingMessage } from 'node:http';
import { parseCookie } from 'cookie';
import type { Context } from 'koa';
import type { MatchAccess } from '../wire/access.ts';
import type { Authenticate, Credentials, Principal } from './auth.ts';
import { type ChargeRequest, isFree } from './charge.ts';
import { toProblem } from './errors.ts';
import type { FreeWindows } from './free-windows.ts';
import { setAll } from './headers.ts';
import type { Ask } from './inner-request.ts';
import {
  checkMediaType,
  prefersStrict,
  type RawQuery,
  readBody,
  readForm,
  readParams,
  readQueryString,
} from './input.ts';
import { sendReply } from './reply.ts';
import type { RequestRecord } from './request-record.ts';
import type { Prepared } from './resource.ts';
import type { RouteInput, RouteValue } from './route.ts';
import { gatedDeps, type ShareOf } from './store-gate.ts';

function credentials(
  method: string,
  headers: Credentials['headers'],
  query: RawQuery | null,
  facts: RequestRecord,
): Credentials {
  const key = query?.key;
  const queryKey = typeof key === 'object' ? key.join() : key;
  return { method, headers, queryKey, baseUrl: facts.baseUrl, address: () => facts.address };
}

const DEFAULT_MAX_BODY_BYTES = 1_048_576;

/** Keeps the language that a reader has chosen on a page, for a year. */
const LANGUAGE_COOKIE = 'touchline_lang';
const LANGUAGE_SECONDS = 31_536_000;

function chooseLanguage(ctx: Context, query: unknown, isPage: boolean): 'en' | 'ru' {
  const { lang } = query as { lang?: unknown };
  if (lang === 'en' || lang === 'ru') return lang;
  if (isPage && ctx.headers.cookie !== undefined) {
    const chosen = parseCookie(ctx.headers.cookie)[LANGUAGE_COOKIE];
    if (chosen === 'en' || chosen === 'ru') return chosen;
  }
  if (ctx.headers['accept-language'] === undefined) return 'en';
  return ctx.acceptsLanguages('en', 'ru') === 'ru' ? 'ru' : 'en';
}

const languageCookie = (lang: string, baseUrl: string) =>
  `${LANGUAGE_COOKIE}=${lang}; Path=/; Max-Age=${LANGUAGE_SECONDS}; SameSite=Lax${baseUrl.startsWith('https:') ? '; Secure' : ''}`;

async function readInput<D>(
  ctx: Context,
  { route, query, isPage }: Prepared<D>,
  path: Record<string, string>,
  raw: RawQuery | null,
  facts: RequestRecord,
  ask: Ask,
) {
  const strict = prefersStrict(ctx.headers.prefer);
  if (strict) ctx.res.setHeader('Preference-Applied', 'handling=strict');
  const params = readParams(route.params, path);
  const checked = query.read(raw, strict);
  const ignored = query.ignored(raw);
  if (ignored !== null) ctx.res.setHeader('X-Ignored-Parameters', ignored);
  const input: RouteInput<unknown, unknown, unknown> = {
    params,
    query: checked,
    body: undefined,
    rawBody: null,
    form: null,
    principal: facts.principal,
    access: facts.access,
    get address() {
      return facts.address;
    },
    headers: ctx.headers as Readonly<Record<string, string | undefined>>,
    requestId: facts.id,
    baseUrl: facts.baseUrl,
    lang: chooseLanguage(ctx, checked, isPage),
    ask,
    trace: facts.trace,
  };
  if (route.rawBody !== undefined) {
    checkMediaType(ctx.req, Object.keys(route.rawBody));
    input.rawBody = ctx.req;
  } else if (route.form === true) {
    input.form = await readForm(ctx.req);
  } else if (route.body !== undefined) {
    input.body = await readBody(route.body, ctx.req, route.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES);
  }
  return input;
}

/** Returns the matches that an account's plan includes; null: all. */
export type AccessOf = (principal: Principal) => MatchAccess | null;

export interface RouteRunner<D> {
  /**
   * Authenticates and checks a request for another protocol, whose only input is its query.
   * @throws {Problem}
   */
  admit(
    request: IncomingMessage,
    prepared: Prepared<D>,
    path: Record<string, string>,
    facts: RequestRecord,
  ): Promise<RouteInput<unknown, unknown, unknown>>;
  /** Answers a request. @throws {Problem} */
  run(ctx: Context, prepared: Prepared<D>, path: Record<string, string>, facts: RequestRecord): Promise<void>;
}

export function createRouteRunner<D>(
  deps: D,
  authenticate: Authenticate,
  freeWindows: FreeWindows,
  chargeRequest: ChargeRequest,
  askFor: (request: IncomingMessage, requestId: string) => Ask,
  accessOf: AccessOf = () => null,
  shareOf: ShareOf = () => 1,
): RouteRunner<D> {
  const depsFor = gatedDeps(deps, shareOf);

  async function admit(
    request: IncomingMessage,
    { route, query }: Prepared<D>,
    path: Record<string, string>,
    facts: RequestRecord,
  ): Promise<RouteInput<unknown, unknown, unknown>> {
    const raw = facts.querystring === '' ? null : readQueryString(facts.querystring);
    const principal = await authenticate(route, credentials('GET', request.headers, raw, facts));
    facts.authenticated(principal, principal === null ? null : accessOf(principal));
    const charge = principal === null ? undefined : await chargeRequest(principal, route.cost, () => facts.address);
    facts.cost = route.cost;
    if (charge !== undefined) facts.limitHeaders = charge.headers;
    return {
      params: readParams(route.params, path),
      query: query.read(raw, prefersStrict(request.headers.prefer)),
      body: undefined,
      rawBody: null,
      form: null,
      principal,
      access: facts.access,
      get address() {
        return facts.address;
      },
      headers: request.headers as Readonly<Record<string, string | undefined>>,
      requestId: facts.id,
      baseUrl: facts.baseUrl,
      lang: 'en',
      ask: askFor(request, facts.id),
      trace: facts.trace,
    };
  }

  async function answer(
    ctx: Context,
    prepared: Prepared<D>,
    path: Record<string, string>,
    facts: RequestRecord,
  ): Promise<void> {
    const route: RouteValue<D> = prepared.route;
    setAll(ctx.res, prepared.headers);
    const raw = facts.querystring === '' ? null : readQueryString(facts.querystring);
    const readAddress = () => facts.address;
    const pending = authenticate(route, credentials(ctx.method, ctx.headers, raw, facts));
    // Awaited only if it is a promise: a turn of the event loop per request is not free.
    const principal = pending instanceof Promise ? await pending : pending;
    facts.authenticated(principal, principal === null ? null : accessOf(principal));
    freeWindows.enter(route, principal, readAddress);
    const charging = principal === null ? undefined : chargeRequest(principal, route.cost, readAddress);
    const charge = charging instanceof Promise ? await charging : charging;
    facts.cost = route.cost;
    if (charge !== undefined) setAll(ctx.res, charge.headers);
    const makeFree = () => {
      facts.cost = 0;
      if (charge !== undefined) setAll(ctx.res, charge.refund());
    };
    try {
      const input = await readInput(ctx, prepared, path, raw, facts, askFor(ctx.req, facts.id));
      const { trace } = facts;
      const isUntraced = trace === null || route.access === 'feed';
      const handle = () => route.handler(input, depsFor(route, principal));
      const made = await (isUntraced ? handle() : trace.within(handle));
      const isCsv = prepared.toCsv !== null && (input.query as { format?: string }).format === 'csv';
      const reply = isCsv ? prepared.toCsv!(made) : made;
      // Problems are always in English.
      if (prepared.query.known.has('lang')) ctx.res.setHeader('Content-Language', input.lang);
      // A reply that the browser keeps would set the cookie again.
      if (prepared.isPage && route.cache === 'no-store' && (input.query as { lang?: string }).lang !== undefined)
        ctx.res.appendHeader('Set-Cookie', languageCookie(input.lang, facts.baseUrl));
      await sendReply(ctx, prepared, reply, (bytes) => {
        if (freeWindows.isUnchangedFree(principal, bytes, readAddress)) makeFree();
      });
    } catch (error) {
      if (isFree(toProblem(error).status)) makeFree();
      throw error;
    }
  }

  return {
    admit,
    async run(ctx, prepared, path, facts) {
      try {
        await answer(ctx, prepared, path, facts);
      } catch (error) {
        const { unavailable } = prepared.route;
        if (unavailable === undefined || toProblem(error).status !== 503) throw error;
        await sendReply(ctx, prepared, unavailable());
      }
    },
  };
}
