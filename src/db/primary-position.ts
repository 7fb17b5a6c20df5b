/** Asks the primary how far its write-ahead log has come. Questions at the same time share one answer. */
import { NOWHERE, type Position } from '../wire/position.ts';
import { firstRow, prepared, type Queryable } from './postgres.ts';

/**
 * Where the primary's write-ahead log ends. A commit that waits for the disk is seen only once it is flushed. Imports do not
 * wait (apply/write), so their commits may be seen before that.
 */
export interface LogEnd {
  /** At or past everything that could be seen. */
  inserted: Position;
  /** At or past every commit that waits for the disk. A replica reaches it sooner. */
  flushed: Position;
}

/** The first eight hex digits of a segment's name are the timeline. If no commit waits for the disk, none may be left out. */
const ASK = prepared(
  'end of the log',
  `SELECT ('x' || left(pg_walfile_name(e.inserted), 8))::bit(32)::int AS timeline, (e.inserted - '0/0')::float8 AS inserted,
     (CASE WHEN current_setting('synchronous_commit') = 'off' THEN e.inserted ELSE e.flushed END - '0/0')::float8 AS flushed
   FROM (SELECT pg_current_wal_flush_lsn() AS flushed, pg_current_wal_insert_lsn() AS inserted OFFSET 0) e`,
);

/** How long earlier positions are kept, in ms. */
const KEPT_MS = 10_000;
/** Minimum time between two positions that are kept, in ms. */
const APART_MS = 100;

export class PrimaryPosition {
  readonly #db: Queryable;
  readonly #now: () => number;
  #asking: Promise<LogEnd> | null = null;
  #next: Promise<LogEnd> | null = null;
  /** Answers with the times of the questions, oldest first. */
  readonly #earlier: { at: number; position: Position }[] = [];
  latest: LogEnd = { inserted: NOWHERE, flushed: NOWHERE };

  constructor(db: Queryable, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  /** Returns the end of the log after this call. */
  ask(): Promise<LogEnd> {
    if (this.#asking === null) return this.#begin();
    this.#next ??= this.#asking.then(
      () => this.#begin(),
      () => this.#begin(),
    );
    return this.#next;
  }

  #begin(): Promise<LogEnd> {
    this.#next = null;
    const asking = this.#read().finally(() => {
      if (this.#asking === asking) this.#asking = null;
    });
    this.#asking = asking;
    return asking;
  }

  async #read(): Promise<LogEnd> {
    const at = this.#now();
    const { rows } = await this.#db.query<{ timeline: number; inserted: number; flushed: number }>(ASK([]));
    const { timeline, inserted, flushed } = firstRow(rows);
    const position = { timeline, lsn: flushed };
    this.latest = { inserted: { timeline, lsn: inserted }, flushed: position };
    const last = this.#earlier.at(-1);
    if (last === undefined || at - last.at >= APART_MS) this.#earlier.push({ at, position });
    while (this.#earlier.length > 1 && at - this.#earlier[1]!.at > KEPT_MS) this.#earlier.shift();
    return this.latest;
  }

  /** Returns the newest position that was known this long ago, or the first one after that. */
  before(ms: number): Position {
    const limit = this.#now() - ms;
    const found = this.#earlier.findLast(({ at }) => at <= limit) ?? this.#earlier[0];
    return found?.position ?? NOWHERE;
  }

  /** Returns for how long the primary has been past this position, in seconds. 0 if it is not past it. */
  secondsPast({ lsn }: Position): number {
    if (this.latest.flushed.lsn <= lsn) return 0;
    const first = this.#earlier.find(({ position }) => position.lsn > lsn);
    return first === undefined ? 0 : Math.max(0, this.#now() - first.at) / 1_000;
  }
}
