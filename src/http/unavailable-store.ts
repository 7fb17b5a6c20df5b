/**
 * Recognizes errors that mean that a store is unreachable or briefly not ready. After such an error, unlike after a
 * bug, a retry can succeed.
 */
import { tlsError } from '../runtime/tls-error.ts';
import { readErrorCode, readMember } from '../runtime/unknown-values.ts';

/** Error codes from Node, from our event log and from our ClickHouse client. */
const NODE_CODES = new Set([
  'LOG_AWAY',
  'CLICKHOUSE_AWAY',
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  // The driver writes to a socket that the server has closed.
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
]);

/**
 * Matches Postgres SQLSTATE codes. 08 is a connection error, and 53 a lack of connections, memory or disk. 57014 is a
 * statement that took too long. With 57P01 to 57P03 and 57P05 the server is stopping, has crashed, is starting or
 * recovering, or ends a session. 25006 is a read-only server (a standby after a failover). 25P03 and 25P04 are a
 * transaction that took too long.
 */
const POSTGRES_CODES = /^(08...|53...|57014|57P0[1235]|25006|25P0[34])$/;

/** Messages of driver errors that have no code. */
const DRIVER_MESSAGES =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Client was closed and is not queryable|Cannot use a pool after calling end)/;

export function isStoreUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = readErrorCode(error);
  if (code !== undefined && (NODE_CODES.has(code) || POSTGRES_CODES.test(code))) return true;
  // A certificate error counts as unavailable, because the certificate can be renewed.
  if (tlsError('the store', error) !== null) return true;
  // A failed connection counts, whatever the error code. A missing Unix socket, for example, has the code ENOENT.
  return readMember(error, 'syscall') === 'connect' || DRIVER_MESSAGES.test(error.message);
}
