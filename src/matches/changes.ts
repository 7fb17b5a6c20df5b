/** The notice that matches have changed: to this process at once after the commit, to others within milliseconds by NOTIFY. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { APPLICATION } from '../db/postgres.ts';

/** 'all': some notice may have been missed, or there were too many to name. */
export type Changed = readonly number[] | 'all';

export interface MatchChanges {
  /** To be called after the commit. */
  publish(ids: readonly number[]): void;
  /** @returns ends the subscription */
  subscribe(listener: (changed: Changed) => void): () => void;
  close(): Promise<void>;
}

const CHANNEL = 'touchline_changes';
/** No NOTIFY inside a write transaction (it takes a global lock): one per 5 ms on a connection of its own. */
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
  let closed = false;
  let client: pg.Client | null = null;
  const pending = new Set<number>();
  let timer: NodeJS.Timeout | null = null;
  let sending: Promise<unknown> = Promise.resolve();

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString, application_name: `${APPLICATION} changes` });
    next.on('error', () => {});
    next.on('notification', ({ payload = '' }) => {
      const [from, ids] = payload.split(':');
      if (from !== origin) tell(ids === 'all' ? 'all' : ids!.split(',').map(Number));
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
        return;
      } catch {}
    }
  }

  function flush(): void {
    timer = null;
    const ids = pending.size > NOTIFY_MAX_IDS ? 'all' : [...pending].join(',');
    pending.clear();
    // Lost with the connection: the others read the change when their cache's time is over.
    sending = sending
      .then(() => client?.query('SELECT pg_notify($1, $2)', [CHANNEL, `${origin}:${ids}`]))
      .catch(() => {});
  }

  await connect();
  return {
    publish(ids) {
      if (ids.length === 0) return;
      tell(ids);
      for (const id of ids) pending.add(id);
      timer ??= setTimeout(flush, NOTIFY_EVERY_MS);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closed = true;
      if (timer !== null) {
        clearTimeout(timer);
        flush();
      }
      await sending;
      await client?.end().catch(() => {});
    },
  };
}
