/** The event log as a Kafka topic with one partition. This implementation is for production. */
import type pg from 'pg';
import type { Logger } from 'pino';
import { isReadable, type KafkaAccess } from '../config/kafka.ts';
import { firstRow } from '../db/postgres.ts';
import { errorMessage } from '../runtime/unknown-values.ts';
import { AppendListeners } from './append-listeners.ts';
import { type EventLog, LogAway, type LogWriter } from './event-log.ts';
import { type KafkaOptions, REQUEST_TIMEOUT_MS, UnsupportedKafka } from './kafka-cluster.ts';
import type { KafkaConnection, KafkaRecord } from './kafka-connection.ts';
import { KafkaConnector } from './kafka-connector.ts';
import { KafkaReader } from './kafka-reader.ts';
import { checkTopic } from './kafka-topic.ts';
import { KafkaWatcher } from './kafka-watcher.ts';
import { KafkaWriter } from './kafka-writer.ts';
import { LogTail } from './log-tail.ts';

/** How often readers poll, in case waiting for new records fails. */
const POLL_MS = 1_000;

export interface KafkaLogOptions {
  brokers: readonly string[];
  pool: pg.Pool;
  logger: Pick<Logger, 'warn' | 'debug'>;
  /** The topic's name. By default, the one stored in Postgres. */
  topic?: string | undefined;
  access?: KafkaAccess;
  /** If true, refuses a topic whose settings may lose events. */
  strict?: boolean;
  requestTimeoutMs?: number;
  /** Called when the topic turns out to hold events of another installation. */
  onForeign?: (() => void) | undefined;
}

export type KafkaLog = EventLog & LogWriter;

/**
 * @throws {LogAway} if Kafka does not answer
 * @throws {ForeignTopic} if the topic holds events of another installation
 * @throws {Error} if Kafka is too old or, with `strict`, if the topic's settings may lose events
 */
export async function openKafkaLog(options: KafkaLogOptions): Promise<KafkaLog> {
  const { brokers, pool, logger, access = {}, strict = false, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const installation = await readInstallation(pool);
  const topic = options.topic ?? installation.kafka_topic;
  const kafka: KafkaOptions = {
    brokers,
    topic,
    installation: installation.id,
    onForeign: options.onForeign,
    access,
    requestTimeoutMs,
    debug: (details: object, text: string) => logger.debug(details, text),
  };
  // Two connections, since waiting for new records must not block reading.
  const [reading, watching] = [new KafkaConnector(kafka), new KafkaConnector(kafka)];
  try {
    const connection = await firstConnection(reading, brokers);
    checkTopic(await connection.describe(), { strict, logger });
    await connection.assertOwnEvents();
  } catch (error) {
    reading.close();
    throw error;
  }
  if (isReadable(access.kafkaSasl) && !access.kafkaTls)
    logger.warn(`KAFKA_SASL=${access.kafkaSasl} without KAFKA_TLS=1 sends the secret unencrypted`);
  const lastCursor = async () => {
    const { rows } = await pool.query<{ last: number }>('SELECT base + last_offset AS last FROM relay');
    return firstRow(rows).last;
  };
  const tail = new LogTail<KafkaRecord>(
    ({ offset }) => offset,
    ({ value }) => value,
  );
  const reader = new KafkaReader({ connector: reading, lastCursor, tail });
  const writer = new KafkaWriter({
    pool,
    connector: new KafkaConnector(kafka),
    topic,
    installation: installation.id,
    logger,
  });
  const listeners = new AppendListeners();
  const watcher = new KafkaWatcher(watching, listeners, tail);
  const timer = setInterval(() => listeners.call(), POLL_MS);
  timer.unref();

  return {
    range: () => reader.range(),
    read: (cursor, limit) => reader.read(cursor, limit),
    cursorBefore: (time) => reader.cursorBefore(time),

    onAppend(listener) {
      if (listeners.isEmpty) watcher.wake();
      return listeners.add(listener);
    },

    async close() {
      clearInterval(timer);
      listeners.clear();
      const stopped = watcher.stop();
      reading.close();
      watching.close();
      await Promise.allSettled([stopped, writer.close()]);
    },

    async move(generation, after = 0) {
      const moved = await writer.move(generation, after);
      if (moved > 0) listeners.call();
      return moved;
    },

    prune: (generation, olderThan) => writer.prune(generation, olderThan),
    passLost: (generation) => writer.passLost(generation),
  };
}

async function readInstallation(pool: pg.Pool) {
  const { rows } = await pool.query<{ id: string; kafka_topic: string }>(
    'SELECT database_id AS id, kafka_topic FROM analytics_loader, installation',
  );
  return firstRow(rows);
}

async function firstConnection(connector: KafkaConnector, brokers: readonly string[]): Promise<KafkaConnection> {
  try {
    return await connector.get();
  } catch (error) {
    if (error instanceof UnsupportedKafka) throw error;
    throw new LogAway(error, `Kafka (${brokers.join(', ')}) cannot be used: ${errorMessage(error)}`);
  }
}
