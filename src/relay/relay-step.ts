/**
 * One step by the leading relay. It moves a batch of events into the log, assigns a batch of change cursors, and drops
 * old events from the log.
 */
import type pg from 'pg';
import { LeaseLost } from '../db/lease.ts';
import { allResults, BY_INDEX } from '../db/postgres.ts';
import { type LogWriter, mayHaveMore, RELAY_BATCH, RETENTION_MS } from '../events/index.ts';
import type { Clock } from '../runtime/clock.ts';
import { assignChangeCursors, CHANGE_BATCH } from './change-cursors.ts';
import { createQueueFloor, lastId } from './queue-floor.ts';

/** How often an idle relay renews the lease and checks the log's end. */
const RENEW_EVERY_MS = 1_000;
const PRUNE_EVERY_MS = 60_000;
/** Maximum time that changes wait for all events to be moved first, so that a renamed league never delays a goal … */
const CURSORS_WAIT_MS = 250;
/** … and time between two batches of change cursors, because a transaction for each goal would cost more than the goal itself. */
const CURSORS_EVERY_MS = 50;

interface Waiting {
  events: boolean;
  changes: boolean;
  /**
   * True if events have reached the log since change cursors were last assigned. Until the next assignment, the log's
   * end and the last change cursor do not belong together.
   */
  unassigned: boolean;
}

export class RelayStep {
  readonly #pool: pg.Pool;
  readonly #log: LogWriter;
  readonly #clock: Clock;
  readonly #outbox = createQueueFloor();
  readonly #changes = createQueueFloor();
  #lastMove = Number.NEGATIVE_INFINITY;
  #lastCursors = Number.NEGATIVE_INFINITY;
  #lastPrune = Number.NEGATIVE_INFINITY;

  constructor(pool: pg.Pool, log: LogWriter, clock: Clock) {
    this.#pool = pool;
    this.#log = log;
    this.#clock = clock;
  }

  /**
   * Runs one step.
   * @param hasEvents whether events are known to be waiting; they are then moved at once, without a poll
   * @returns the work that was found; `more` if there may be more
   * @throws {LeaseLost}
   */
  async run(lease: number, hasEvents: boolean): Promise<'nothing' | 'some' | 'more'> {
    const after = { outbox: this.#outbox.begin(), changes: this.#changes.begin() };
    let moved = 0;
    let failure: unknown = null;
    const move = async () => {
      try {
        moved += await this.#log.move(lease, after.outbox);
        this.#lastMove = performance.now();
      } catch (error) {
        if (error instanceof LeaseLost) throw error;
        // Change cursors are still assigned, since sync does not need the log, which may be unavailable for hours.
        failure = error;
      }
    };
    if (hasEvents) await move();
    const waiting = await this.#poll(lease, after);
    const isDue = waiting.events || performance.now() - this.#lastMove >= RENEW_EVERY_MS;
    if (isDue && failure === null) await move();
    const allMoved = !mayHaveMore(moved, RELAY_BATCH);
    const assigned = await this.#assignCursors(lease, after.changes, waiting, allMoved);
    if (failure !== null) throw failure;
    const pruned = await this.#prune(lease);
    if (!allMoved || assigned === CHANGE_BATCH || pruned > 0) return 'more';
    return moved > 0 || waiting.changes ? 'some' : 'nothing';
  }

  /** Forgets earlier answers from Postgres, since they may no longer be true after a failure. */
  reset(): void {
    this.#outbox.reset();
    this.#changes.reset();
  }

  /** Looks for work in one statement, since an idle relay mostly finds none. */
  async #poll(lease: number, after: { outbox: number; changes: number }): Promise<Waiting> {
    const [, polled] = allResults(await this.#pool.query(POLL(lease, after)));
    const waiting: Waiting | undefined = polled?.rows[0];
    if (waiting === undefined) throw new LeaseLost();
    if (!waiting.events) await this.#outbox.drained(() => lastId(this.#pool, 'outbox'));
    if (!waiting.changes) await this.#changes.drained(() => lastId(this.#pool, 'match_touch'));
    return waiting;
  }

  /** @returns how many pending changes were taken */
  async #assignCursors(lease: number, after: number, waiting: Waiting, allMoved: boolean): Promise<number> {
    const waited = performance.now() - this.#lastCursors;
    const isDue = waited >= (waiting.changes && allMoved ? CURSORS_EVERY_MS : CURSORS_WAIT_MS);
    if (!isDue || !(waiting.changes || waiting.unassigned)) return 0;
    const assigned = await assignChangeCursors(this.#pool, lease, after);
    this.#lastCursors = assigned === CHANGE_BATCH ? Number.NEGATIVE_INFINITY : performance.now();
    return assigned;
  }

  /** @returns how many events were dropped */
  async #prune(lease: number): Promise<number> {
    const now = this.#clock.now();
    if (now - this.#lastPrune < PRUNE_EVERY_MS) return 0;
    this.#lastPrune = now;
    const pruned = await this.#log.prune(lease, new Date(now - RETENTION_MS));
    if (pruned > 0) this.#lastPrune = Number.NEGATIVE_INFINITY;
    return pruned;
  }
}

const POLL = (lease: number, after: { outbox: number; changes: number }) => `${BY_INDEX};
  SELECT EXISTS (SELECT 1 FROM outbox WHERE id > ${after.outbox}) AS events,
    EXISTS (SELECT 1 FROM match_touch WHERE id > ${after.changes}) AS changes,
    stamped_cursor IS DISTINCT FROM base + last_offset AS unassigned
  FROM relay WHERE generation = ${lease}`;
