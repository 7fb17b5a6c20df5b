/** Where a replay starts in the log, after a cursor or at a time. */
import { type EventLog, RETENTION_MS } from '../../events/index.ts';
import { invalidParameter, Problem } from '../../http/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { DAY_MS } from '../../wire/time.ts';

/** The log functions that replays need. */
export type ReplayLog = Pick<EventLog, 'range' | 'cursorBefore'>;

/** Where a replay starts. At most one field is set. */
export interface ReplayFrom {
  /** The replay starts after this cursor. */
  cursor?: number | undefined;
  /** The replay starts with events from this time on (ms since 1970). */
  since?: number | undefined;
}

const expired = (what: string, oldest: number) =>
  new Problem('cursor_expired', `${what} are no longer stored.`, { members: { oldest_cursor: oldest } });

/**
 * @returns the cursor to replay after; undefined if no replay is requested
 * @throws {Problem} cursor_expired (with `oldest_cursor`), invalid_parameter
 */
export async function resolveReplay(
  log: ReplayLog,
  clock: Clock,
  { cursor, since }: ReplayFrom,
): Promise<number | undefined> {
  if (cursor !== undefined && since !== undefined) {
    throw invalidParameter('since', 'ambiguous', 'may not be given together with a cursor');
  }
  if (cursor !== undefined) {
    const { oldest } = await log.range();
    if (cursor < oldest) throw expired(`Events up to cursor ${oldest}`, oldest);
    return cursor;
  }
  if (since === undefined) return undefined;
  const now = clock.now();
  if (since > now) throw invalidParameter('since', 'in_the_future', 'must not be in the future');
  if (since < now - RETENTION_MS) {
    const days = RETENTION_MS / DAY_MS;
    throw expired(`Events of more than ${days} days ago`, (await log.range()).oldest);
  }
  return log.cursorBefore(since);
}
