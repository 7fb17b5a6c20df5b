/** An event log in memory, as readers see it. Tests control when a read is answered and when it fails. */
import { CursorExpired, type EventLog, type LogRecord } from '../../src/events/event-log.ts';

export interface MemoryLog extends EventLog {
  append(...records: LogRecord[]): void;
  /** Appends records that this process does not see yet. */
  appendUnseen(...records: LogRecord[]): void;
  /** Makes the hidden records visible. */
  show(): void;
  /** With true, makes all reads fail until it is called with false. */
  fail(down: boolean): void;
  /** Drops all records up to `cursor`. */
  drop(cursor: number): void;
  /** Delays each answer until the returned promise resolves. */
  delay: (() => Promise<void>) | null;
  listeners(): number;
  wake(): void;
}

export function memoryLog(): MemoryLog {
  let records: LogRecord[] = [];
  let visible = 0;
  let oldest = 0;
  let head = 0;
  let down = false;
  const listeners = new Set<() => void>();
  const answer = async () => {
    if (down) throw new Error('the log is away');
    await log.delay?.();
    if (down) throw new Error('the log is away');
  };
  const log: MemoryLog = {
    delay: null,
    append(...more) {
      log.appendUnseen(...more);
      log.show();
    },
    appendUnseen(...more) {
      records.push(...more);
      head = records.at(-1)?.cursor ?? head;
    },
    show() {
      visible = records.length;
      log.wake();
    },
    wake() {
      for (const listener of listeners) listener();
    },
    fail(value) {
      down = value;
    },
    drop(cursor) {
      const count = records.filter((one) => one.cursor <= cursor).length;
      records = records.slice(count);
      visible -= count;
      oldest = cursor;
    },
    listeners: () => listeners.size,
    async range() {
      await answer();
      return { head, oldest };
    },
    async read(cursor, limit) {
      await answer();
      if (cursor < oldest) throw new CursorExpired(oldest);
      let bytes = 0;
      return records
        .slice(0, visible)
        .filter((one) => one.cursor > cursor)
        .slice(0, limit.records)
        .filter((one, index) => {
          bytes += Buffer.byteLength(one.envelope);
          return index === 0 || bytes <= limit.bytes;
        });
    },
    async cursorBefore(time) {
      await answer();
      const from = records.findIndex(({ appendedAt }) => appendedAt >= time);
      return records[(from < 0 ? visible : from) - 1]?.cursor ?? oldest;
    },
    onAppend(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      listeners.clear();
    },
  };
  return log;
}
