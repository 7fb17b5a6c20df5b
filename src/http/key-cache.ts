/** API keys in memory: a key in use costs no query per request. */
import { LRUCache } from 'lru-cache';
import { unavailable } from './errors.ts';

export interface KeyPrincipal {
  /** sk: secret, for servers. pk: publishable, seen by browsers. */
  kind: 'sk' | 'pk';
  accountId: number;
  keyId: number;
  plan: string;
  /** Whether nobody has shown yet that the address of the account is theirs. */
  awaitsVerification: boolean;
  /** The only origins that may use it; null: any. */
  origins: readonly string[] | null;
  /** The only addresses and networks that may use it; null: any. */
  addresses: readonly string[] | null;
}
/** A key as it is stored; times in milliseconds since 1970. */
export interface KeyRecord extends KeyPrincipal {
  expiresAt: number | null;
  revokedAt: number | null;
  /** Of the account, by an operator. */
  suspended: boolean;
  /** The account is new, and suspended until an operator approves it. */
  awaitsApproval?: boolean;
}

export interface KeyStore {
  /** Whether the text can be a key at all; costs no query. */
  wellFormed(key: string): boolean;
  find(key: string): Promise<KeyRecord | null>;
}

/** A known key older than this is read again in the background of the request that uses it. */
const REFRESH_MS = 2_500;
/** The request waits for one older than this: a revocation takes effect within this time (spec: 5 s). */
const VALID_MS = 5_000;
/** While the database is unavailable nobody can revoke a key in it: known keys stay valid for this long. */
const VALID_WITHOUT_DATABASE_MS = 10 * 60_000;
const MAX_KNOWN_KEYS = 10_000;

/** After a failed query the database is not asked again by each request. */
const RETRY_MS = 1_000;

interface Known {
  record: KeyRecord | null;
  loadedAt: number;
  /** Set when the last query for it failed. */
  retryAt?: number;
}

/**
 * Looks a key up in memory first; concurrent requests for one key share a query. Unknown keys have a cache of their own, so that
 * guessing does not push out those in use.
 * @returns a function that gives null for an unknown key, and a promise only where a query has to be waited for
 * @throws {Problem} unavailable
 */
export function createKeyCache(store: KeyStore, clock: { now(): number }) {
  const existing = new LRUCache<string, Known>({ max: MAX_KNOWN_KEYS });
  const unknown = new LRUCache<string, Known>({ max: MAX_KNOWN_KEYS });
  const loadings = new Map<string, Promise<KeyRecord | null>>();

  async function query(key: string, known: Known | undefined): Promise<KeyRecord | null> {
    const startedAt = clock.now();
    try {
      const record = await store.find(key);
      (record === null ? unknown : existing).set(key, { record, loadedAt: startedAt });
      (record === null ? existing : unknown).delete(key);
      return record;
    } catch (error) {
      if (known?.record != null && clock.now() - known.loadedAt < VALID_WITHOUT_DATABASE_MS) {
        known.retryAt = clock.now() + RETRY_MS;
        return known.record;
      }
      throw unavailable('API keys cannot be checked at the moment.', error);
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

  return (key: string): KeyRecord | null | Promise<KeyRecord | null> => {
    const known = existing.get(key) ?? unknown.get(key);
    if (known === undefined) return load(key, known);
    const age = clock.now() - known.loadedAt;
    if (age < REFRESH_MS || clock.now() < (known.retryAt ?? 0)) return known.record;
    const loading = load(key, known);
    if (age >= VALID_MS) return loading;
    loading.catch(() => {});
    return known.record;
  };
}
