/**
 * Measures coverage in small steps. Changed seasons are measured once no more changes arrive, so that an import is not slowed
 * down. Every night, all seasons are measured.
 */
import type pg from 'pg';
import type { PoolAndClock } from '../../db/postgres.ts';
import { utcDay } from '../../wire/time.ts';
import * as queries from './queries.ts';

/** Maximum number of seasons, or of tournaments, in one transaction. */
const SLICE = 50;
/** After more changes than this, all seasons are measured, which is cheaper than finding the changed ones. */
const MANY_CHANGES = 20_000;
/** Everything is measured once a day after this hour (UTC), because fixtures become due without a change. */
const NIGHT_HOUR = 3;

/** If nothing has changed for this long, no import is running, and no match of a live feed is in progress. */
const QUIET_MS = 5_000;
/** Maximum time until a change is measured. */
const LONGEST_WAIT_MS = 300_000;

/** A pass over seasons, with the work that is left. */
interface Pass {
  seasons: number[];
  tournaments: Set<number>;
  /** The change cursor of the newest change that the pass includes. */
  cursor: number;
  /** The day of a pass over all seasons. Null if the pass covers only some seasons. */
  day: string | null;
}

export class CoverageRefresh {
  readonly #deps: PoolAndClock;
  readonly #generation: number;
  readonly #monotonic: () => number;
  #pass: Pass | null = null;
  /**
   * The newest change cursor at the last check, when this cursor was first seen, and when the oldest unmeasured change was
   * first seen.
   */
  #seen: { last: number; at: number; waitingSince: number };

  /**
   * @param generation lease generation
   * @param monotonic clock in milliseconds
   */
  constructor(deps: PoolAndClock, generation: number, monotonic = () => performance.now()) {
    this.#deps = deps;
    this.#generation = generation;
    this.#monotonic = monotonic;
    this.#seen = { last: 0, at: monotonic(), waitingSince: monotonic() };
  }

  /** Runs one transaction, which renews the lease. @returns true if there is more to do @throws {LeaseLost} */
  step(): Promise<boolean> {
    const { pool, clock } = this.#deps;
    const now = clock.now();
    return queries.coverageLease.transaction(
      pool,
      this.#generation,
      async (client) => {
        this.#pass ??= await this.#nextPass(client, now);
        if (this.#pass === null) return false;
        await this.#advance(client, this.#pass, now);
        return this.#pass !== null;
      },
      queries.BOUNDED,
    );
  }

  /** Drops the pass in progress, so that the next step begins a new one. */
  reset(): void {
    this.#pass = null;
  }

  async #nextPass(client: pg.PoolClient, now: number): Promise<Pass | null> {
    const { measured, measuredOn, last, hasNew } = await queries.readCoverageState(client);
    const today = utcDay(now);
    const isNight = measuredOn === null || (measuredOn < today && new Date(now).getUTCHours() >= NIGHT_HOUR);
    // A database that has been restored from a backup has fewer changes than have been measured.
    const isRestored = measured > last;
    const isDue = this.#isDue(last, last !== measured || hasNew);
    if (!isNight && !isRestored && !isDue) return null;
    const isAll = isNight || isRestored || last - measured > MANY_CHANGES;
    const seasons = isAll ? await queries.allSeasons(client) : await queries.changedSeasons(client, measured, last);
    const tournaments = isAll ? await queries.allTournaments(client) : await queries.newTournaments(client);
    return { seasons, tournaments: new Set(tournaments), cursor: last, day: isAll ? today : null };
  }

  async #advance(client: pg.PoolClient, pass: Pass, now: number): Promise<void> {
    const seasons = pass.seasons.splice(0, SLICE);
    if (seasons.length > 0) {
      for (const one of await queries.measureSeasons(client, seasons, now)) pass.tournaments.add(one);
      return;
    }
    const tournaments = [...pass.tournaments].slice(0, SLICE);
    for (const one of tournaments) pass.tournaments.delete(one);
    if (tournaments.length > 0) await queries.storeCoverage(client, tournaments, now);
    if (pass.tournaments.size > 0) return;
    await queries.saveMeasured(client, pass.cursor, pass.day);
    this.#pass = null;
    this.#seen.waitingSince = this.#monotonic();
  }

  #isDue(last: number, isWaiting: boolean): boolean {
    const now = this.#monotonic();
    if (!isWaiting) this.#seen.waitingSince = now;
    if (last !== this.#seen.last) this.#seen = { ...this.#seen, last, at: now };
    return isWaiting && (now - this.#seen.at >= QUIET_MS || now - this.#seen.waitingSince >= LONGEST_WAIT_MS);
  }
}
