/**
 * Writes the Kafka log for the relay. If an append gets no reply, the writer does not assume an outcome, but reads it
 * from the log. After any doubt, it drops the connection, and reads the log from the last known offset to the end
 * before it appends anything else.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import { firstRow } from '../db/postgres.ts';
import { isTracing } from '../runtime/tracing.ts';
import { RESTORED_STEP } from './event-log.ts';
import type { KafkaConnection } from './kafka-connection.ts';
import type { KafkaConnector } from './kafka-connector.ts';
import { type OutboxEvent, toRecord } from './kafka-record.ts';
import {
  POSITION,
  type Position,
  raised,
  readPosition,
  setPosition,
  settleRecords,
  writePosition,
} from './kafka-settle.ts';
import { RELAY_BATCH } from './relay-batch.ts';
import { relayLease } from './relay-lease.ts';
import { SendSpans } from './send-spans.ts';

const SETTLE_BYTES = 1024 * 1024;
/** How often the lease is renewed while connecting to Kafka. */
const RENEW_EVERY_MS = 1_000;

export interface KafkaWriterDeps {
  pool: pg.Pool;
  connector: KafkaConnector;
  topic: string;
  /** This installation's id. */
  installation: string;
  logger: Pick<Logger, 'warn'>;
}

/** Thrown if the topic ends before the last record that the relay has appended. */
class EndLost extends Error {
  readonly end: number;

  /** @param end offset after the appended records, whose cursors had been used before */
  constructor(end: number) {
    super('the Kafka topic has lost its newest records');
    this.end = end;
  }
}

export class KafkaWriter {
  readonly #pool: pg.Pool;
  readonly #connector: KafkaConnector;
  readonly #topic: string;
  readonly #installation: string;
  readonly #logger: Pick<Logger, 'warn'>;
  /** The lease generation in which the log's end has been read. Null if the log has to be settled first. */
  #settled: number | null = null;
  #lastTopicId: string | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ pool, connector, topic, installation, logger }: KafkaWriterDeps) {
    this.#pool = pool;
    this.#connector = connector;
    this.#topic = topic;
    this.#installation = installation;
    this.#logger = logger;
  }

  /** As in LogWriter. */
  move(generation: number, after: number): Promise<number> {
    return this.#inTurn(() => this.#move(generation, after));
  }

  /** As in LogWriter. */
  prune(generation: number, olderThan: Date): Promise<number> {
    return this.#inTurn(() => this.#prune(generation, olderThan));
  }

  /** As in LogWriter. The topic is read first, since it may have records that Postgres does not know of. */
  passLost(generation: number): Promise<void> {
    return this.#inTurn(async () => {
      await this.#settle(generation);
      await relayLease.transaction(this.#pool, generation, async (client) => {
        const { base, last_offset } = await readPosition(client);
        await writePosition(client, { base: base + RESTORED_STEP, last_offset });
      });
    });
  }

  /** Resolves when work in progress has ended. */
  async close(): Promise<void> {
    this.#connector.close();
    await this.#last;
  }

  /** Runs one piece of work at a time, so that there is only one batch in flight. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work, work);
    this.#last = result.catch(() => {});
    return result;
  }

  async #move(generation: number, after: number): Promise<number> {
    const settled = this.#settled === generation ? this.#connector.healthy() : null;
    const connection = settled ?? (await this.#settle(generation));
    // Awaited later, so that the check runs in parallel with Postgres.
    const sameTopic = connection.assertSameTopic();
    sameTopic.catch(() => {});
    try {
      return await relayLease.transaction(
        this.#pool,
        generation,
        async (client, [taken, position]) => {
          const rows: OutboxEvent[] = taken?.rows ?? [];
          if (rows.length === 0) return 0;
          await sameTopic;
          await this.#append(client, connection, generation, rows, firstRow<Position>(position?.rows ?? []));
          return rows.length;
        },
        [take(after), POSITION],
      );
    } catch (error) {
      this.#settled = null;
      this.#connector.drop();
      if (error instanceof EndLost) await this.#passMisplaced(generation, error.end);
      throw error;
    }
  }

  /** @param connection the connection on which the log's end was settled */
  async #append(
    client: pg.PoolClient,
    connection: KafkaConnection,
    generation: number,
    rows: readonly OutboxEvent[],
    { base, last_offset }: Position,
  ): Promise<void> {
    const origin = { installation: this.#installation, generation, base };
    const spans = isTracing() ? new SendSpans(rows, this.#topic) : null;
    const first = await connection
      .append(rows.map((row, index) => toRecord(row, origin, spans?.traceparent(index))))
      .catch((error) => {
        spans?.endFailed(error);
        throw error;
      });
    spans?.end(first);
    if (first < last_offset) throw new EndLost(first + rows.length);
    // A process has appended meanwhile: either a former leader or another installation. In the second case, this
    // fetch refuses the records.
    if (first > last_offset) await connection.fetch(last_offset, { bytes: 1 });
    await client.query(
      `DELETE FROM outbox WHERE id = ANY ('{${rows.map(({ id }) => id)}}');
       ${setPosition({ base, last_offset: first + rows.length })}`,
    );
  }

  /**
   * Raises the base because records were appended with cursors that had been assigned before. Readers ignore these
   * records, and the events are appended again with later cursors.
   */
  async #passMisplaced(generation: number, end: number): Promise<void> {
    await relayLease.transaction(this.#pool, generation, async (client) =>
      writePosition(client, raised(await readPosition(client), end)),
    );
  }

  /** Makes Postgres agree with the log. @returns the connection on which the log's end is known */
  async #settle(generation: number): Promise<KafkaConnection> {
    this.#connector.drop();
    // Fails if the lease is lost, so that nothing is settled without it.
    await relayLease.transaction(this.#pool, generation, async () => {});
    const connection = await this.#keepingLease(generation, this.#connector.get());
    const { start, end } = await connection.bounds();
    const isRecreated = this.#lastTopicId !== null && this.#lastTopicId !== connection.topicId;
    let position = await relayLease.transaction(this.#pool, generation, async (client) => {
      const before = await readPosition(client);
      if (!isRecreated && end >= before.last_offset) return before;
      const after = raised(before, end);
      await writePosition(client, after);
      this.#logger.warn(
        { before, after, topic: this.#topic },
        'the Kafka topic was re-created or has lost its newest records, continuing with larger cursors',
      );
      return after;
    });
    this.#lastTopicId = connection.topicId;
    for (let next = Math.max(position.last_offset, start); next < end; ) {
      const { records } = await connection.fetch(next, { bytes: SETTLE_BYTES });
      if (records.length === 0) break;
      const page = await relayLease.transaction(this.#pool, generation, (client) =>
        settleRecords(client, records, position),
      );
      position = page.position;
      if (page.raisedMatches.length > 0) {
        this.#logger.warn(
          { matches: page.raisedMatches },
          'Postgres is older than the event log, raising the event sequences of these matches',
        );
      }
      next = position.last_offset;
    }
    this.#settled = generation;
    return connection;
  }

  /**
   * Renews the lease while a connection is opened. Skipping brokers that have vanished takes seconds, and the lease
   * would expire meanwhile.
   */
  async #keepingLease<T>(generation: number, opening: Promise<T>): Promise<T> {
    const renew = () => relayLease.transaction(this.#pool, generation, async () => {}).catch(() => {});
    const timer = setInterval(renew, RENEW_EVERY_MS);
    return opening.finally(() => clearInterval(timer));
  }

  async #prune(generation: number, olderThan: Date): Promise<number> {
    try {
      return await relayLease.transaction(this.#pool, generation, async () => {
        const connection = await this.#connector.get();
        const { start, end } = await connection.bounds();
        const keep = (await connection.offsetAt(olderThan.getTime())) ?? end;
        return keep > start ? (await connection.dropBefore(keep)) - start : 0;
      });
    } catch (error) {
      this.#connector.drop();
      throw error;
    }
  }
}

/** Selects the oldest rows after an id, up to the limit. The first row is included even if it alone exceeds the limit. */
const take = (
  after: number,
) => `SELECT id, match_id, sport, tournament_id, type, envelope, traceparent, (extract(epoch FROM created_at) * 1000)::float8 AS committed_at FROM (
    SELECT *, sum(octet_length(envelope)) OVER (ORDER BY id) AS bytes, row_number() OVER (ORDER BY id) AS ordinal
    FROM (SELECT * FROM outbox WHERE id > ${after} ORDER BY id LIMIT ${RELAY_BATCH.records}) o
  ) oldest WHERE bytes <= ${RELAY_BATCH.bytes} OR ordinal = 1 ORDER BY id`;
