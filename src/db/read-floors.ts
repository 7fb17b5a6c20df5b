/**
 * The positions that reads must have reached: the positions that clients have named, and the positions of the changes that
 * notices have named.
 */
import { LRUCache } from 'lru-cache';
import { within } from '../runtime/time-limit.ts';
import { hasReached, later, NOWHERE, type Position } from '../wire/position.ts';
import type { Changed, MatchChanges } from './notices.ts';
import type { LogEnd } from './primary-position.ts';

/** How long a read waits for the position of the notices that have just arrived. After that it is sent to the primary. */
const NOTICE_MS = 50;
/** Number of matches for which a notice's position is kept. */
const MAX_MATCHES = 10_000;

/** Matches that notices have named. */
interface Noticed {
  ids: Set<number>;
  all: boolean;
  /** False if one of the changes did not wait for the disk. */
  isFlushed: boolean;
}

export class ReadFloors {
  readonly #logEnd: () => Promise<LogEnd | null>;
  readonly #unsubscribe: () => void;
  /** Everything that clients have named and a replica had replayed, so that no read of this process is older. */
  #floor = NOWHERE;
  #listFloor = NOWHERE;
  readonly #matchFloors = new LRUCache<number, Position>({
    max: MAX_MATCHES,
    dispose: (position, _id, reason) => {
      if (reason === 'evict') this.#floor = later(this.#floor, position);
    },
  });
  /** Matches that notices have named since the last question to the primary. */
  #noticed: Noticed | null = null;
  #settling: (Noticed & { done: Promise<void> }) | null = null;

  /** @param logEnd asks the primary where the log ends; null if the primary does not answer */
  constructor(changes: Pick<MatchChanges, 'subscribe'>, logEnd: () => Promise<LogEnd | null>) {
    this.#logEnd = logEnd;
    this.#unsubscribe = changes.subscribe((changed, { events }) =>
      this.#onNotice(changed, events && changed !== 'all'),
    );
  }

  /** Returns the position that a read must have reached. @param ids the matches that it shows; null for a list */
  needed(ids: readonly number[] | null): Position {
    if (ids === null) return later(this.#floor, this.#listFloor);
    let needed = this.#floor;
    for (const id of ids) {
      const floor = this.#matchFloors.get(id);
      if (floor !== undefined) needed = later(needed, floor);
    }
    return needed;
  }

  /** Makes every read reach this position. */
  raise(position: Position): void {
    this.#floor = later(this.#floor, position);
  }

  /** True if every read has reached this position. */
  covers(position: Position): boolean {
    return hasReached(this.#floor, position);
  }

  /** True if a notice has named something that the read shows, and its position is not known yet. */
  isUnsettled(ids: readonly number[] | null): boolean {
    return [this.#noticed, this.#settling].some(
      (batch) => batch !== null && (ids === null || batch.all || ids.some((id) => batch.ids.has(id))),
    );
  }

  /** @returns false if the position for the notices does not become known in time */
  async settled(): Promise<boolean> {
    const settle = async () => {
      // Notices that arrive meanwhile belong to later reads, so two rounds are enough.
      for (let round = 0; round < 2; round += 1) await this.#settling?.done;
      // If the primary has not answered, the notices wait until `settle` is called again.
      return this.#settling !== null || this.#noticed === null;
    };
    return within(NOTICE_MS, settle(), false);
  }

  /** Asks the primary for a position that includes the changes in the notices. Call it again after a failed question. */
  settle(): void {
    if (this.#settling !== null || this.#noticed === null) return;
    const batch = this.#noticed;
    this.#noticed = null;
    this.#settling = { ...batch, done: this.#settleBatch(batch) };
  }

  /** After a failover, changes that the new primary lacks are lost, so no read can need them. */
  startTimeline(position: Position): void {
    this.#floor = position;
    this.#listFloor = position;
    this.#matchFloors.clear();
  }

  close(): void {
    this.#unsubscribe();
  }

  #onNotice(changed: Changed, isFlushed: boolean): void {
    this.#noticed ??= { ids: new Set(), all: false, isFlushed: true };
    this.#noticed.isFlushed &&= isFlushed;
    if (changed === 'all') this.#noticed.all = true;
    else for (const id of changed) this.#noticed.ids.add(id);
    this.settle();
  }

  async #settleBatch({ ids, all, isFlushed }: Noticed): Promise<void> {
    const end = await this.#logEnd();
    this.#settling = null;
    if (end === null) {
      const since: Noticed | null = this.#noticed;
      this.#noticed = {
        ids: new Set([...ids, ...(since?.ids ?? [])]),
        all: all || since?.all === true,
        isFlushed: isFlushed && since?.isFlushed !== false,
      };
      return;
    }
    const position = isFlushed ? end.flushed : end.inserted;
    this.#listFloor = later(this.#listFloor, position);
    if (all) this.#floor = later(this.#floor, position);
    for (const id of ids) this.#matchFloors.set(id, position);
    this.settle();
  }
}
