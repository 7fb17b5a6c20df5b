/**
 * Sends reads to a replica if it has replayed enough, else to the primary (docs/replicas.md). A read needs the positions
 * that clients have named, the changes that notices have named, and all changes that are older than 5 seconds. If a replica
 * refuses a read, the primary answers it, so that a replica never causes an error.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';
import { startLoop } from '../runtime/loop.ts';
import { hasReached, later, NOWHERE, type Position } from '../wire/position.ts';
import type { MatchChanges } from './notices.ts';
import { PLANNED_READ_SETTINGS, READ_CONNECTIONS } from './planned-reads.ts';
import { firstRow, openPool, type Queryable, TRANSACTION_TIMEOUT_S } from './postgres.ts';
import type { PostgresAddress } from './postgres-address.ts';
import { type LogEnd, PrimaryPosition } from './primary-position.ts';
import { ReadFloors } from './read-floors.ts';
import { IDENTITY, type Identity, NotOnReplica, type Refusal, Replica } from './replica.ts';
import { ABOUT, ON_CONNECTION, type Routed, readOnConnection, type Work } from './routed-reads.ts';

/** A replica that is further behind rests (contract of docs/replicas.md). */
const MAX_LAG_MS = 5_000;
/** How often the positions of the primary and the replica are read, and a resting replica is tried. */
const PROBE_MS = 500;
/** How long a read waits until a replica has replayed enough. A standby nearby is 1 or 2 ms behind. */
const CATCH_UP_MS = 6;
/** Reads do not wait for a replica that was further behind than this at the last probe. */
const CATCHES_UP_S = 0.05;

const READ_SETTINGS = `SET default_transaction_read_only = on; SET statement_timeout = '${TRANSACTION_TIMEOUT_S}s'`;

export interface ReadRouterOptions {
  readUrl: string | PostgresAddress;
  databaseUrl: string | PostgresAddress;
  pool: pg.Pool;
  reads: Queryable;
  changes: Pick<MatchChanges, 'subscribe'>;
  logger: Pick<Logger, 'warn' | 'info'>;
  registry: Registry;
  /** Maximum number of connections to replicas for the reads of routes. */
  connections: number;
}

/** Where a kind of read is sent. */
interface Lane {
  replica: Replica;
  primary: Queryable;
}

export class ReadRouter {
  /** For reads that may be answered by a replica. Connections that are taken from it are the primary's. */
  readonly pool: pg.Pool;
  readonly reads: Queryable;
  /** The same for reads that need the primary. */
  readonly primary: { pool: pg.Pool; reads: Queryable };
  readonly #logger: ReadRouterOptions['logger'];
  readonly #asker: pg.Pool;
  readonly #position: PrimaryPosition;
  readonly #floors: ReadFloors;
  readonly #lanes: Lane[];
  readonly #counts: Counter<'target' | 'reason'>;
  readonly #loop: ReturnType<typeof startLoop>;
  #identity: Promise<Identity> | null = null;
  /** The furthest position that this process has read, on any server. */
  #shown = NOWHERE;
  #replayed = NOWHERE;
  /** The lag at the last probe. */
  #lagSeconds = 0;
  /** Why the replica rests. Null if it is used. */
  #resting: Refusal | null = null;

  /** Resolves when the primary's position is known, or the primary does not answer. */
  static async open(options: ReadRouterOptions): Promise<ReadRouter> {
    const router = new ReadRouter(options);
    await router.committed();
    return router;
  }

  private constructor({
    readUrl,
    databaseUrl,
    pool,
    reads,
    changes,
    logger,
    registry,
    connections,
  }: ReadRouterOptions) {
    this.#logger = logger;
    this.#asker = openPool(databaseUrl, logger, 1);
    this.#position = new PrimaryPosition(this.#asker, () => performance.now());
    this.#floors = new ReadFloors(changes, () => this.#logEnd());
    const shared = {
      address: readUrl,
      logger,
      identity: () => this.#readIdentity(),
      onReplayed: (position: Position, shown: Position) => {
        this.#replayed = later(this.#replayed, position);
        this.#shown = later(this.#shown, shown);
      },
    };
    const lane = (options: { pools: number; max: number; settings: string }, primary: Queryable): Lane => ({
      replica: new Replica({ ...shared, ...options }),
      primary,
    });
    const general = lane({ pools: 1, max: connections, settings: READ_SETTINGS }, pool);
    const planned = lane({ pools: READ_CONNECTIONS, max: 1, settings: PLANNED_READ_SETTINGS }, reads);
    this.#lanes = [general, planned];
    this.pool = this.#routed(general, pool) as pg.Pool;
    this.reads = this.#routed(planned, reads);
    this.primary = { pool: this.#onPrimary(pool) as pg.Pool, reads: this.#onPrimary(reads) };
    this.#counts = new Counter({
      name: 'touchline_replica_reads_total',
      help: 'Reads that may use a replica, by target (replica or primary) and, for the primary, the reason (docs/replicas.md).',
      labelNames: ['target', 'reason'],
      registers: [registry],
    });
    const lag = () =>
      this.#resting === null || this.#resting === 'late' ? this.#position.secondsPast(this.#replayed) : Number.NaN;
    new Gauge({
      name: 'touchline_replica_lag_seconds',
      help: 'For how long the primary has been past what the read replica has replayed; NaN if it did not answer.',
      registers: [registry],
      collect() {
        this.set(lag());
      },
    });
    this.#loop = startLoop({ run: () => this.#probe(), retryMs: PROBE_MS });
  }

  /** The furthest position that this process has read. A reply that was read before this call shows nothing later. */
  get shown(): Position {
    return this.#shown;
  }

  /** Returns a position that every read has reached that begins now. @param match null for a list */
  beginRead(match: number | null): Position {
    return this.#floors.needed(match === null ? null : [match]);
  }

  /** True if every read has reached this position. */
  covers(position: Position): boolean {
    return this.#floors.covers(position);
  }

  /**
   * Makes every read reach this position, if a replica has.
   * @returns `primary` if only the primary has, or if it does not answer; `unknown` if not even the primary has
   */
  async reach(position: Position): Promise<'reached' | 'primary' | 'unknown'> {
    if (!hasReached(this.#replayed, position)) {
      const isKnown = hasReached(this.#position.latest.inserted, position);
      const latest = isKnown ? this.#position.latest : await this.#logEnd();
      if (latest !== null && !hasReached(latest.inserted, position)) return 'unknown';
      if (this.#resting === null) await this.#catchUp(position);
    }
    if (!hasReached(this.#replayed, position)) return 'primary';
    this.#floors.raise(position);
    return 'reached';
  }

  /**
   * Returns a position at or past every commit before this call that waited for the disk, such as a commit of a feed. Null if the
   * primary does not answer.
   */
  async committed(): Promise<Position | null> {
    return (await this.#logEnd())?.flushed ?? null;
  }

  async #logEnd(): Promise<LogEnd | null> {
    return this.#position.ask().catch(() => null);
  }

  async close(): Promise<void> {
    this.#floors.close();
    await this.#loop.stop();
    await Promise.all([...this.#lanes.map(({ replica }) => replica.end()), this.#asker.end()]);
  }

  async #catchUp(position: Position): Promise<void> {
    const { replica } = this.#lanes[0]!;
    await replica.read(position, this.#patience, async () => {}).catch((error: unknown) => this.#refused(error));
  }

  get #patience(): number {
    return this.#lagSeconds > CATCHES_UP_S ? 0 : CATCH_UP_MS;
  }

  async #readIdentity(): Promise<Identity> {
    this.#identity ??= this.#asker.query<Identity>(IDENTITY).then(({ rows }) => firstRow(rows));
    this.#identity.catch(() => {
      this.#identity = null;
    });
    return this.#identity;
  }

  #routed(lane: Lane, base: Queryable): Queryable {
    const query = (ids: readonly number[] | null) =>
      ((...parameters: Parameters<pg.Pool['query']>) =>
        this.#read(
          lane,
          ids,
          (client) => client.query(...parameters) as unknown as Promise<unknown>,
          () => lane.primary.query(...parameters) as unknown as Promise<unknown>,
        )) as unknown as pg.Pool['query'];
    const routed = Object.create(base) as Queryable & Routed;
    routed.query = query(null);
    routed[ABOUT] = (ids) => ({ query: query(ids) });
    routed[ON_CONNECTION] = (work, at) => {
      const onPrimary = () => readOnConnection(base as pg.Pool, work);
      return at === null ? this.#fromPrimary('cursor', onPrimary) : this.#read(lane, null, work, onPrimary, at);
    };
    return routed;
  }

  #onPrimary(base: Queryable): Queryable {
    const routed = Object.create(base) as Queryable & Routed;
    routed.query = ((...parameters: Parameters<pg.Pool['query']>) =>
      this.#fromPrimary(
        'named',
        () => base.query(...parameters) as unknown as Promise<unknown>,
      )) as unknown as pg.Pool['query'];
    routed[ON_CONNECTION] = (work) => this.#fromPrimary('named', () => readOnConnection(base as pg.Pool, work));
    return routed;
  }

  async #read<T>(
    { replica }: Lane,
    ids: readonly number[] | null,
    onReplica: Work<T>,
    onPrimary: () => Promise<T>,
    at: Position = NOWHERE,
  ): Promise<T> {
    if (this.#resting !== null) return this.#fromPrimary(this.#resting, onPrimary);
    if (this.#floors.isUnsettled(ids) && !(await this.#floors.settled())) return this.#fromPrimary('behind', onPrimary);
    const oldest = this.#position.before(MAX_LAG_MS);
    const needed = later(later(this.#floors.needed(ids), oldest), at);
    try {
      const value = await replica.read(needed, this.#patience, onReplica);
      this.#counts.inc({ target: 'replica', reason: '' });
      return value;
    } catch (error) {
      const reason = this.#refused(error);
      if (reason === null) throw error;
      return this.#fromPrimary(reason, onPrimary);
    }
  }

  async #fromPrimary<T>(reason: Refusal | 'cursor' | 'named', read: () => Promise<T>): Promise<T> {
    this.#counts.inc({ target: 'primary', reason });
    const value = await read();
    // Without the log end, the reply would carry a position that is older than what it shows. A second failure fails the read.
    const end = (await this.#logEnd()) ?? (await this.#position.ask());
    this.#shown = later(this.#shown, end.inserted);
    return value;
  }

  /** Lets the replica rest if it cannot be used. @returns null for an error that is not the replica's */
  #refused(error: unknown): Refusal | null {
    if (!(error instanceof NotOnReplica)) return null;
    const isLate = error.reason === 'behind' && !hasReached(this.#replayed, this.#position.before(MAX_LAG_MS));
    const reason = isLate ? 'late' : error.reason;
    // A statement that fails, for example because it conflicts with the replay, says nothing about the next one.
    if (reason !== 'behind' && reason !== 'error') this.#rest(reason, error.cause);
    return reason;
  }

  #rest(reason: Refusal, cause: unknown): void {
    if (this.#resting === null)
      this.#logger.warn({ reason, err: cause }, 'the read replica rests, reads use the primary');
    this.#resting = reason;
  }

  async #probe(): Promise<number> {
    const before = this.#position.latest.inserted;
    const position = (await this.#logEnd())?.inserted;
    if (position === undefined) {
      this.#identity = null;
      return PROBE_MS;
    }
    if (position.timeline > before.timeline && before.timeline > 0) this.#startTimeline(position);
    // This repeats a failed question.
    this.#floors.settle();
    const oldest = this.#position.before(MAX_LAG_MS);
    try {
      await this.#lanes[0]!.replica.read(oldest, 0, async () => {});
      this.#lagSeconds = this.#position.secondsPast(this.#replayed);
      if (this.#resting !== null) this.#logger.info('the read replica is used again');
      this.#resting = null;
    } catch (error) {
      const reason = error instanceof NotOnReplica ? error.reason : 'error';
      this.#rest(reason === 'behind' ? 'late' : reason, (error as Error).cause);
      if (reason === 'other_database') this.#identity = null;
    }
    return PROBE_MS;
  }

  #startTimeline(position: Position): void {
    this.#floors.startTimeline(position);
    this.#shown = position;
    this.#replayed = NOWHERE;
  }
}
