/** One page of events after a cursor, for REST and the WebSocket. */
import { z } from 'zod';
import { CursorExpired, type EventFilter, type EventLog, passes } from '../events/index.ts';
import { envelope } from '../wire/envelope.ts';
import { EXAMINED_BYTES, EXAMINED_EVENTS } from './connection-state.ts';

/** Maximum number of events in a page (spec: up to 500). */
export const REPLAY_EVENTS = 500;
/** Number of requests that one page counts as, over REST and over a WebSocket. */
export const REPLAY_COST = 1;
/** Number of records in one read. It is larger than a page, in case few of them pass the filter. */
const READ_RECORDS = 1_000;

export const replayPage = z.strictObject({
  events: z.array(z.strictObject({ cursor: z.int().min(0), ...envelope.shape }).meta({ id: 'EventFrame' })),
  next_cursor: z.int().min(0).meta({ description: "The last cursor examined, which is the next page's `since`" }),
  has_more: z.boolean(),
});

export interface ReplayPage {
  /** Event frames as text. */
  events: string[];
  /** The cursor of the last event examined. */
  nextCursor: number;
  hasMore: boolean;
  /** Number of events that were read for the page. */
  examined: number;
}

/** Renders the start of a WebSocket event. The stored envelope follows, byte for byte, without the first brace. */
export const eventStart = (cursor: number): string => `{"cursor":${cursor},`;

/**
 * Reads at most `limit` events after `since` that pass the filter. No more than EXAMINED_EVENTS events and about
 * `maxBytes` are examined, so a page may be empty although more events follow. If `since` is beyond the log's end, the
 * page is empty and its next cursor is the log's end.
 * @param lastDue the newest cursor that the client may see. A cursor between it and the log's end waits
 * @throws {CursorExpired} if events after `since` are no longer stored
 */
export async function readReplayPage(
  log: EventLog,
  filter: EventFilter,
  since: number,
  limit: number,
  { maxBytes = EXAMINED_BYTES, lastDue = Number.POSITIVE_INFINITY } = {},
): Promise<ReplayPage> {
  const range = await log.range();
  const head = Math.min(range.head, lastDue);
  const oldest = Math.min(range.oldest, lastDue);
  if (since < oldest) throw new CursorExpired(oldest);
  const events: string[] = [];
  let examined = 0;
  if (since >= head) return { events, nextCursor: since > range.head ? head : since, hasMore: false, examined };
  let cursor = since;
  let bytes = 0;
  for (let wanted = limit; cursor < head; wanted = READ_RECORDS) {
    const records = await log.read(cursor, {
      records: Math.min(wanted, EXAMINED_EVENTS - examined),
      bytes: maxBytes - bytes,
    });
    // There are no more records up to the head, only holes.
    if (records.length === 0) return { events, nextCursor: head, hasMore: false, examined };
    for (const record of records) {
      if (record.cursor > lastDue) return { events, nextCursor: cursor, hasMore: false, examined };
      if (events.length === limit) return { events, nextCursor: cursor, hasMore: true, examined };
      if (passes(filter, record)) events.push(eventStart(record.cursor) + record.envelope.slice(1));
      cursor = record.cursor;
      examined += 1;
      bytes += Buffer.byteLength(record.envelope);
    }
    if (events.length === limit || examined >= EXAMINED_EVENTS || bytes >= maxBytes) break;
  }
  return { events, nextCursor: cursor, hasMore: cursor < head, examined };
}
