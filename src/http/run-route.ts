/** Handles one request on one route: authentication, quota, input, handler and reply. */
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { readMember } from '../runtime/unknown-values.ts';
import type { MatchAccess } from '../wire/access.ts';
import { type AdaptPage, adapted } from './adapted-page.ts';
import type { Authenticate, Credentials, Principal } from './auth.ts';
import { type ChargeRequest, isFree } from './charge.ts';
import { toProblem } from './errors.ts';
import { type Ask, type ChargeInner, chargedBefore } from './inner-request.ts';
import { prefersStrict, type RawQuery, readParams, readQueryString } from './input.ts';
import type { KnownRequests } from './known-requests.ts';
import { chooseLanguage, languageCookie } from './language.ts';
import { gatedDeps, type ShareOf } from './load-shedding.ts';
import { routeAtPosition, withPosition } from './read-positions.ts';
import { sendReply } from './reply.ts';
import { checkMediaType, readBody, readForm } from './request-body.ts';
import { RequestCharge } from './request-charge.ts';
import type { RequestRecord } from './request-record.ts';
import type { Reply, RouteInput, RouteValue } from './route.ts';
import type { Prepared } from './route-finder.ts';
import type { FreeWindows } from './uncharged-limits.ts';

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

type Input = RouteInput<unknown, unknown, unknown>;

/** Returns a request's input without the body. */
const withoutBody = (
  headers: IncomingMessage['headers'],
  given: Pick<Input, 'params' | 'query' | 'lang' | 'ask' | 'charge'>,
  facts: RequestRecord,
): Input => ({
  params: given.params,
  query: given.query,
  body: undefined,
  rawBody: null,
  form: null,
  principal: facts.principal,
  access: facts.access,
  address: facts.address,
  headers: headers as Readonly<Record<string, string | undefined>>,
  requestId: facts.id,
  baseUrl: facts.baseUrl,
  lang: given.lang,
  ask: given.ask,
  charge: given.charge,
  trace: facts.trace,
});

/** @returns a promise only if a body has to be read */
function readInput<D>(
  ctx: Context,
  { route, query, isPage }: Prepared<D>,
  { path, raw }: { path: Record<string, string>; raw: RawQuery | null },
  facts: RequestRecord,
  inner: Pick<Input, 'ask' | 'charge'>,
): Input | Promise<Input> {
  const strict = prefersStrict(ctx.headers.prefer);
  if (strict) facts.headers.add('Preference-Applied', 'handling=strict');
  const params = readParams(route.params, path);
  const checked = query.read(raw, strict);
  const ignored = query.ignored(raw);
  if (ignored !== null) facts.headers.add('X-Ignored-Parameters', ignored);
  const lang = chooseLanguage(ctx, checked, isPage);
  const input = withoutBody(ctx.headers, { params, query: checked, lang, ...inner }, facts);
  if (route.rawBody !== undefined) {
    checkMediaType(ctx.req, Object.keys(route.rawBody));
    input.rawBody = ctx.req;
  } else if (route.form === true || route.body !== undefined) {
    return withBody(ctx.req, route, input);
  }
  return input;
}

async function withBody<D>(
  request: IncomingMessage,
  { form, body, maxBodyBytes = DEFAULT_MAX_BODY_BYTES }: RouteValue<D>,
  input: Input,
): Promise<Input> {
  if (form === true) input.form = await readForm(request);
  else if (body !== undefined) input.body = await readBody(body, request, maxBodyBytes);
  return input;
}

/** Returns the matches that an account's plan includes, or null for all. */
export type AccessOf = (principal: Principal) => MatchAccess | null;

/**
 * Returns the function that charges inner requests. A WebSocket keeps this function, so the function must not keep the
 * request in memory.
 */
const chargeMore =
  (chargeRequest: ChargeRequest, principal: Principal | null, readAddress: () => string): ChargeInner =>
  async (cost, awaitBurst) =>
    principal === null ? undefined : chargeRequest(principal, cost, readAddress, awaitBurst);
const always = (address: string) => () => address;

/** Adds the reply's language. A problem is always in English, and has no such header. */
function addLanguage(
  { headers, baseUrl }: RequestRecord,
  { query, isPage, route }: Prepared<never>,
  input: Input,
): void {
  if (query.known.has('lang')) headers.add('Content-Language', input.lang);
  // A reply that the browser caches must not have the cookie, because each use of the cached reply would set the cookie again.
  if (isPage && route.cache === 'no-store' && readMember(input.query, 'lang') !== undefined)
    headers.add('Set-Cookie', languageCookie(input.lang, baseUrl));
}

/** Returns the reply with the members, and in the format, that the request asks for. */
function inForm<D>(
  { select, toCsv }: Prepared<D>,
  reply: Reply,
  fields: readonly string[] | null,
  isCsv: boolean,
): Reply {
  const selected = fields === null ? reply : select!(reply, fields);
  return isCsv ? toCsv!(selected, fields) : selected;
}

export interface RouteRunner<D> {
  /**
   * Authenticates and checks a request to switch protocols. Such a request has no input except path and query.
   * @throws {Problem}
   */
  admit(
    request: IncomingMessage,
    prepared: Prepared<D>,
    path: Record<string, string>,
    facts: RequestRecord,
  ): Promise<Input>;
  /** Answers a request. @throws {Problem} */
  run(ctx: Context, prepared: Prepared<D>, path: Record<string, string>, facts: RequestRecord): Promise<void>;
}

type AskFor = (request: IncomingMessage, requestId: string) => Ask;

/**
 * Returns the functions with which a request's handler can request routes, and charge the account for these requests.
 */
const innerRequests =
  (askFor: AskFor, chargeRequest: ChargeRequest) =>
  (
    request: IncomingMessage,
    facts: RequestRecord,
    readAddress = () => facts.address,
  ): Pick<Input, 'ask' | 'charge'> => ({
    ask: askFor(request, facts.id),
    charge: chargeMore(chargeRequest, facts.principal, readAddress),
  });

export interface RouteRunnerOptions<D> {
  /** Dependencies that handlers get. */
  deps: D;
  authenticate: Authenticate;
  freeWindows: FreeWindows;
  chargeRequest: ChargeRequest;
  askFor: AskFor;
  accessOf?: AccessOf | undefined;
  shareOf?: ShareOf | undefined;
  adaptPage?: AdaptPage | undefined;
  /** Called after a reply from memory has been written. */
  remember: KnownRequests['remember'];
}

export function createRouteRunner<D>({
  deps,
  authenticate,
  freeWindows,
  chargeRequest,
  askFor,
  accessOf = () => null,
  shareOf = () => 1,
  remember,
  adaptPage,
}: RouteRunnerOptions<D>): RouteRunner<D> {
  const depsFor = gatedDeps(deps, shareOf);
  const innerRequest = innerRequests(askFor, chargeRequest);
  const chargeFor = (principal: Principal | null, cost: number, readAddress: () => string) => ({
    charged: principal === null ? undefined : chargeRequest(principal, cost, readAddress),
  });

  async function admit(
    request: IncomingMessage,
    { route, query }: Prepared<D>,
    path: Record<string, string>,
    facts: RequestRecord,
  ): Promise<Input> {
    const raw = facts.querystring === '' ? null : readQueryString(facts.querystring);
    const principal = await authenticate(route, credentials('GET', request.headers, raw, facts));
    facts.authenticated(principal, principal === null ? null : accessOf(principal));
    const charge = principal === null ? undefined : await chargeRequest(principal, route.cost, () => facts.address);
    facts.cost = route.cost;
    if (charge !== undefined) facts.limitHeaders = charge.headers;
    const params = readParams(route.params, path);
    const checked = query.read(raw, prefersStrict(request.headers.prefer));
    const inner = innerRequest(request, facts, always(facts.address));
    return withoutBody(request.headers, { params, query: checked, lang: 'en', ...inner }, facts);
  }

  async function answer(
    ctx: Context,
    prepared: Prepared<D>,
    path: Record<string, string>,
    facts: RequestRecord,
  ): Promise<void> {
    const route: RouteValue<D> = prepared.route;
    const { headers } = facts;
    headers.addAll(prepared.headers);
    const raw = facts.querystring === '' ? null : readQueryString(facts.querystring);
    const readAddress = () => facts.address;
    const pending = authenticate(route, credentials(ctx.method, ctx.headers, raw, facts));
    // Not awaited if it is not a promise, because each event loop turn costs time.
    const principal = pending instanceof Promise ? await pending : pending;
    facts.authenticated(principal, principal === null ? null : accessOf(principal));
    freeWindows.enter(route, principal, readAddress);
    const charging = (chargedBefore(ctx.req) ?? chargeFor(principal, route.cost, readAddress)).charged;
    const charge = new RequestCharge(facts, charging instanceof Promise ? await charging : charging, route.cost);
    try {
      const reading = readInput(ctx, prepared, { path, raw }, facts, innerRequest(ctx.req, facts));
      const input = reading instanceof Promise ? await reading : reading;
      const most = route.mostCost?.(input.query, input.body) ?? route.cost;
      if (most > route.cost) await charge.raise(most, () => chargeFor(principal, most, readAddress).charged);
      const { trace } = facts;
      const isUntraced = trace === null || route.access === 'feed';
      const placed = routeAtPosition(route, ctx.headers['touchline-position']);
      const gated = depsFor(placed instanceof Promise ? await placed : placed, facts);
      const handle = () => route.handler(input, gated.deps);
      let made: Reply;
      let isFromMemory = false;
      try {
        const handled = isUntraced ? handle() : trace.within(handle);
        isFromMemory = !(handled instanceof Promise);
        made = handled instanceof Promise ? await handled : handled;
      } finally {
        gated.end();
      }
      if (most > route.cost) charge.lower(made.cost ?? most);
      const isCsv = prepared.toCsv !== null && readMember(input.query, 'format') === 'csv';
      const reply = prepared.isPage
        ? adapted(ctx, made, adaptPage)
        : inForm(prepared, made, prepared.query.fields(raw), isCsv);
      addLanguage(facts, prepared, input);
      const sent = sendReply(ctx, prepared, withPosition(route, made, reply), headers, (bytes) => {
        if (freeWindows.isUnchangedFree(principal, bytes, readAddress)) charge.makeFree(ctx.res);
      });
      if (sent !== undefined) await sent;
      else if (isFromMemory && !isCsv) remember(ctx.req, prepared, facts, made);
    } catch (error) {
      if (isFree(toProblem(error).status)) charge.makeFree(ctx.res);
      throw error;
    }
  }

  return {
    admit,
    run(ctx, prepared, path, facts) {
      const { unavailable } = prepared.route;
      const answered = answer(ctx, prepared, path, facts);
      if (unavailable === undefined) return answered;
      return answered.catch((error: unknown) => {
        if (toProblem(error).status !== 503) throw error;
        return sendReply(ctx, prepared, unavailable(), facts.headers);
      });
    },
  };
}
