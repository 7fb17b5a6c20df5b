/** The pool, transactions, and value conversion between Postgres and JavaScript. */
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../runtime/clock.ts';
import { PostgresAddress, RenewedPool } from './postgres-address.ts';

// Parsed as numbers, since all ids are below 2^53. Times stay text, since SQL writes them in the wire format.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);
/** The type bigint[], which the driver's list lacks. */
const INT8_ARRAY = 1016 as typeof pg.types.builtins.INT8;
const parseTexts = pg.types.getTypeParser(INT8_ARRAY) as unknown as (text: string) => string[];
pg.types.setTypeParser(INT8_ARRAY, (text) => parseTexts(text).map(Number));

export type Queryable = Pick<pg.Pool, 'query'>;

/** Dependencies of a change that stores when it was made. */
export interface PoolAndClock {
  pool: pg.Pool;
  clock: Clock;
}

/**
 * Time limit for write transactions. The relay's queue floor depends on it, since an id that was assigned two minutes
 * ago must be visible or rolled back.
 */
export const TRANSACTION_TIMEOUT_S = 60;
/**
 * Time limit for one statement, and for a pause between two statements, if the server cannot limit a whole transaction.
 * The limit ends a transaction whose process has stopped.
 */
const STEP_TIMEOUT_S = 30;
/** First Postgres version with transaction_timeout. */
const LIMITS_TRANSACTIONS = 170_000;

/**
 * Set as application_name on all our connections. The last Touchline process to end stops an embedded server, and has
 * to recognize our connections.
 */
export const APPLICATION = `touchline ${process.pid}`;

/** Time after which requests get a 503 if Postgres does not respond, or if the pool has no free connection. */
const CONNECTION_TIMEOUT_MS = 10_000;

/**
 * Turns off JIT, because Postgres considers some statements expensive that are not. Compiling them would take up to a
 * second, although running them takes only milliseconds. Before Postgres 18, every plan with `BY_INDEX` that has to
 * read a whole table looks expensive. Sent as a separate statement, because poolers refuse jit as a startup parameter.
 */
const UNCOMPILED = 'SET jit = off';

export interface PoolOptions {
  /** Statements for each new connection, separated by semicolons. */
  settings?: string;
  /** Time after which an unused connection is closed, in ms. */
  idleTimeoutMillis?: number;
  /** Time after which a connection that is not made, or not free, is given up, in ms. */
  connectionTimeoutMillis?: number;
}

export function openPool(
  given: string | PostgresAddress,
  logger: Pick<Logger, 'warn'>,
  max = 10,
  { settings = '', idleTimeoutMillis = 10_000, connectionTimeoutMillis = CONNECTION_TIMEOUT_MS }: PoolOptions = {},
): pg.Pool {
  const address = typeof given === 'string' ? new PostgresAddress(given) : given;
  const pool = new RenewedPool(address, {
    max,
    application_name: APPLICATION,
    connectionTimeoutMillis,
    idleTimeoutMillis,
    onConnect: (client) => client.query(`${UNCOMPILED}; ${settings}`),
  });
  // Without a listener, the loss of an idle connection would end the process. Such a loss also happens while the pool
  // closes, since the server may stop before it has read an idle connection's goodbye.
  pool.on('error', (error) => {
    if (!pool.ending) logger.warn({ err: error }, 'idle Postgres connection lost');
  });
  // Without a listener, the loss of a connection between two statements in a transaction would end the process, too.
  // With one, the next statement fails with the error.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/**
 * For transactions with `prepared` statements, which each connection then plans only once. By default, Postgres plans
 * a statement with an id list again each time, which costs more than running it. Measured: rendering a card takes 0.4
 * ms instead of 1.9, and a whole feed update 3.6 ms instead of 5.7. An import handles 3,900 matches a second instead
 * of 2,000.
 */
export const PLANNED_ONCE = 'SET LOCAL plan_cache_mode = force_generic_plan';

/**
 * For statements on a queue, which is empty most of the time. A sequential scan would read every dead row that has not
 * been vacuumed yet. Since the plan is cached, it would also read every row once the queue has filled.
 */
export const BY_INDEX = 'SET LOCAL enable_seqscan = off';

/** Oldest Postgres version that the tests run on. */
const OLDEST_VERSION = 15;
const VERSION_UNIT = 10_000;

/** Thrown for a standby that has not been promoted yet. It is reported like a server that is starting. */
class InRecovery extends Error {
  readonly code = '57P03';
}

/**
 * @throws {InRecovery} if the server accepts no writes yet
 * @throws {Error} with a one-line message if the server is too old
 */
export async function checkPostgres(pool: Queryable): Promise<void> {
  const { rows } = await pool.query<{ version: number; recovering: boolean }>(
    "SELECT current_setting('server_version_num')::int AS version, pg_is_in_recovery() AS recovering",
  );
  const { version, recovering } = firstRow(rows);
  const major = Math.floor(version / VERSION_UNIT);
  if (major < OLDEST_VERSION) throw new Error(`Postgres ${major} is too old: Touchline needs Postgres 15 or newer`);
  if (recovering) throw new InRecovery('Postgres is in recovery and takes no writes');
}

interface Limits {
  statements: readonly string[];
  /** True if the server ends a transaction that takes too long. */
  byServer: boolean;
}
/** Limits by pool options, because a pool behind a gate has the same options object as the pool itself. */
const knownLimits = new WeakMap<object, Promise<Limits>>();

/** @param version in the format of server_version_num */
const limitsFor = (version: number): Limits =>
  version >= LIMITS_TRANSACTIONS
    ? { statements: [`SET LOCAL transaction_timeout = '${TRANSACTION_TIMEOUT_S}s'`], byServer: true }
    : {
        statements: ['statement_timeout', 'idle_in_transaction_session_timeout'].map(
          (name) => `SET LOCAL ${name} = '${STEP_TIMEOUT_S}s'`,
        ),
        byServer: false,
      };

/** Returns the limits. The server is asked for its version only once. */
function readLimits(pool: pg.Pool): Promise<Limits> {
  const known = knownLimits.get(pool.options);
  if (known !== undefined) return known;
  const asked = pool
    .query<{ version: number }>("SELECT current_setting('server_version_num')::int AS version")
    .then(({ rows }) => limitsFor(firstRow(rows).version));
  knownLimits.set(pool.options, asked);
  asked.catch(() => knownLimits.delete(pool.options));
  return asked;
}

/**
 * Runs `work` in one transaction. An error rolls the transaction back and is thrown again.
 * @param first statements that are sent together with BEGIN, at no extra cost; `work` receives the results
 * @param isCommitted decides from the result whether to commit; if not, the transaction is rolled back, but the result
 * is still returned
 */
export async function transaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient, done: pg.QueryResult[]) => Promise<T>,
  first: readonly string[] = [],
  isCommitted: (result: T) => boolean = () => true,
): Promise<T> {
  const limits = await readLimits(pool);
  const client = await pool.connect();
  let broken = false;
  const timer = limits.byServer ? undefined : setTimeout(() => endConnection(client), TRANSACTION_TIMEOUT_S * 1_000);
  try {
    const begin = ['BEGIN', ...limits.statements];
    const begun = await client.query([...begin, ...first].join('; '));
    const result = await work(client, allResults(begun).slice(begin.length));
    await client.query(isCommitted(result) ? 'COMMIT' : 'ROLLBACK');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {
      broken = true;
    });
    throw error;
  } finally {
    clearTimeout(timer);
    client.release(broken);
  }
}

/**
 * Errors that a concurrent transaction causes: a serialization failure, a deadlock, a row that both create, or an
 * entity that the other one has merged away. A second attempt succeeds.
 */
const RETRYABLE = new Set(['40001', '40P01', '23505', '23503']);
const ATTEMPTS = 6;
const PAUSE_MS = 20;

/** Runs a transaction again if it failed because of a concurrent one. @param onFailure receives the error code */
export async function retried<T>(work: () => Promise<T>, onFailure: (code: string) => void = () => {}): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const { code = '' } = error as { code?: string };
      if (!RETRYABLE.has(code) || attempt === ATTEMPTS) throw error;
      onFailure(code);
      await sleep(PAUSE_MS * attempt * Math.random());
    }
  }
}

/** Returns the results of several statements that were sent together. The driver's types allow only a single result. */
export const allResults = (result: pg.QueryResult): pg.QueryResult[] => (Array.isArray(result) ? result : [result]);

/** Returns a client's socket, which the driver's types do not show. */
export const rawSocket = (client: pg.PoolClient): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/** Closes the connection. The client's next statement fails, and the server rolls back. */
const endConnection = (client: pg.PoolClient) => rawSocket(client).destroy();

/** SQL that writes a timestamptz in the wire format, as wire/time.ts does. */
export const wireTimeSql = (expression: string) =>
  `to_char(${expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

/** SQL for the time at which a day begins in UTC. @param day SQL of type date */
export const utcMidnightSql = (day: string): string => `(${day})::timestamp AT TIME ZONE 'UTC'`;

/**
 * Returns a statement that each connection receives once and keeps prepared; see `PLANNED_ONCE`.
 *
 * @example const NAME = prepared('name', 'SELECT name FROM sport WHERE id = $1'); await client.query(NAME([id]));
 */
export const prepared = (name: string, text: string) => (values: unknown[]) => ({ name, text, values });

const TEXT_OID = 25;
/** Bytes before the elements: number of dimensions (one), NULL flag, type, length, first index. */
const ARRAY_HEADER_BYTES = 20;

/**
 * Returns a text[] parameter in Postgres' binary format, which needs no escaping or parsing. It is meant for long
 * texts. Measured: 32 blocks of 5 KB are written in 3.0 ms, but in 6.8 ms as JSON, and in 8.6 ms as the driver writes a
 * list.
 * @param values the statement has to cast the parameter, as in `$1::text[]`
 */
export function texts(values: readonly (string | null)[]): Buffer {
  const lengths = values.map((value) => (value === null ? 0 : Buffer.byteLength(value)));
  const array = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + 4 + length, ARRAY_HEADER_BYTES));
  const header = [1, values.includes(null) ? 1 : 0, TEXT_OID, values.length, 1];
  let at = 0;
  for (const word of header) at = array.writeInt32BE(word, at);
  for (const [index, value] of values.entries()) {
    at = array.writeInt32BE(value === null ? -1 : lengths[index]!, at);
    if (value !== null) at += array.write(value, at);
  }
  return array;
}

/** Returns the row from a statement that always returns one. */
export function firstRow<R>([row]: readonly R[]): R {
  if (row === undefined) throw new Error('the statement returned no row');
  return row;
}

/** Returns the values of the rows by column, one list for each name, for use with `unnest`. */
export const columns = <R, K extends keyof R>(rows: readonly R[], ...names: readonly K[]): R[K][][] =>
  names.map((name) => rows.map((row) => row[name]));
