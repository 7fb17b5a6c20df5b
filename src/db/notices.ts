/** The notice that matches have changed, or that the log has grown: to this process at once after the commit, to others within milliseconds by NOTIFY. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { APPLICATION } from './postgres.ts';

/** 'all': some notice may have been missed, or there were too many to name. */
export type Changed = readonly number[] | 'all';

export interface MatchChanges {
  /** To be called after the commit. */
  publish(ids: readonly number[]): void;
  /** @returns ends the subscription */
  subscribe(listener: (changed: Changed) => void): () => void;
  /** To be called when events have come into the log. */
  publishAppend(): void;
  /** Calls back when another process has said so. @returns ends the subscription */
  onAppend(listener: () => void): () => void;
  close(): Promise<void>;
}

const CHANNEL = 'touchline_changes';
/** In place of ids. */
const APPENDED = 'log';
/** No NOTIFY inside a write transaction (it takes a global lock): one per 5 ms on a connection of its own, the first at once. */
const NOTIFY_EVERY_MS = 5;
/** A payload has at most 8,000 bytes; more ids than fit are 'all'. */
const NOTIFY_MAX_IDS = 400;
const RECONNECT_MS = 500;

export async function openMatchChanges(connectionString: string, logger: Pick<Logger, 'warn'>): Promise<MatchChanges> {
  const origin = randomUUID();
  const listeners = new Set<(changed: Changed) => void>();
  const tell = (changed: Changed) => {
    for (const listener of listeners) listener(changed);
  };
  const appendListeners = new Set<() => void>();
  let closed = false;
  let client: pg.Client | null = null;
  const pending = new Set<number>();
  let appended = false;
  let flushed = Number.NEGATIVE_INFINITY;
  let due = false;
  let sending: Promise<unknown> = Promise.resolve();

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString, application_name: `${APPLICATION} changes` });
    next.on('error', () => {});
    next.on('notification', ({ payload = '' }) => {
      const [from, what] = payload.split(':');
      if (from === origin) return;
      if (what === APPENDED) for (const listener of appendListeners) listener();
      else tell(what === 'all' ? 'all' : what!.split(',').map(Number));
    });
    try {
      await next.connect();
      await next.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      await next.end().catch(() => {});
      throw error;
    }
    // Not before: one that has never been there is tried again by whoever wanted it.
    next.once('end', () => {
      client = null;
      if (!closed) void reconnect();
    });
    client = next;
  }

  async function reconnect(): Promise<void> {
    logger.warn('the connection that listens for changes was lost');
    while (!closed) {
      await sleep(RECONNECT_MS, undefined, { ref: false });
      try {
        await connect();
        tell('all');
        for (const listener of appendListeners) listener();
        return;
      } catch {}
    }
  }

  function flush(): void {
    if (!due) return;
    due = false;
    flushed = performance.now();
    const notices: string[] = [];
    if (pending.size > 0) notices.push(pending.size > NOTIFY_MAX_IDS ? 'all' : [...pending].join(','));
    if (appended) notices.push(APPENDED);
    pending.clear();
    appended = false;
    const payloads = notices.map((notice) => `${origin}:${notice}`);
    // Lost with the connection: the others read the change when their cache's time is over, and the log at their next look.
    sending = sending
      .then(() => client?.query('SELECT pg_notify($1, payload) FROM unnest($2::text[]) payload', [CHANNEL, payloads]))
      .catch(() => {});
  }
  /** At the end of this turn, where the last notice is long enough ago: a timer would take a millisecond. */
  const soon = () => {
    if (due) return;
    due = true;
    const wait = flushed + NOTIFY_EVERY_MS - performance.now();
    if (wait > 0) setTimeout(flush, wait);
    else setImmediate(flush);
  };

  await connect();
  return {
    publish(ids) {
      if (ids.length === 0) return;
      tell(ids);
      for (const id of ids) pending.add(id);
      soon();
    },
    publishAppend() {
      appended = true;
      soon();
    },
    onAppend(listener) {
      appendListeners.add(listener);
      return () => appendListeners.delete(listener);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closed = true;
      flush();
      await sending;
      await client?.end().catch(() => {});
    },
  };
}
