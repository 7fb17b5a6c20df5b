/**
 * Answers requests that this process has answered from memory before, without going through the app again. What led to
 * the answer is checked each time: key, plan, and whether the reply is still fresh. The request is charged, counted,
 * measured and logged like any other. A request with an unusual header, and everything else in doubt, goes through the
 * app.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Registry } from 'prom-client';
import type { Clock } from '../runtime/clock.ts';
import { isTracing } from '../runtime/tracing.ts';
import type { MatchAccess } from '../wire/access.ts';
import { type Position, readPosition } from '../wire/position.ts';
import type { AddressConfig, Addresses } from './address.ts';
import { isUnrestricted, type Principal } from './auth.ts';
import { observeCache } from './cache-metrics.ts';
import type { Charge, ChargeRequest } from './charge.ts';
import type { HeaderList, WrittenResponse } from './headers.ts';
import { chargeBefore } from './inner-request.ts';
import type { FindKey } from './key-cache.ts';
import type { LogRequest } from './request-log.ts';
import { type RecordRequest, RequestRecord } from './request-record.ts';
import type { AnyRoute, Reply } from './route.ts';
import type { Prepared } from './route-finder.ts';

/** Uses of the headers of a known request. Any other header may change the reply. */
type Use = 'key' | 'encoding' | 'language' | 'id' | 'position' | 'host' | 'proxy' | 'unused';

const UNUSED = [
  'accept',
  'cache-control',
  'connection',
  'cookie',
  'pragma',
  'referer',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'traceparent',
  'tracestate',
  'user-agent',
  'via',
  'x-forwarded-for',
  'x-forwarded-port',
  'x-real-ip',
] as const;
const USES: ReadonlyMap<string, Use> = new Map([
  ...UNUSED.map((name) => [name, 'unused'] as const),
  ['x-api-key', 'key'],
  ['accept-encoding', 'encoding'],
  ['accept-language', 'language'],
  ['x-request-id', 'id'],
  ['touchline-position', 'position'],
  ['host', 'host'],
  ['x-forwarded-host', 'proxy'],
  ['x-forwarded-proto', 'proxy'],
]);
/** The same by the name as clients spell it, because converting it to lower case costs more than the look-up. */
const usesAsSent = new Map<string, Use>();
const MAX_SPELLINGS = 500;

/** @returns undefined for a header that may change the reply */
function findUse(name: string): Use | undefined {
  const known = usesAsSent.get(name);
  if (known !== undefined) return known;
  const use = USES.get(name.toLowerCase());
  if (use !== undefined && usesAsSent.size < MAX_SPELLINGS) usesAsSent.set(name, use);
  return use;
}

const MAX_KNOWN = 5_000;
const MAX_BYTES = 32 * 1024 * 1024;
/** Assumed size of an entry without the body. */
const ENTRY_BYTES = 1_500;
const MAX_TARGET_LENGTH = 500;

/** The headers of a request that the reply depends on. */
interface Asked {
  key: string;
  id: string | undefined;
  /** The position that the client has named. */
  needed: Position | undefined;
  /** Everything else that the reply depends on. */
  rest: string;
}

interface Known {
  route: string;
  cost: number;
  isFresh: (needed?: Position) => boolean;
  /** Headers before the limits, without the request id. */
  before: readonly string[];
  /** Headers after the limits. */
  after: readonly string[];
  body: Buffer;
}

/**
 * @param hasBaseUrl whether the public address does not depend on the request
 * @returns null if a header is unusual, missing, or sent twice
 */
function readAsked({ rawHeaders, url }: IncomingMessage, hasBaseUrl: boolean): Asked | null {
  if (url!.length > MAX_TARGET_LENGTH) return null;
  const sent: Partial<Record<Use, string>> = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const use = findUse(rawHeaders[index]!);
    if (use === 'unused') continue;
    if (use === undefined || sent[use] !== undefined || (use === 'proxy' && !hasBaseUrl)) return null;
    sent[use] = rawHeaders[index + 1]!;
  }
  const { key, id, host, position, encoding = '', language = '' } = sent;
  if (key === undefined || host === undefined) return null;
  const needed = position === undefined ? undefined : readPosition(position);
  if (needed === null) return null;
  // A header value contains no line breaks.
  return { key, id, needed, rest: `${hasBaseUrl ? '' : host}\n${encoding}\n${language}\n${url}` };
}

export interface KnownRequests {
  /** Answers a request. @returns false if it has to go through the app */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
  /** Remembers how a request was answered from memory, if the same request may be answered in the same way. */
  remember(request: IncomingMessage, prepared: Answered, facts: RequestRecord, reply: Reply): void;
}

export interface KnownRequestOptions {
  findKey: FindKey;
  clock: Clock;
  addresses: Addresses;
  config: Pick<AddressConfig, 'baseUrl'>;
  accessOf: (principal: Principal) => MatchAccess | null;
  chargeRequest: ChargeRequest;
  record: RecordRequest;
  logRequest: LogRequest;
  /** Registry for the metrics. */
  registry: Registry;
}

/** Returns a function that numbers accesses, since the reply depends on them. */
function numberAccesses(): (access: MatchAccess | null) => number {
  const numbers = new WeakMap<MatchAccess, number>();
  let last = 0;
  return (access) => {
    if (access === null) return 0;
    const number = numbers.get(access);
    if (number !== undefined) return number;
    last += 1;
    numbers.set(access, last);
    return last;
  };
}

type Answered = Pick<Prepared<never>, 'headers'> & {
  route: Pick<AnyRoute, 'path' | 'cost' | 'access' | 'scope' | 'perAddress' | 'inTotal'>;
};

/** Number of strings that the request id takes in a list of headers. */
const ID_LENGTH = 2;

export function createKnownRequests(options: KnownRequestOptions): KnownRequests {
  const { findKey, clock, addresses, accessOf, chargeRequest, record, logRequest, registry } = options;
  const hasBaseUrl = options.config.baseUrl !== undefined;
  const known = new LRUCache<string, Known>({
    max: MAX_KNOWN,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ body }) => ENTRY_BYTES + body.length,
  });
  let hits = 0;
  let misses = 0;
  observeCache(registry, 'requests', () => ({ hits, misses, bytes: known.calculatedSize }));
  const numberOf = numberAccesses();
  const nameFor = (access: MatchAccess | null, { rest }: Asked) => `${numberOf(access)}\n${rest}`;

  return {
    answer(request, response) {
      if (request.method !== 'GET' || isTracing()) return false;
      const asked = readAsked(request, hasBaseUrl);
      if (asked === null) return false;
      const key = findKey(asked.key);
      if (key instanceof Promise) {
        // The app waits for the same query.
        key.catch(() => {});
        return false;
      }
      if (!isUnrestricted(key, clock.now())) return false;
      const access = accessOf(key);
      const entry = known.get(nameFor(access, asked));
      if (!entry?.isFresh(asked.needed)) {
        misses += 1;
        return false;
      }
      const facts = new RequestRecord(request, asked.id);
      const charge = chargeNow(request, () => chargeRequest(key, entry.cost, () => facts.address));
      if (charge === null) return false;
      facts.answeredBefore(entry.route, addresses);
      facts.authenticated(key, access);
      facts.cost = entry.cost;
      hits += 1;
      send(response, entry, facts.id, charge?.headers ?? []);
      record(facts, 200);
      logRequest(request, 200, facts, undefined);
      return true;
    },
    remember(request, prepared, facts, { isFresh }) {
      const { principal, access, headers } = facts;
      const { written } = headers;
      const { access: who, scope = 'read', perAddress, inTotal } = prepared.route;
      const isRead = request.method === 'GET' && who === 'key' && scope === 'read';
      const isPlain = isRead && perAddress === undefined && inTotal === undefined;
      if (!isPlain || isFresh === undefined || written?.status !== 200 || principal?.kind !== 'sk') return;
      const asked = readAsked(request, hasBaseUrl);
      if (asked === null) return;
      known.set(nameFor(access, asked), { ...parts(written, prepared), cost: facts.cost, isFresh });
    },
  };
}

function send(response: ServerResponse, { before, after, body }: Known, id: string, limits: HeaderList): void {
  const headers = ['X-Request-Id', id, ...before];
  for (const [name, value] of limits) headers.push(name, value);
  headers.push(...after);
  response.writeHead(200, headers);
  response.end(body);
}

/**
 * @returns the charge; null if the request has to go through the app, which finds the charge, or the reason why it was
 *   refused
 */
function chargeNow(request: IncomingMessage, charge: () => ReturnType<ChargeRequest>): Charge | undefined | null {
  try {
    const charged = charge();
    if (!(charged instanceof Promise)) return charged;
    chargeBefore(request, charged);
  } catch (error) {
    chargeBefore(request, Promise.reject(error));
  }
  return null;
}

function parts(
  { headers, body }: WrittenResponse,
  { route, headers: fixed }: Answered,
): Omit<Known, 'cost' | 'isFresh'> {
  // The app adds the request id, Vary, the route's headers, the limits, and then everything else.
  const limitsAt = ID_LENGTH + 2 + 2 * fixed.length;
  const isLimit = (name: string | undefined) => name?.startsWith('RateLimit') === true;
  let afterLimits = limitsAt;
  while (isLimit(headers[afterLimits])) afterLimits += 2;
  return {
    route: route.path,
    before: headers.slice(ID_LENGTH, limitsAt),
    after: headers.slice(afterLimits),
    body,
  };
}
