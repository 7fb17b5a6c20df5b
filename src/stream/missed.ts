/** What a connection that comes back has missed, a page at a time: from the ring where it reaches so far, else from the log. */
import { CursorExpired, type EventLog, type LogRecord } from '../events/event-log.ts';
import { type EventFilter, passes } from '../events/filter.ts';
import type { Ring } from '../events/ring.ts';
import { UNSENT_BYTES } from './connection.ts';
import { lostPlace, replayed, type Session, type Step } from './session.ts';

const PAGE_RECORDS = 1_000;

/** A page about as large as what a socket may hold, so that a reader that stalls holds no more. */
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

/** @returns the next step of a session that is replaying; `read`: events examined for it */
export async function nextMissed(
  log: EventLog,
  ring: Ring,
  { session, filter }: { session: Session; filter: EventFilter },
): Promise<Step & { read: number }> {
  try {
    const page = await readAfter(log, ring, session.cursor);
    return { ...replayed(session, page, (record) => passes(filter, record)), read: page.length };
  } catch (error) {
    if (error instanceof CursorExpired) return { ...lostPlace(session), read: 0 };
    throw error;
  }
}
