/** Keeps API keys in memory, so that a key in use costs no query per request. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../runtime/clock.ts';
import { unavailable } from './errors.ts';
import type { Permission } from './permission.ts';

/** The uses that a key may be limited to. */
export const KEY_SCOPES = ['read', 'stream', 'webhooks', 'account'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

export interface KeyPrincipal {
  /** sk: a secret key, for servers. pk: a publishable key, which browsers see. */
  kind: 'sk' | 'pk';
  accountId: number;
  keyId: number;
  plan: string;
  /** True while the account's address is unverified. */
  awaitsVerification: boolean;
  /** The only origins that may use the key. Null if any origin may. */
  origins: readonly string[] | null;
  /** The only addresses and networks that may use the key. Null if any address may. */
  addresses: readonly string[] | null;
  /** The only scopes of the key. Null if it has all. */
  scopes: readonly KeyScope[] | null;
  /** The permissions of the person to whom the key belongs. Null for a key of the organisation. */
  permissions: ReadonlySet<Permission> | null;
}
/** A key's record in the store, with times in milliseconds since 1970. */
export interface KeyRecord extends KeyPrincipal {
  expiresAt: number | null;
  revokedAt: number | null;
  /** True if an operator has suspended the account. */
  suspended: boolean;
  /** True if the account is new, and is suspended until an operator approves it. */
  awaitsApproval?: boolean;
}

export interface KeyStore {
  /** True if the text has the form of a key. Sends no query. */
  wellFormed(key: string): boolean;
  find(key: string): Promise<KeyRecord | null>;
}

/** Returns a promise only if a query is needed. @throws {Problem} unavailable */
export type FindKey = (key: string) => KeyRecord | null | Promise<KeyRecord | null>;

/** If a cached key is older than this, a request that uses it starts a read in the background. */
const REFRESH_MS = 2_500;
/**
 * If a cached key is older than this, a request waits until the key has been read again. A revocation therefore takes
 * effect within this time (spec: 5 s).
 */
const VALID_MS = 5_000;
/** How long a cached key stays valid while the database is unavailable. Nobody can revoke keys during that time. */
const VALID_WITHOUT_DATABASE_MS = 10 * 60_000;
const MAX_KNOWN_KEYS = 10_000;

/**
 * Longest time that a request waits until a cached key has been read again. A slower database counts as unavailable.
 */
const ANSWER_WITHIN_MS = 1_000;

/** After a failed query for a key, requests with that key send no query for this long. */
const RETRY_MS = 1_000;

interface Known {
  record: KeyRecord | null;
  loadedAt: number;
  /** No query for the key is sent before this time. Set if the last query failed. */
  retryAt?: number;
}

/**
 * Looks a key up in memory, and then in the store. Concurrent requests for one key share a query. Unknown keys have a
 * cache of their own, so that guessing does not evict keys in use.
 * @returns a function that returns null for an unknown key, and a promise only if a query is needed
 * @throws {Problem} unavailable
 */
export function createKeyCache(store: KeyStore, clock: Clock): FindKey {
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

  /**
   * Waits for the query. If the database is slow, answers with the cached key, for as long as keys stay valid without
   * the database.
   */
  function inTime(loading: Promise<KeyRecord | null>, known: Known, record: KeyRecord): Promise<KeyRecord | null> {
    if (clock.now() - known.loadedAt >= VALID_WITHOUT_DATABASE_MS) return loading;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        // Until the query has ended, no more requests wait for it.
        known.retryAt = known.loadedAt + VALID_WITHOUT_DATABASE_MS;
        resolve(record);
      }, ANSWER_WITHIN_MS);
      loading.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }

  return (key) => {
    const known = existing.get(key) ?? unknown.get(key);
    if (known === undefined) return store.wellFormed(key) ? load(key, known) : null;
    const age = clock.now() - known.loadedAt;
    if (age < REFRESH_MS || clock.now() < (known.retryAt ?? 0)) return known.record;
    const loading = load(key, known);
    if (age >= VALID_MS) return known.record === null ? loading : inTime(loading, known, known.record);
    loading.catch(() => {});
    return known.record;
  };
}
