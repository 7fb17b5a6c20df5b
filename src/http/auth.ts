/** Who asks, and whether the route lets them: keys, the feed token, sessions of our own pages. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Problem, unavailable } from './errors.ts';
import { createSessions, type Session } from './session.ts';

export interface KeyPrincipal {
  /** sk: secret, for servers. pk: publishable, seen by browsers. */
  kind: 'sk' | 'pk';
  accountId: number;
  keyId: number;
  plan: string;
  /** The only origins that may use it; null: any. */
  origins: readonly string[] | null;
}
/** A browser that was served one of our own pages. */
export interface SessionPrincipal {
  kind: 'session';
  sessionId: string;
}
export type Principal = KeyPrincipal | SessionPrincipal;

/** A key as it is stored; times in milliseconds since 1970. */
export interface KeyRecord extends KeyPrincipal {
  expiresAt: number | null;
  revokedAt: number | null;
}

export interface KeyStore {
  /** Whether the text can be a key at all; costs no query. */
  wellFormed(key: string): boolean;
  find(key: string): Promise<KeyRecord | null>;
}

/** The part of a route value that says who may use it. */
export interface Access {
  access: 'public' | 'key' | 'feed' | 'session';
  keyInQuery?: boolean;
  publishable?: boolean;
  session?: boolean;
}

/** Older than this a known key is read again beside the request that uses it … */
const REFRESH_MS = 2_500;
/** … and older than this the request waits for it: a revocation takes effect within this time. */
const VALID_MS = 5_000;
/** While the database is away nobody can revoke a key in it, so known ones stay good for this long. */
const VALID_WITHOUT_DATABASE_MS = 10 * 60_000;
const MAX_KNOWN_KEYS = 10_000;

/** A database that has just failed is not asked again by each request. */
const RETRY_MS = 1_000;

interface Known {
  record: KeyRecord | null;
  loadedAt: number;
  /** Set when the last attempt to read it again failed. */
  retryAt?: number;
}

/**
 * Keys from memory, without a query for one that is in use; several requests for one key share a query.
 * Unknown ones are remembered apart, so that guessing does not push out those in use.
 */
export function createKeyCache(store: KeyStore, clock: { now(): number }) {
  const good = new LRUCache<string, Known>({ max: MAX_KNOWN_KEYS });
  const bad = new LRUCache<string, Known>({ max: MAX_KNOWN_KEYS });
  const loadings = new Map<string, Promise<KeyRecord | null>>();

  async function query(key: string, known: Known | undefined): Promise<KeyRecord | null> {
    const startedAt = clock.now();
    try {
      const record = await store.find(key);
      (record === null ? bad : good).set(key, { record, loadedAt: startedAt });
      (record === null ? good : bad).delete(key);
      return record;
    } catch (error) {
      if (known?.record != null && clock.now() - known.loadedAt < VALID_WITHOUT_DATABASE_MS) {
        known.retryAt = clock.now() + RETRY_MS;
        return known.record;
      }
      throw unavailable('Keys cannot be checked for the moment.', error);
    } finally {
      loadings.delete(key);
    }
  }

  function load(key: string, known: Known | undefined): Promise<KeyRecord | null> {
    let loading = loadings.get(key);
    if (loading === undefined) {
      loading = query(key, known);
      loadings.set(key, loading);
    }
    return loading;
  }

  /** A promise only where a query has to be waited for. */
  return (key: string): KeyRecord | null | Promise<KeyRecord | null> => {
    const known = good.get(key) ?? bad.get(key);
    if (known === undefined) return load(key, known);
    const age = clock.now() - known.loadedAt;
    if (age < REFRESH_MS || clock.now() < (known.retryAt ?? 0)) return known.record;
    const loading = load(key, known);
    if (age >= VALID_MS) return loading;
    loading.catch(() => {});
    return known.record;
  };
}

/** What authentication looks at in a request. */
export interface Credentials {
  method: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Value of `?key=`. */
  queryKey: string | undefined;
  baseUrl: string;
}

export interface AuthConfig {
  secretKeys: readonly string[];
  feedToken: string | undefined;
  /** Whether strangers get a session with a page, and with it the data that pages show: DEMO or PUBLIC_SITE. */
  anonymousSessions: boolean;
}

export interface Authenticated {
  principal: Principal | null;
  /** For a Set-Cookie header. */
  cookie: string | null;
}

const NOBODY: Authenticated = { principal: null, cookie: null };
const text = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header);
const sha256 = (value: string) => createHash('sha256').update(value).digest();

function originOf(url: string | undefined): string | null {
  if (url === undefined) return null;
  try {
    return new URL(url).origin;
  } catch {
    return null;
  }
}

function checkOrigins(origins: readonly string[], { headers }: Credentials): void {
  // An image tag and a GET of the same origin send no Origin, but a Referer.
  const origin = text(headers.origin) ?? originOf(text(headers.referer));
  if (origin !== null && origins.includes(origin)) return;
  throw new Problem(
    'origin_not_allowed',
    `This key may not be used from ${origin ?? 'a client that names no origin'}.`,
  );
}

const KEY_CHALLENGE = { 'WWW-Authenticate': 'ApiKey realm="touchline", header="X-API-Key"' };
const FEED_CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="touchline feed"' };

/**
 * Answers who asks, or throws what the client is told: 401 key_missing, key_invalid, key_expired, key_revoked,
 * 403 key_not_permitted, origin_not_allowed, csrf_failed, 503 unavailable.
 */
export function createAuthenticator(config: AuthConfig, keys: KeyStore, clock: { now(): number }) {
  const findKey = createKeyCache(keys, clock);
  const sessions = createSessions(config.secretKeys);
  const feedToken = config.feedToken === undefined ? null : sha256(config.feedToken);

  function admit(record: KeyRecord | null, route: Access, request: Credentials): Authenticated {
    if (record === null) throw new Problem('key_invalid', undefined, { headers: KEY_CHALLENGE });
    if (record.revokedAt !== null) throw new Problem('key_revoked', undefined, { headers: KEY_CHALLENGE });
    if (record.expiresAt !== null && record.expiresAt <= clock.now()) {
      throw new Problem('key_expired', undefined, { headers: KEY_CHALLENGE });
    }
    if (record.kind === 'pk') {
      if (route.publishable !== true) {
        throw new Problem(
          'key_not_permitted',
          'A publishable key may not be used here; use a secret one from a server.',
        );
      }
      if (record.origins !== null) checkOrigins(record.origins, request);
    }
    return { principal: record, cookie: null };
  }

  function bySession(session: Session, request: Credentials): Authenticated {
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (!reads && text(request.headers.origin) !== originOf(request.baseUrl)) throw new Problem('csrf_failed');
    return { principal: { kind: 'session', sessionId: session.id }, cookie: null };
  }

  function byKey(route: Access, request: Credentials): Authenticated | Promise<Authenticated> {
    const key = text(request.headers['x-api-key']) || (route.keyInQuery === true ? request.queryKey : undefined);
    if (!key) {
      const session =
        route.session === true && config.anonymousSessions
          ? sessions.read(text(request.headers.cookie), clock.now())
          : null;
      if (session !== null) return bySession(session, request);
      const place =
        route.keyInQuery === true ? 'the header X-API-Key or the query parameter key' : 'the header X-API-Key';
      throw new Problem('key_missing', `Send an API key in ${place}.`, { headers: KEY_CHALLENGE });
    }
    const record = keys.wellFormed(key) ? findKey(key) : null;
    if (record instanceof Promise) return record.then((found) => admit(found, route, request));
    return admit(record, route, request);
  }

  function byFeedToken({ headers }: Credentials): Authenticated {
    const [, token] = /^Bearer +(\S+)$/i.exec(text(headers.authorization) ?? '') ?? [];
    if (token === undefined) {
      throw new Problem('key_missing', 'Send the feed token as Authorization: Bearer.', { headers: FEED_CHALLENGE });
    }
    // Digests have one length, so the comparison tells nothing about the token's.
    if (feedToken !== null && timingSafeEqual(sha256(token), feedToken)) return NOBODY;
    throw new Problem('key_invalid', 'The feed token is wrong.', { headers: FEED_CHALLENGE });
  }

  function byPage(request: Credentials): Authenticated {
    if (!config.anonymousSessions) return NOBODY;
    const before = sessions.read(text(request.headers.cookie), clock.now());
    const { session, cookie } = sessions.issue(before, clock.now(), request.baseUrl.startsWith('https:'));
    return { ...bySession(session, request), cookie };
  }

  /** A promise only where the database has to be asked. */
  return (route: Access, request: Credentials): Authenticated | Promise<Authenticated> => {
    if (route.access === 'public') return NOBODY;
    if (route.access === 'key') return byKey(route, request);
    return route.access === 'feed' ? byFeedToken(request) : byPage(request);
  };
}
export type Authenticate = ReturnType<typeof createAuthenticator>;
