/** Creates, lists, revokes and finds the tokens with which one provider writes. A token is shown once. */
import type pg from 'pg';
import { type Actor, audit, encryptSecret, refuseManaged, type SecretColumn } from '../accounts/index.ts';
import { hashKey } from '../accounts/keys/index.ts';
import { firstRow, type Queryable, transaction, wireTimeSql } from '../db/postgres.ts';
import { invalidParameters, type ParameterError, Problem } from '../http/index.ts';
import { OPERATOR_PROVIDER } from '../identity/precedence.ts';
import type { Clock } from '../runtime/clock.ts';
import { SPORT_SLUGS } from '../sports/sports.ts';
import { createSecret, isSecret } from '../wire/secret-formats.ts';
import { wireTime } from '../wire/time.ts';

/** Maximum number of usable tokens per provider: the current one and, during a change of tokens, the next one. */
const MAX_TOKENS = 2;
const PROVIDER = /^[a-z0-9][a-z0-9._-]{0,49}$/;

export interface TokenDeps {
  pool: pg.Pool;
  clock: Clock;
  /** `config.secretKeys` */
  secretKeys: readonly string[];
}

export interface NewToken {
  provider: string;
  /** Slugs. Null for all sports. */
  sports: readonly string[] | null;
  signs: boolean;
}

interface CreatedToken {
  id: number;
  token: string;
}

export interface FeedToken {
  id: number;
  provider: string;
  sports: string[] | null;
  signs: boolean;
  created_at: string;
  created_by: string;
  last_used_at: string | null;
  revoked_at: string | null;
  /** The Kubernetes resource that owns the token. Null if none does. */
  managed: { namespace: string; name: string } | null;
}

/** A token with the columns that the check needs. */
export interface StoredToken {
  id: number;
  provider: string;
  sports: string[] | null;
  /** The encrypted secret. Null if requests contain the token itself. */
  secret: string | null;
  isRevoked: boolean;
  /** In ms since 1970. */
  last_used_at: number | null;
}

function tokenFaults({ provider, sports }: NewToken): ParameterError[] {
  const errors: ParameterError[] = [];
  const add = (parameter: string, detail: string) => errors.push({ parameter, code: 'invalid_value', detail });
  if (!PROVIDER.test(provider))
    add('provider', 'must be at most 50 lower-case letters, digits, dots, dashes and underscores');
  if (provider === OPERATOR_PROVIDER) add('provider', `${provider} is the provider of corrections by hand`);
  if (sports?.length === 0) add('sports', 'must name at least one sport');
  const unknown = (sports ?? []).filter((sport) => !SPORT_SLUGS.includes(sport));
  if (unknown.length > 0) add('sports', `${unknown.join(', ')}: known sports are ${SPORT_SLUGS.join(', ')}`);
  return errors;
}

/**
 * @returns the token, which cannot be read again
 * @throws {Problem} invalid_parameter; conflict if the provider already has two tokens
 */
export const createFeedToken = (deps: TokenDeps, wanted: NewToken, actor: Actor): Promise<CreatedToken> =>
  transaction(deps.pool, (db) => insertFeedToken(db, deps, wanted, actor));

/** As `createFeedToken`. Runs in a transaction. */
export async function insertFeedToken(
  db: Queryable,
  { clock, secretKeys }: Omit<TokenDeps, 'pool'>,
  wanted: NewToken,
  actor: Actor,
): Promise<CreatedToken> {
  const errors = tokenFaults(wanted);
  if (errors.length > 0) throw invalidParameters(errors);
  const { provider, signs } = wanted;
  const sports = wanted.sports && [...new Set(wanted.sports)];
  const token = createSecret('feed_token');
  const secret = signs ? encryptSecret(token, secretKeys) : null;
  // Without the lock, two tokens that are created at the same time would not count each other.
  await db.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`feed token ${provider}`]);
  const { rows: usable } = await db.query<{ id: number }>(
    'SELECT id FROM feed_token WHERE provider = $1 AND revoked_at IS NULL ORDER BY id',
    [provider],
  );
  if (usable.length >= MAX_TOKENS) {
    const ids = usable.map(({ id }) => id).join(' and ');
    throw new Problem('conflict', `${provider} has ${MAX_TOKENS} usable tokens, ${ids}: revoke one first.`);
  }
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO feed_token (provider, sports, hash, secret, created_at, created_by) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
    [provider, sports, hashKey(token), secret, wireTime(clock.now()), actor.name],
  );
  const { id } = firstRow(rows);
  await audit(db, clock, {
    accountId: null,
    actor,
    action: 'feed_token.created',
    target: `feed token ${id}`,
    details: { provider, sports: sports ?? 'all', signs },
  });
  return { id, token };
}

/** Returns all tokens by provider, newest first. @param provider only tokens for this provider */
export async function listFeedTokens(db: Queryable, provider?: string): Promise<FeedToken[]> {
  const times = ['created_at', 'last_used_at', 'revoked_at'].map((column) => `${wireTimeSql(column)} AS ${column}`);
  const { rows } = await db.query<FeedToken>(
    `SELECT t.id, provider, sports, secret IS NOT NULL AS signs, created_by, ${times.join(', ')},
       CASE WHEN r.uid IS NOT NULL THEN json_build_object('namespace', r.namespace, 'name', r.name) END AS managed
     FROM feed_token t LEFT JOIN managed_resource r ON r.kind = 'FeedToken' AND r.target = t.id::text
     WHERE $1::text IS NULL OR provider = $1 ORDER BY provider, t.id DESC`,
    [provider ?? null],
  );
  return rows;
}

/** @throws {Problem} not_found; conflict if the token is revoked already, or if a resource owns it */
export const revokeFeedToken = (
  { pool, clock }: Pick<TokenDeps, 'pool' | 'clock'>,
  id: number,
  actor: Actor,
): Promise<FeedToken> => transaction(pool, (db) => endFeedToken(db, clock, id, actor));

/** As `revokeFeedToken`. Runs in a transaction. */
export async function endFeedToken(db: Queryable, clock: Clock, id: number, actor: Actor): Promise<FeedToken> {
  await refuseManaged(db, 'FeedToken', id, actor);
  const { rows } = await db.query<{ provider: string }>(
    'UPDATE feed_token SET revoked_at = $2, secret = CASE WHEN secret IS NOT NULL THEN $3 END WHERE id = $1 AND revoked_at IS NULL RETURNING provider',
    [id, wireTime(clock.now()), ERASED],
  );
  const [token] = (await listFeedTokens(db)).filter((one) => one.id === id);
  if (token === undefined) throw new Problem('not_found', `There is no feed token ${id}.`);
  if (rows.length === 0) throw new Problem('conflict', `Feed token ${id} was revoked at ${token.revoked_at}.`);
  await audit(db, clock, {
    accountId: null,
    actor,
    action: 'feed_token.revoked',
    target: `feed token ${id}`,
    details: { provider: token.provider },
  });
  return token;
}
/** Replaces a revoked token's secret, which is no longer needed. */
const ERASED = '';

/** Finds a token by its text. Null if the token is unknown. */
export const findFeedToken = async (db: Queryable, token: string): Promise<StoredToken | null> =>
  isSecret('feed_token', token) ? findByHash(db, hashKey(token)) : null;

/** Finds a token by its SHA-256 hash. Null if the token is unknown. */
export async function findByHash(db: Queryable, hash: Buffer): Promise<StoredToken | null> {
  const { rows } = await db.query<StoredToken>(
    `SELECT id, provider, sports, secret, revoked_at IS NOT NULL AS "isRevoked",
       (extract(epoch FROM last_used_at) * 1000)::float8 AS last_used_at FROM feed_token WHERE hash = $1`,
    [hash],
  );
  return rows[0] ?? null;
}

/** Returns whether a token is still usable. */
export async function isUsable(db: Queryable, id: number): Promise<boolean> {
  const { rows } = await db.query('SELECT FROM feed_token WHERE id = $1 AND revoked_at IS NULL', [id]);
  return rows.length > 0;
}

const USE_STEP_MS = 60_000;

/** Stores the time at which a token was last used, at most once a minute. */
export async function noteUse(db: Queryable, { id, last_used_at }: StoredToken, now: number): Promise<void> {
  if (last_used_at !== null && now - last_used_at < USE_STEP_MS) return;
  await db.query('UPDATE feed_token SET last_used_at = $2 WHERE id = $1', [id, wireTime(now)]);
}

/** Where the secrets of signing tokens are stored. */
export const FEED_TOKEN_SECRETS: SecretColumn = {
  name: 'feed token',
  async read(db, prefix) {
    const { rows } = await db.query<{ id: number; stored: string }>(
      `SELECT id, secret AS stored FROM feed_token
       WHERE revoked_at IS NULL AND secret IS NOT NULL AND NOT starts_with(secret, $1) ORDER BY id`,
      [prefix],
    );
    return rows;
  },
  async replace(db, id, stored, replacement) {
    const { rowCount } = await db.query('UPDATE feed_token SET secret = $3 WHERE id = $1 AND secret = $2', [
      id,
      stored,
      replacement,
    ]);
    return rowCount === 1;
  },
};
