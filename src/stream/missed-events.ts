/**
 * Sends missed events to a client that reconnects, one page at a time. A page is read from the ring or, if the ring
 * does not go back far enough, from the log.
 */
import { CursorExpired, type EventLog, type LogRecord, type Ring } from '../events/index.ts';
import { type Connection, UNSENT_BYTES } from './connection.ts';
import { type ConnectionState, lostPosition, replayed, type Step } from './connection-state.ts';
import { wants } from './stream-filter.ts';

const PAGE_RECORDS = 1_000;

/** Reads one page, which is about as large as a socket buffer, so that a stalled client does not keep more in memory. */
async function readAfter(log: EventLog, ring: Ring, cursor: number): Promise<readonly LogRecord[]> {
  const index = ring.indexAfter(cursor);
  if (index === null) return log.read(cursor, { records: PAGE_RECORDS, bytes: UNSENT_BYTES });
  const page: LogRecord[] = [];
  const limit = Math.min(ring.end(), index + PAGE_RECORDS);
  for (let bytes = 0, next = index; next < limit && bytes < UNSENT_BYTES; next += 1) {
    const entry = ring.at(next);
    page.push(entry);
    bytes += entry.bytes;
  }
  return page;
}

/** @returns the step that follows a replaying state, and `read`, the number of events examined for it */
async function nextMissed(
  log: EventLog,
  ring: Ring,
  state: ConnectionState,
  connection: Connection,
): Promise<Step & { read: number }> {
  try {
    const page = await readAfter(log, ring, state.cursor);
    return { ...replayed(state, page, (record) => wants(connection.filter, record)), read: page.length };
  } catch (error) {
    if (error instanceof CursorExpired) return { ...lostPosition(state), read: 0 };
    throw error;
  }
}

/**
 * Sends missed events, a page at a time and no faster than the socket drains.
 * @returns the number of events examined; null if the connection was removed meanwhile
 */
export async function sendMissed(log: EventLog, ring: Ring, connection: Connection): Promise<number | null> {
  let examined = 0;
  for (let state = connection.replaying(); state !== null; state = connection.replaying()) {
    const { read, ...step } = await nextMissed(log, ring, state, connection);
    if (!connection.isOpen()) return null;
    examined += read;
    connection.advance(step);
    if (connection.isStalled()) await connection.drained();
  }
  return connection.isOpen() ? examined : null;
}
