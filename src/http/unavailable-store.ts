/**
 * Tells which errors mean that a store is unreachable or briefly not ready, so that a retry can succeed, unlike after a
 * bug.
 */
import { tlsError } from '../runtime/tls-error.ts';
import { readErrorCode, readMember } from '../runtime/unknown-values.ts';

/** Codes from Node, our event log and ClickHouse. */
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
 * Postgres SQLSTATE: 08 connection errors, 53 lack of connections, memory or disk, 57014 a statement that took too
 * long, 57P01 to 57P03 and 57P05 the server is stopping, has crashed, is starting or recovering, or ends a session;
 * 25006 it is read-only (a standby after a failover); 25P03 and 25P04 a transaction that took too long.
 */
const POSTGRES_CODES = /^(08...|53...|57014|57P0[1235]|25006|25P0[34])$/;

/** Driver errors that have no code. */
const DRIVER_MESSAGES =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Client was closed and is not queryable|Cannot use a pool after calling end)/;

export function isStoreUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = readErrorCode(error);
  if (code !== undefined && (NODE_CODES.has(code) || POSTGRES_CODES.test(code))) return true;
  // A wrong certificate can be renewed.
  if (tlsError('the store', error) !== null) return true;
  // For any reason. A missing Unix socket, for example, is ENOENT.
  return readMember(error, 'syscall') === 'connect' || DRIVER_MESSAGES.test(error.message);
}
