/**
 * The event log as a Kafka topic of one partition: what production uses. An append without an answer is settled from the log, never by
 * hope: on any doubt the connection is thrown away and the log is read from the last known offset to its end.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import { BATCH_BYTES, BATCH_RECORDS, CursorExpired, type EventLog, LogAway, type LogWriter } from './event-log.ts';
import { type KafkaLink, type KafkaTopic, OffsetOutOfRange, openLink } from './kafka-client.ts';
import { REQUEST_TIMEOUT_MS, TOPIC_IN_SYNC, TOPIC_REPLICAS, TOPIC_SETTINGS } from './kafka-cluster.ts';
import { kafkaReader } from './kafka-reader.ts';
import { type OutboxEvent, toRecord } from './kafka-record.ts';
import { raised, readPosition, settleRecords, writePosition } from './kafka-settle.ts';
import { underLease } from './lease.ts';

export const KAFKA_TOPIC = 'touchline.events';
/** Readers look this often even when nothing calls them. */
const POLL_MS = 100;
/** The broker answers a wait for new records after this at the latest. */
const WATCH_MS = 1_000;
const WATCH_AGAIN_MS = 500;
/** At start Kafka is waited for so long. */
const START_MS = 20_000;
const START_AGAIN_MS = 2_000;
const SETTLE_BYTES = 1024 * 1024;

export interface KafkaLogOptions {
  brokers: readonly string[];
  pool: pg.Pool;
  logger: Pick<Logger, 'info' | 'warn' | 'debug'>;
  topic?: string;
  /** Refuses a topic whose settings may lose events. */
  strict?: boolean;
  requestTimeoutMs?: number;
}

export type KafkaLog = EventLog & LogWriter;

/** @throws when Kafka does not answer, or with `strict` the topic's settings are not safe */
export async function openKafkaLog(options: KafkaLogOptions): Promise<KafkaLog> {
  const { brokers, pool, logger, topic = KAFKA_TOPIC, strict = false, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const connection = {
    brokers,
    topic,
    requestTimeoutMs,
    debug: (details: object, text: string) => logger.debug(details, text),
  };
  const links = new Set<KafkaLink>();
  let closed = false;

  /** A link of its own for each of reading, watching and writing, opened again whenever it is broken. */
  function slot() {
    let link: Promise<KafkaLink> | null = null;
    let ready: KafkaLink | null = null;
    const drop = () => {
      if (ready !== null) links.delete(ready);
      ready?.close();
      ready = null;
      link = null;
    };
    const open = async () => {
      const opened = await openLink(connection);
      links.add(opened);
      if (closed) opened.close();
      ready = opened;
      return opened;
    };
    return {
      drop,
      healthy: () => ready !== null && !ready.broken(),
      async get(): Promise<KafkaLink> {
        if (closed) throw new Error('the event log is closed');
        if (ready?.broken()) drop();
        link ??= open();
        const own = link;
        try {
          return await own;
        } catch (error) {
          if (link === own) link = null;
          throw error;
        }
      },
    };
  }
  const reading = slot();
  const watching = slot();
  const writing = slot();

  // ---- reading

  const reader = kafkaReader(async () => {
    const { rows } = await pool.query<{ last: number }>('SELECT base + last_offset AS last FROM relay');
    return rows[0]!.last;
  });

  /**
   * Reading again does no harm, and a link may have died long ago.
   * @throws {LogAway}
   */
  async function withReader<T>(work: (link: KafkaLink) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      const link = await reading.get().catch((error) => {
        throw new LogAway(error);
      });
      try {
        return await work(link);
      } catch (error) {
        if (error instanceof CursorExpired) throw error;
        if (!(error instanceof OffsetOutOfRange)) link.close();
        if (tries === 2) throw new LogAway(error);
      }
    }
  }

  const listeners = new Set<() => void>();
  const wake = () => {
    for (const listener of listeners) listener();
  };
  const timer = setInterval(wake, POLL_MS);
  timer.unref();

  let endPause: () => void = () => {};
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const waiting = setTimeout(resolve, ms);
      endPause = () => {
        clearTimeout(waiting);
        resolve();
      };
    });
  let watcher: Promise<void> | null = null;

  /** Waits at the log's end while somebody listens, so that readers of other processes are called at once. */
  async function watch(): Promise<void> {
    let next: number | null = null;
    while (!closed && listeners.size > 0) {
      try {
        const link = await watching.get();
        next ??= (await link.bounds()).end;
        const { records } = await link.fetch(next, { bytes: 1, waitMs: WATCH_MS });
        if (records.length === 0) continue;
        next = records.at(-1)!.offset + 1;
        wake();
      } catch (error) {
        next = null;
        if (error instanceof OffsetOutOfRange) continue;
        watching.drop();
        if (!closed) await pause(WATCH_AGAIN_MS);
      }
    }
    watching.drop();
    watcher = null;
  }

  // ---- writing

  /** The lease under which the log's end is known; null: it has to be settled first. */
  let settled: number | null = null;
  let lastTopicId: string | null = null;

  async function settle(generation: number): Promise<void> {
    writing.drop();
    // Without the lease there is nothing to settle.
    await underLease(pool, generation, async () => {});
    const link = await writing.get();
    const { start, end } = await link.bounds();
    const created = lastTopicId !== null && lastTopicId !== link.topicId;
    let position = await underLease(pool, generation, async (client) => {
      const before = await readPosition(client);
      if (!created && end >= before.last_offset) return before;
      const after = raised(before, end);
      await writePosition(client, after);
      logger.warn(
        { before, after, topic },
        'the Kafka topic was created anew or has lost its end; cursors go on upwards',
      );
      return after;
    });
    lastTopicId = link.topicId;
    for (let next = Math.max(position.last_offset, start); next < end; ) {
      const { records } = await link.fetch(next, { bytes: SETTLE_BYTES });
      if (records.length === 0) break;
      const page = await underLease(pool, generation, (client) => settleRecords(client, records, position));
      position = page.position;
      if (page.raisedMatches.length > 0) {
        logger.warn(
          { matches: page.raisedMatches },
          'Postgres is older than the log; the sequences of these matches go on behind it',
        );
      }
      next = position.last_offset;
    }
    settled = generation;
  }

  async function moveOnce(generation: number, after: number): Promise<number> {
    if (settled !== generation || !writing.healthy()) await settle(generation);
    const link = await writing.get();
    let misplaced: number | null = null;
    try {
      const moved = await underLease(pool, generation, async (client) => {
        const { rows } = await client.query<OutboxEvent>(TAKE, [BATCH_RECORDS, BATCH_BYTES, after]);
        if (rows.length === 0) return 0;
        const { base, last_offset } = await readPosition(client);
        if ((await link.currentTopicId()) !== link.topicId) throw new Error('the Kafka topic was created anew');
        const first = await link.append(rows.map((row) => toRecord(row, generation, base)));
        if (first < last_offset) {
          misplaced = first + rows.length;
          throw new Error('the Kafka topic has lost its end');
        }
        await client.query('DELETE FROM outbox WHERE id = ANY ($1)', [rows.map(({ id }) => id)]);
        await writePosition(client, { base, last_offset: first + rows.length });
        return rows.length;
      });
      if (moved > 0) wake();
      return moved;
    } catch (error) {
      settled = null;
      writing.drop();
      if (misplaced !== null) await passMisplaced(generation, misplaced);
      throw error;
    }
  }

  async function pruneOnce(generation: number, olderThan: Date): Promise<number> {
    try {
      return await underLease(pool, generation, async () => {
        const link = await writing.get();
        const { start, end } = await link.bounds();
        const keep = (await link.offsetAt(olderThan.getTime())) ?? end;
        return keep > start ? (await link.dropBefore(keep)) - start : 0;
      });
    } catch (error) {
      writing.drop();
      throw error;
    }
  }

  /** What was appended with cursors of before counts for nobody; it is appended again behind them. */
  async function passMisplaced(generation: number, end: number): Promise<void> {
    await underLease(pool, generation, async (client) =>
      writePosition(client, raised(await readPosition(client), end)),
    );
  }

  let last: Promise<unknown> = Promise.resolve();
  /** One batch in flight. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work, work);
    last = result.catch(() => {});
    return result;
  }

  try {
    checkTopic(await (await firstLink()).describe(), { strict, logger });
  } catch (error) {
    clearInterval(timer);
    reading.drop();
    throw error;
  }

  /** Kafka may be starting beside us. */
  async function firstLink(): Promise<KafkaLink> {
    for (const end = performance.now() + START_MS; ; ) {
      try {
        return await reading.get();
      } catch (error) {
        const reason = `Kafka (${brokers.join(', ')}) cannot be used: ${(error as Error).message}`;
        if (performance.now() > end) throw new Error(reason, { cause: error });
        logger.warn(reason);
        await pause(START_AGAIN_MS);
      }
    }
  }

  return {
    range: () => withReader((link) => reader.range(link)),
    read: (cursor, limit) => withReader((link) => reader.read(link, cursor, limit)),

    onAppend(listener) {
      listeners.add(listener);
      watcher ??= watch();
      return () => listeners.delete(listener);
    },

    async close() {
      closed = true;
      clearInterval(timer);
      listeners.clear();
      endPause();
      for (const one of [reading, watching, writing]) one.drop();
      for (const link of links) link.close();
      await Promise.allSettled([watcher, last]);
    },

    move: (generation, after = 0) => inTurn(() => moveOnce(generation, after)),

    prune: (generation, olderThan) => inTurn(() => pruneOnce(generation, olderThan)),
  };
}

/** @throws with `strict`, when events could be lost or come out of order */
function checkTopic(
  { partitions, replicas, settings }: KafkaTopic,
  { strict, logger }: { strict: boolean; logger: Pick<Logger, 'warn'> },
): void {
  const faults: string[] = [];
  const demand = (sound: boolean, text: string) => {
    if (!sound) faults.push(text);
  };
  const number = (name: string) => Number(settings[name]);
  demand(partitions === 1, `it has ${partitions} partitions, not 1`);
  demand(replicas >= TOPIC_REPLICAS, `it has ${replicas} replicas, not ${TOPIC_REPLICAS}`);
  demand(number('min.insync.replicas') >= TOPIC_IN_SYNC, `min.insync.replicas is below ${TOPIC_IN_SYNC}`);
  const retention = number('retention.ms');
  demand(retention === -1 || retention >= Number(TOPIC_SETTINGS['retention.ms']), 'retention.ms is below 7 days');
  demand(
    number('max.message.bytes') >= Number(TOPIC_SETTINGS['max.message.bytes']),
    'max.message.bytes is below 1048588',
  );
  for (const name of ['cleanup.policy', 'retention.bytes', 'unclean.leader.election.enable'] as const) {
    demand(settings[name] === TOPIC_SETTINGS[name], `${name} is ${settings[name]}, not ${TOPIC_SETTINGS[name]}`);
  }
  if (faults.length === 0) return;
  if (strict) throw new Error(`the Kafka topic is not safe: ${faults.join('; ')}`);
  logger.warn({ faults }, 'the Kafka topic may lose events');
}

/** The oldest rows within the bounds, but always one. */
const TAKE = `SELECT id, match_id, sport, tournament_id, type, envelope FROM (
    SELECT *, sum(octet_length(envelope)) OVER (ORDER BY id) AS bytes, row_number() OVER (ORDER BY id) AS place
    FROM (SELECT * FROM outbox WHERE id > $3 ORDER BY id LIMIT $1) o
  ) oldest WHERE bytes <= $2 OR place = 1 ORDER BY id`;
