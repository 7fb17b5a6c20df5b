/**
 * The event log for a role that rarely reads it. It is opened on first use, so that the role can start and run while
 * the log is unavailable.
 */
import { type EventLog, LogAway } from './event-log.ts';

export type LateEventLog = Pick<EventLog, 'range' | 'read' | 'cursorBefore' | 'close'>;

/** @param open opens the log; if it fails, the reader gets LogAway, and the next use calls it again */
export function lateEventLog(open: () => Promise<EventLog>): LateEventLog {
  let opening: Promise<EventLog> | null = null;
  async function opened(): Promise<EventLog> {
    opening ??= open();
    const mine = opening;
    try {
      return await mine;
    } catch (error) {
      if (opening === mine) opening = null;
      throw new LogAway(error);
    }
  }
  return {
    range: async () => (await opened()).range(),
    read: async (cursor, limit) => (await opened()).read(cursor, limit),
    cursorBefore: async (time) => (await opened()).cursorBefore(time),
    async close() {
      const log = await opening?.catch(() => null);
      await log?.close();
    },
  };
}
