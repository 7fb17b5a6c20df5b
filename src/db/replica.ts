/**
 * Connections to read replicas. There may be several replicas behind one address, so each connection has a position of its
 * own: how far its replica has replayed the write-ahead log. The position is read on the same connection after each read.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { hasReached, later, NOWHERE, type Position } from '../wire/position.ts';
import { firstRow, openPool, prepared } from './postgres.ts';
import type { PostgresAddress } from './postgres-address.ts';

/** Why a read was not answered by a replica. */
export type Refusal = 'behind' | 'late' | 'down' | 'slow' | 'promoted' | 'other_database' | 'error';

/** Thrown if a replica cannot answer. The read is then sent to the primary. */
export class NotOnReplica extends Error {
  override readonly name = 'NotOnReplica';
  readonly reason: Refusal;

  constructor(reason: Refusal, cause?: unknown) {
    super(`the replica could not answer: ${reason}`, { cause });
    this.reason = reason;
  }
}

/** The database that a server has. A standby has the same one as its primary. */
export interface Identity {
  system: string;
  database: number;
}

export const IDENTITY = `SELECT (pg_control_system()).system_identifier::text AS system,
  (SELECT oid::bigint FROM pg_database WHERE datname = current_database()) AS database`;

const CATCH_UP_PAUSE_MS = 1;
/** A connection that is not made in this time is given up. */
const CONNECT_MS = 1_000;
/** A read that takes longer is repeated on the primary. */
const LONGEST_READ_MS = 5_000;
/** How long the timeline of a connection's replica is believed, in ms. */
const TIMELINE_MS = 1_000;

/**
 * A commit can be seen just before the replay counts its record. If the replica has received more than it has replayed, that
 * may be so. Without a connection to the primary, it is not known how much the replica has received.
 */
const REPLAYED = prepared(
  'replayed position',
  `SELECT pg_is_in_recovery() AS recovering, (r.replayed - '0/0')::float8 AS lsn,
     coalesce(pg_last_wal_receive_lsn() > r.replayed, true) AS "isReplaying"
   FROM (SELECT pg_last_wal_replay_lsn() AS replayed OFFSET 0) r`,
);
/**
 * Each value may be older than the truth, never newer. The first needs the role pg_monitor; without it a replica counts as
 * behind until its first restart point after a failover.
 */
const TIMELINE = prepared(
  'replayed timeline',
  `SELECT greatest((SELECT received_tli FROM pg_stat_wal_receiver), (pg_control_recovery()).min_recovery_end_timeline,
     (pg_control_checkpoint()).timeline_id) AS timeline`,
);

interface Known {
  position: Position;
  timelineAt: number;
}

/** Data that a value in the statement does not fit. The primary would answer the same. */
const isDataError = (error: unknown) => (error as { code?: string }).code?.startsWith('22') === true;

export interface ReplicaOptions {
  address: string | PostgresAddress;
  logger: Pick<Logger, 'warn'>;
  /** Each pool's connection limit, and its settings. Pools are used in turn. */
  pools: number;
  max: number;
  settings: string;
  idleTimeoutMillis?: number;
  /** Returns the primary's database. Called for each new connection. */
  identity(): Promise<Identity>;
  /**
   * Called with each position that a replica has replayed.
   * @param shown a position at or past everything that a read has shown before
   */
  onReplayed(position: Position, shown: Position): void;
}

export class Replica {
  readonly #options: ReplicaOptions;
  readonly #pools: pg.Pool[];
  readonly #known = new WeakMap<pg.PoolClient, Known>();

  constructor(options: ReplicaOptions) {
    const { address, logger, pools, max, settings, idleTimeoutMillis = 180_000 } = options;
    this.#options = options;
    this.#pools = Array.from({ length: pools }, () =>
      openPool(address, logger, max, { settings, idleTimeoutMillis, connectionTimeoutMillis: CONNECT_MS }),
    );
  }

  /** Uses a free pool, the one that has rested longest first, so that each keeps its plans. */
  #pool(): pg.Pool {
    if (this.#pools.length === 1) return this.#pools[0]!;
    const next =
      this.#pools.find(({ idleCount, totalCount, waitingCount }) => idleCount === totalCount && waitingCount === 0) ??
      this.#pools[0]!;
    this.#pools.splice(this.#pools.indexOf(next), 1);
    this.#pools.push(next);
    return next;
  }

  /**
   * Reads on a replica that has replayed up to `needed`.
   * @param patienceMs how long to wait until it has
   * @throws {NotOnReplica} if there is none; errors in the values of a statement are thrown as they are
   */
  async read<T>(needed: Position, patienceMs: number, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    let broken = false;
    let timer: NodeJS.Timeout | undefined;
    try {
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new NotOnReplica('slow')), LONGEST_READ_MS);
      });
      return await Promise.race([this.#readOn(client, { needed, patienceMs }, work), late]);
    } catch (error) {
      const isHarmless = error instanceof NotOnReplica && error.reason === 'behind';
      broken = !isHarmless && !isDataError(error);
      if (error instanceof NotOnReplica || isDataError(error)) throw error;
      throw new NotOnReplica('error', error);
    } finally {
      clearTimeout(timer);
      client.release(broken);
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      return await this.#pool().connect();
    } catch (error) {
      throw new NotOnReplica('down', error);
    }
  }

  async #readOn<T>(
    client: pg.PoolClient,
    { needed, patienceMs }: { needed: Position; patienceMs: number },
    work: (client: pg.PoolClient) => Promise<T>,
  ): Promise<T> {
    if (!this.#known.has(client)) await this.#introduce(client);
    if (!hasReached(this.#known.get(client)!.position, needed)) await this.#catchUp(client, needed, patienceMs);
    const value = await work(client);
    await this.#ask(client);
    return value;
  }

  async #introduce(client: pg.PoolClient): Promise<void> {
    const { rows } = await client.query<Identity>(IDENTITY);
    const own = firstRow(rows);
    const primary = await this.#options.identity();
    if (own.system !== primary.system || own.database !== primary.database) throw new NotOnReplica('other_database');
    await this.#ask(client);
  }

  /** Waits a little until the replica has replayed that far. */
  async #catchUp(client: pg.PoolClient, needed: Position, patienceMs: number): Promise<void> {
    const until = performance.now() + patienceMs;
    while (!hasReached(await this.#ask(client), needed)) {
      if (performance.now() >= until) throw new NotOnReplica('behind');
      await sleep(CATCH_UP_PAUSE_MS);
    }
  }

  async #ask(client: pg.PoolClient): Promise<Position> {
    const { rows } = await client.query<{ recovering: boolean; lsn: number; isReplaying: boolean }>(REPLAYED([]));
    const { recovering, lsn, isReplaying } = firstRow(rows);
    if (!recovering) throw new NotOnReplica('promoted');
    const before = this.#known.get(client) ?? { position: NOWHERE, timelineAt: Number.NEGATIVE_INFINITY };
    let { timelineAt } = before;
    let { timeline } = before.position;
    if (performance.now() - timelineAt > TIMELINE_MS) {
      timelineAt = performance.now();
      const answer = await client.query<{ timeline: number }>(TIMELINE([]));
      timeline = firstRow(answer.rows).timeline;
    }
    const position = later(before.position, { timeline, lsn });
    this.#known.set(client, { position, timelineAt });
    // Only a replica that has replayed one more record has replayed past this byte.
    this.#options.onReplayed(position, isReplaying ? { timeline, lsn: lsn + 1 } : position);
    return position;
  }

  async end(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.end()));
  }
}
