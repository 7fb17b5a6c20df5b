/**
 * Notices between processes that matches have changed or that the event log has grown. This process gets its own
 * notices right after the commit, and the other processes get them within milliseconds by NOTIFY. A notice can be lost
 * with its connection, so listeners also poll, or let cached data expire.
 */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import { keepConnected } from './kept-connection.ts';
import type { PostgresAddress } from './postgres-address.ts';

/** Match ids. 'all' if notices may have been missed, or if there were too many ids for one notice. */
export type Changed = readonly number[] | 'all';

/** @param options `events` is true if events for these matches may have been written as well */
export type ChangeListener = (changed: Changed, options: { events: boolean }) => void;

export interface MatchChanges {
  /**
   * Publishes changed matches. Call it after the commit.
   * @param options `events` is true if events for these matches have been written as well
   */
  publish(ids: readonly number[], options?: { events: boolean }): void;
  /** @returns a function that unsubscribes */
  subscribe(listener: ChangeListener): () => void;
  /**
   * The notice to other processes that the event log has grown. The appending transaction sends it by pg_notify, with
   * a text added to `payload`.
   */
  appendNotice: { channel: string; payload: string };
  /**
   * Calls the listener when another process has appended to the event log.
   * @param listener receives the notice's text, or no argument if notices may have been missed
   * @returns a function that unsubscribes
   */
  onAppend(listener: (text?: string) => void): () => void;
  /**
   * Publishes the names of replaced connections that other processes hold. Call it after the commit.
   * @param names without colons
   */
  publishReplaced(names: readonly string[]): void;
  /** Calls the listener with each name that another process has published. @returns a function that unsubscribes */
  onReplaced(listener: (name: string) => void): () => void;
  /**
   * Sends a short statement on the connection for notices, so that it does not wait for a pool connection.
   * @returns null while that connection is lost, or busy with a statement
   */
  ask(text: string, values: unknown[]): Promise<pg.QueryResult> | null;
  /** Publishes that participants were joined or separated. Call it after the commit. */
  publishJoined(): void;
  /**
   * Calls the listener when any process, even this one, has published that participants were joined or separated, or
   * when such a notice may have been missed.
   * @returns a function that unsubscribes
   */
  onJoined(listener: () => void): () => void;
  /** Publishes a sample event for an account's streams. @param text at most SAMPLE_BYTES long */
  publishSample(accountId: number, text: string): void;
  /**
   * Calls the listener with each sample event that any process, even this one, has published. Sample events may be lost.
   * @returns a function that unsubscribes
   */
  onSample(listener: SampleListener): () => void;
  close(): Promise<void>;
}

export type SampleListener = (accountId: number, text: string) => void;

const CHANNEL = 'touchline_changes';
/** Suffix after the ids, if events for these matches have been written as well. */
const EVENTS = 'events';
/** Stands in place of the ids. A text follows, except from earlier releases. */
const APPENDED = 'log';
/** Stands in place of the ids. A connection's name follows. */
const REPLACED = 'replaced ';
/** Stands in place of the ids. Earlier releases ignore it. */
const JOINED = 'joined';
/** Stands in place of the ids. An account's id and a text follow. Earlier releases ignore it. */
const SAMPLE = 'sample';
/** Limit on a sample event's text, in bytes. A notice has at most 8,000. */
const SAMPLE_BYTES = 7_000;
/**
 * Minimum time between two NOTIFY statements. The first one is sent at once. A dedicated connection sends them for the
 * many ingest transactions, because a NOTIFY inside a transaction takes a global lock until the commit. The single
 * relay sends its notices in the transaction that appends.
 */
const NOTIFY_EVERY_MS = 5;
/** Maximum number of ids in a notice, whose payload has at most 8,000 bytes. If there are more, the notice says 'all'. */
const NOTIFY_MAX_IDS = 400;

interface Listeners {
  changed: Set<ChangeListener>;
  appended: Set<(text?: string) => void>;
  replaced: Set<(name: string) => void>;
  joined: Set<() => void>;
  samples: Set<SampleListener>;
}

/** @throws {Error} if Postgres cannot be reached */
export async function openMatchChanges(
  address: string | PostgresAddress,
  logger: Pick<Logger, 'warn'>,
): Promise<MatchChanges> {
  const origin = randomUUID();
  const listeners: Listeners = {
    changed: new Set(),
    appended: new Set(),
    replaced: new Set(),
    joined: new Set(),
    samples: new Set(),
  };
  const connection = await keepListening({ address, origin, listeners, logger });
  const notifier = createNotifier(origin, connection.notify);
  return {
    publish(ids, options = { events: false }) {
      if (ids.length === 0) return;
      for (const listener of listeners.changed) listener(ids, options);
      notifier.addMatches(ids, options.events);
    },
    appendNotice: { channel: CHANNEL, payload: `${origin}:${APPENDED}:` },
    onAppend: (listener) => added(listeners.appended, listener),
    subscribe: (listener) => added(listeners.changed, listener),
    publishReplaced: (names) => notifier.addReplaced(names),
    onReplaced: (listener) => added(listeners.replaced, listener),
    ask: connection.ask,
    publishJoined() {
      for (const listener of listeners.joined) listener();
      notifier.addJoined();
    },
    onJoined: (listener) => added(listeners.joined, listener),
    publishSample(accountId, text) {
      if (Buffer.byteLength(text) > SAMPLE_BYTES) throw new RangeError('the sample event is too long for a notice');
      for (const listener of listeners.samples) listener(accountId, text);
      notifier.addSample(`${SAMPLE}:${accountId}:${text}`);
    },
    onSample: (listener) => added(listeners.samples, listener),
    async close() {
      await notifier.flush();
      await connection.close();
    },
  };
}

/** @returns a function that removes the listener */
function added<L>(listeners: Set<L>, listener: L): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

interface ListenOptions {
  address: string | PostgresAddress;
  /** Identifies this process, which ignores the notices that it has sent itself. */
  origin: string;
  listeners: Listeners;
  logger: Pick<Logger, 'warn'>;
}

async function keepListening({ address, origin, listeners, logger }: ListenOptions) {
  const connection = await keepConnected({
    address,
    name: 'changes',
    logger,
    lost: 'Postgres connection for notices lost, reconnecting',
    async prepare(client) {
      client.on('notification', ({ payload = '' }) => receive(payload));
      await client.query(`SET synchronous_commit = off; LISTEN ${CHANNEL}`);
    },
    onReconnect() {
      for (const listener of listeners.changed) listener('all', { events: true });
      for (const listener of listeners.appended) listener();
      for (const listener of listeners.joined) listener();
    },
  });

  function receive(payload: string): void {
    const [from, what, more] = payload.split(':', 3);
    if (from === origin) return;
    if (what === APPENDED) {
      const text = more === undefined ? undefined : payload.slice(`${from}:${APPENDED}:`.length);
      for (const listener of listeners.appended) listener(text);
    } else if (what === SAMPLE) {
      const text = payload.slice(`${from}:${SAMPLE}:${more}:`.length);
      for (const listener of listeners.samples) listener(Number(more), text);
    } else if (what === JOINED) {
      for (const listener of listeners.joined) listener();
    } else if (what!.startsWith(REPLACED)) {
      for (const listener of listeners.replaced) listener(what!.slice(REPLACED.length));
    } else {
      const changed = what === 'all' ? 'all' : what!.split(',').map(Number);
      for (const listener of listeners.changed) listener(changed, { events: more === EVENTS });
    }
  }

  let isAsked = false;
  return {
    ask(text: string, values: unknown[]) {
      const client = connection.client();
      if (client === null || isAsked) return null;
      isAsked = true;
      return client.query(text, values).finally(() => {
        isAsked = false;
      });
    },
    /** Sends notices. Does nothing while the connection is lost. */
    async notify(payloads: readonly string[]): Promise<void> {
      const client = connection.client();
      // Postgres does not plan NOTIFY, so it takes half the time of a call to pg_notify.
      await client?.query(payloads.map((payload) => `NOTIFY ${CHANNEL}, ${client.escapeLiteral(payload)}`).join('; '));
    },
    close: () => connection.close(),
  };
}

/** Collects notices and sends them at most every NOTIFY_EVERY_MS. */
function createNotifier(origin: string, notify: (payloads: readonly string[]) => Promise<void>) {
  const ids = new Set<number>();
  let replaced: string[] = [];
  let samples: string[] = [];
  let events = false;
  let joined = false;
  let flushed = Number.NEGATIVE_INFINITY;
  let due = false;
  let sending: Promise<unknown> = Promise.resolve();

  function send(): void {
    if (!due) return;
    due = false;
    flushed = performance.now();
    const notices: string[] = [];
    const changed = ids.size > NOTIFY_MAX_IDS ? 'all' : [...ids].join(',');
    if (ids.size > 0) notices.push(events ? `${changed}:${EVENTS}` : changed);
    notices.push(...replaced.map((name) => REPLACED + name), ...(joined ? [JOINED] : []), ...samples);
    ids.clear();
    replaced = [];
    samples = [];
    events = false;
    joined = false;
    const payloads = notices.map((notice) => `${origin}:${notice}`);
    sending = sending.then(() => notify(payloads)).catch(() => {});
  }
  /** Sends at the end of the current turn of the event loop if the last notice is long enough ago. A timer would take a millisecond. */
  function schedule(): void {
    if (due) return;
    due = true;
    const wait = flushed + NOTIFY_EVERY_MS - performance.now();
    if (wait > 0) setTimeout(send, wait);
    else setImmediate(send);
  }

  return {
    addMatches(changed: readonly number[], hasEvents: boolean): void {
      for (const id of changed) ids.add(id);
      events ||= hasEvents;
      schedule();
    },
    addReplaced(names: readonly string[]): void {
      if (names.length === 0) return;
      replaced.push(...names);
      schedule();
    },
    addSample(notice: string): void {
      samples.push(notice);
      schedule();
    },
    addJoined(): void {
      joined = true;
      schedule();
    },
    /** Resolves when all notices are sent or lost. */
    async flush(): Promise<void> {
      send();
      await sending;
    },
  };
}
