/**
 * Handles POST with `Idempotency-Key`. A client that repeats a request because the reply was lost does not create a
 * second item.
 */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { type PoolAndClock, transaction } from '../db/postgres.ts';
import { invalidParameter, type Reply, type RouteInput } from '../http/index.ts';
import { DAY_MS } from '../wire/time.ts';
import { accountIdOf } from './audit.ts';

const KEPT_MS = DAY_MS;
const KEY = /^[\x21-\x7e]{1,255}$/;
/** How many expired rows each request removes. */
const PRUNED_AT_ONCE = 20;

interface Made<Item extends object, Secret extends object> {
  item: Item;
  /** Reply members that are shown only once. */
  secret: Secret;
}

/** Status 201. The secret is missing if the request was a repeated one. */
export interface CreatedReply<Item extends object, Secret extends object> extends Reply {
  body: Item & Partial<Secret>;
}

export type OnceInput = Pick<
  RouteInput<unknown, unknown, unknown>,
  'principal' | 'headers' | 'params' | 'body' | 'form'
>;

/** Name of the form field that carries the idempotency key. */
export const ONCE_FIELD = 'once';

/** Describes the header in the OpenAPI document. */
export const IDEMPOTENCY_HEADER = {
  'Idempotency-Key': {
    description:
      'Any text of 1 to 255 visible ASCII characters, unique for each item to create. A request repeated with the same key within 24 hours creates nothing. Its reply has the item that the first request created, without the secret, and `Idempotency-Replayed: true`.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
} as const;

/** Describes the header of a replayed reply in the OpenAPI document. */
export const REPLAYED_HEADER = {
  'Idempotency-Replayed': {
    description: '`true` if the request was a repetition and created nothing; otherwise absent.',
    required: false,
  },
} as const;

/**
 * Creates something for the account that sent the request, once per `Idempotency-Key`.
 * @param what the type of item; the same idempotency key may be used once for each type
 * @param make runs in one transaction that also records the idempotency key
 * @returns 201 with `item` and `secret`; a repeated request gets `item` only
 * @throws {Problem} invalid_parameter if the key is malformed or was used with another body; and whatever `make` throws
 */
export async function createOnce<Item extends object, Secret extends object>(
  { pool, clock }: PoolAndClock,
  { principal, headers, params, body, form }: OnceInput,
  what: string,
  make: (client: pg.PoolClient) => Promise<Made<Item, Secret>>,
): Promise<CreatedReply<Item, Secret>> {
  const accountId = accountIdOf(principal);
  const key = headers['idempotency-key'] ?? form?.get(ONCE_FIELD) ?? undefined;
  if (key === undefined) {
    const { item, secret } = await transaction(pool, make);
    return { status: 201, body: { ...item, ...secret } };
  }
  if (!KEY.test(key)) {
    throw invalidParameter('Idempotency-Key', 'invalid_text', 'must have 1 to 255 visible ASCII characters');
  }
  const name = `${what} ${key}`;
  const sent = JSON.stringify([params, body ?? form?.toString() ?? null]);
  const fingerprint = createHash('sha256').update(sent).digest();
  const now = clock.now();
  return transaction(pool, async (client) => {
    // The second of two concurrent requests waits, and then gets the first request's result.
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`idempotent ${accountId} ${name}`]);
    const { rows } = await client.query<{ fingerprint: Buffer; body: string }>(
      'SELECT fingerprint, body FROM idempotent_request WHERE account_id = $1 AND key = $2 AND created_at > $3',
      [accountId, name, new Date(now - KEPT_MS)],
    );
    if (rows[0] !== undefined) {
      if (!rows[0].fingerprint.equals(fingerprint))
        throw invalidParameter('Idempotency-Key', 'used', 'was used for another request');
      return { status: 201, body: JSON.parse(rows[0].body), headers: { 'Idempotency-Replayed': 'true' } };
    }
    const { item, secret } = await make(client);
    await client.query(
      `WITH old AS (SELECT account_id, key FROM idempotent_request WHERE created_at < $6 ORDER BY created_at LIMIT ${PRUNED_AT_ONCE} FOR UPDATE SKIP LOCKED),
         pruned AS (DELETE FROM idempotent_request r USING old WHERE r.account_id = old.account_id AND r.key = old.key AND (r.account_id, r.key) <> ($1, $2))
       INSERT INTO idempotent_request (account_id, key, fingerprint, body, created_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (account_id, key) DO UPDATE SET fingerprint = excluded.fingerprint, body = excluded.body, created_at = excluded.created_at`,
      [accountId, name, fingerprint, JSON.stringify(item), new Date(now), new Date(now - KEPT_MS)],
    );
    return { status: 201, body: { ...item, ...secret } };
  });
}
