/** The analytical store: a ClickHouse server at an address, or the embedded engine in the data folder. */
import { join } from 'node:path';
import { type ClickHouseClient, ClickHouseError, createClient } from '@clickhouse/client';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { type Loop, type LoopOptions, startLoop } from '../runtime/loop.ts';
import { Turns } from '../runtime/object-pool.ts';
import { tlsError } from '../runtime/tls-error.ts';
import { errorMessage } from '../runtime/unknown-values.ts';
import { type Connection, type Credentials, fixedConnection, LOG, serverConnection } from './clickhouse-connection.ts';

/**
 * Thrown if the store cannot be reached, does not answer in time, or lacks something that a loader creates. The request
 * may be repeated.
 */
export class ClickHouseUnavailable extends Error {
  /** A code that is mapped to 503, like those from Node and the event log. */
  readonly code = 'CLICKHOUSE_AWAY';

  constructor(reason: string, cause?: unknown) {
    super(`ClickHouse is not available: ${reason}`, { cause });
  }
}

export type QueryParameters = Readonly<Record<string, unknown>>;

/** Operations on the store. */
export interface ClickHouse {
  /**
   * @param sql a query without SETTINGS and FORMAT, with parameters as `{name: Type}`
   * @throws {ClickHouseUnavailable}
   * @throws {TypeError} if an integer parameter's value is not a safe integer
   */
  query<R>(sql: string, parameters?: QueryParameters): Promise<R[]>;
  /** Runs a statement that has no result. Statements run in the order of the calls. @throws {ClickHouseUnavailable} */
  command(sql: string, parameters?: QueryParameters): Promise<void>;
  /**
   * @param lines one line of tab-separated values per row, in the table's column order
   * @throws {ClickHouseUnavailable}
   */
  insert(table: string, lines: string): Promise<void>;
  close(): Promise<void>;
}

/** The settings for a server at an address, or for the embedded engine. */
export type ClickHouseConfig = Pick<Config, 'clickhouseUrl' | 'dataDir' | 'clickhouseQueryMemoryMb'> &
  Partial<Pick<Config, 'clickhouseCaFile' | 'clickhouseUrlFile'>>;

export interface OpenClickHouse extends ClickHouse {
  /** Engine version. */
  version: string;
}

/** Time limit for a query, including the wait for a connection. */
const QUERY_TIMEOUT_MS = 5_000;
/** Time limit for an insert, or for a statement that changes a table. */
const WRITE_TIMEOUT_MS = 120_000;
/**
 * Number of connections for queries. Each runs one query at a time, since the embedded engine gives a connection one
 * thread for queries.
 */
const EMBEDDED_READERS = 2;
const SERVER_READERS = 16;
/**
 * Returns settings as part of the statement. Set on an embedded connection, they would also affect later queries.
 * Compilation is off. It saves only microseconds, and takes 100 to 300 ms once a query has been repeated with the same
 * constants.
 */
const settings = (memoryMb: number) =>
  `SETTINGS max_threads = 1, compile_expressions = 0, compile_aggregate_expressions = 0, compile_sort_description = 0, max_execution_time = ${QUERY_TIMEOUT_MS / 1_000}, max_memory_usage = ${memoryMb * 1024 * 1024}, output_format_json_quote_64bit_integers = 0`;

/** Errors in our own statements, for which a retry would not help. The rest depend on the server's state. */
const OUR_MISTAKES = new Set([
  'SYNTAX_ERROR',
  'UNKNOWN_IDENTIFIER',
  'UNKNOWN_FUNCTION',
  'ILLEGAL_TYPE_OF_ARGUMENT',
  'NUMBER_OF_ARGUMENTS_DOESNT_MATCH',
  'TYPE_MISMATCH',
  'NO_COMMON_TYPE',
  'BAD_ARGUMENTS',
  'CANNOT_PARSE_INPUT_ASSERTION_FAILED',
  'BAD_QUERY_PARAMETER',
]);

/** @throws {Error} with a one-line message */
export async function openClickHouse({
  clickhouseUrl: url,
  clickhouseUrlFile: urlFile,
  clickhouseCaFile: caFile,
  dataDir,
  clickhouseQueryMemoryMb,
}: ClickHouseConfig): Promise<OpenClickHouse> {
  const embedded = url === undefined ? await loadEmbedded(dataDir) : null;
  const open = (timeoutMs: number, sockets: number) =>
    embedded?.() ?? serverConnection({ url: url!, urlFile, caFile, timeoutMs, sockets });
  const writer = open(WRITE_TIMEOUT_MS, 1);
  const readers = embedded
    ? Array.from({ length: EMBEDDED_READERS }, () => open(QUERY_TIMEOUT_MS, 1))
    : Array(SERVER_READERS).fill(open(QUERY_TIMEOUT_MS, SERVER_READERS));
  const [version] = await writer
    .run((client, auth) => readRows<{ version: string }>(client, { query: 'SELECT version() AS version', auth }))
    .catch((error) => {
      throw new Error(describeError(error), { cause: error });
    });
  checkVersion(version!.version);
  return connected(version!.version, writer, readers, settings(clickhouseQueryMemoryMb));
}

/** Oldest release, by year and month, that passes the tests. */
const OLDEST_VERSION = [24, 8] as const;

/** @throws {Error} with a one-line message if the server is too old */
function checkVersion(version: string): void {
  const [year = 0, month = 0] = version.split('.').map(Number);
  const [oldestYear, oldestMonth] = OLDEST_VERSION;
  if (year < oldestYear || (year === oldestYear && month < oldestMonth))
    throw new Error(
      `ClickHouse ${version} is too old: Touchline needs ClickHouse ${OLDEST_VERSION.join('.')} or newer`,
    );
}

function connected(
  version: string,
  writer: Connection,
  readers: readonly Connection[],
  querySettings: string,
): OpenClickHouse {
  const reading = new Turns(readers, QUERY_TIMEOUT_MS);
  const writing = new Turns([writer], WRITE_TIMEOUT_MS);
  return {
    version,
    async query(sql, parameters) {
      const statement = withParameters(`${sql} ${querySettings}`, parameters);
      return available(() =>
        reading.take((one) => one.run((client, auth) => readRows(client, { ...statement, auth }))),
      );
    },
    async command(sql, parameters) {
      const statement = withParameters(sql, parameters);
      await available(() => writing.take((one) => one.run((client, auth) => client.command({ ...statement, auth }))));
    },
    async insert(table, lines) {
      if (lines === '') return;
      const query = `INSERT INTO ${table} FORMAT TabSeparated\n${lines}`;
      await available(() => writing.take((one) => one.run((client, auth) => client.command({ query, auth }))));
    },
    async close() {
      await Promise.all([...new Set([writer, ...readers])].map((one) => one.close()));
    },
  };
}

const INTEGER_PARAMETER = /\{(\w+): U?Int\d+\}/g;

/**
 * Writes integers into the statement itself, because only one connection to the embedded engine can have parameters at
 * a time.
 * @throws {TypeError} if an integer parameter's value is not a safe integer
 */
function withParameters(query: string, parameters: QueryParameters | undefined) {
  if (parameters === undefined) return { query };
  const remaining = { ...parameters };
  const filled = query.replace(INTEGER_PARAMETER, (_, name: string) => {
    const value = parameters[name];
    if (!Number.isSafeInteger(value)) throw new TypeError(`the parameter ${name} is not an integer: ${String(value)}`);
    delete remaining[name];
    return String(value);
  });
  return Object.keys(remaining).length === 0 ? { query: filled } : { query: filled, query_params: remaining };
}

async function readRows<R>(
  client: ClickHouseClient,
  statement: ReturnType<typeof withParameters> & { auth: Credentials },
): Promise<R[]> {
  const rows = await client.query({ ...statement, format: 'JSONEachRow' });
  return rows.json<R>();
}

async function available<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ClickHouseError && OUR_MISTAKES.has(error.type ?? '')) throw error;
    throw new ClickHouseUnavailable(describeError(error as Error), error);
  }
}

/** Describes an error in one line. */
const describeError = (error: Error) => tlsError('ClickHouse', error) ?? error.message.split('\n')[0]!;

/** Loads the embedded engine. @returns a function that opens a connection to this process's engine */
async function loadEmbedded(dataDir: string): Promise<() => Connection> {
  let chdb: typeof import('chdb/connection');
  try {
    // The engine takes half a gigabyte and is not in the image, so it is loaded only if it is used.
    chdb = await import('chdb/connection');
  } catch {
    throw new Error(
      'embedded ClickHouse: the package chdb is not installed; set CLICKHOUSE_URL, or run npm install without --omit=optional',
    );
  }
  return () => {
    const connection = chdb.createChdbConnection({ path: join(dataDir, 'clickhouse') });
    return fixedConnection(createClient({ connection, log: LOG } as unknown as Parameters<typeof createClient>[0]));
  };
}

const REOPEN_MS = 2_000;

export interface OpeningClickHouse extends ClickHouse {
  /** Starts opening the store. */
  open(): void;
  isOpen(): boolean;
  /** Resolves after the first attempt to open the store, with the version or the reason why that attempt failed. */
  opened: Promise<{ version: string } | { fault: string }>;
}

/**
 * Opens the store on request and retries until it answers, because a service can start while ClickHouse is down. Until
 * the store is open, every operation fails with ClickHouseUnavailable.
 */
export function lateClickHouse(config: ClickHouseConfig, logger?: Pick<Logger, 'warn'>): OpeningClickHouse {
  let clickhouse: OpenClickHouse | null = null;
  let fault = 'it is not open yet';
  let settle: (opened: { version: string } | { fault: string }) => void;
  const opened = new Promise<{ version: string } | { fault: string }>((resolve) => {
    settle = resolve;
  });
  const openLater: LoopOptions = {
    async run() {
      if (clickhouse !== null) return Number.POSITIVE_INFINITY;
      try {
        clickhouse = await openClickHouse(config);
        settle({ version: clickhouse.version });
      } catch (error) {
        const reason = errorMessage(error);
        if (reason !== fault) logger?.warn(`ClickHouse cannot be opened, retrying: ${reason}`);
        fault = reason;
        settle({ fault });
        return REOPEN_MS;
      }
      return Number.POSITIVE_INFINITY;
    },
    retryMs: REOPEN_MS,
    failed: 'ClickHouse cannot be opened, retrying',
    recovered: 'ClickHouse is open',
  };
  let loop: Loop | null = null;
  const openNow = (): ClickHouse => {
    if (clickhouse === null) throw new ClickHouseUnavailable(fault);
    return clickhouse;
  };
  return {
    open() {
      loop ??= startLoop(openLater);
    },
    isOpen: () => clickhouse !== null,
    opened,
    query: async (sql, parameters) => openNow().query(sql, parameters),
    command: async (sql, parameters) => openNow().command(sql, parameters),
    insert: async (table, lines) => openNow().insert(table, lines),
    async close() {
      await loop?.stop();
      await clickhouse?.close();
    },
  };
}
