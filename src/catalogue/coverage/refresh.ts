/**
 * Measures the coverage in the background: of what has changed when changes have ended, so that an import is not slowed down, and of
 * everything once a night. It works in small steps with pauses in between: at most a fifth of one connection of Postgres.
 */
import type pg from 'pg';
import { LeaseLost, leaseHolder } from '../../db/lease.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type Loop, startLoop } from '../../runtime/loop.ts';
import { wireTime } from '../../wire/time.ts';
import * as queries from './queries.ts';

/** Seasons, and tournaments, of one transaction. */
const SLICE = 50;
/** After more changes than these every season is measured, which is cheaper than to find out which ones have changed. */
const MANY_CHANGES = 20_000;
/** The hour (UTC) from which on everything is measured once a day: fixtures become due without a change. */
const NIGHT_HOUR = 3;

/** Between two looks for changes; shorter than the lease, which each of them renews. */
const LOOK_MS = 2_000;
/** Without a change for this long an import has ended, and no match of a live feed is being played. */
const QUIET_MS = 5_000;
/** What has changed waits no longer than this. */
const LONGEST_WAIT_MS = 300_000;
/** The pause after a step, in times of its duration; shorter than the lease. */
const PAUSE_FACTOR = 4;
const LONGEST_PAUSE_MS = 5_000;
const RETRY_MS = 30_000;

export interface CoverageDeps {
  pool: pg.Pool;
  clock: Clock;
  logger: NonNullable<Parameters<typeof startLoop>[0]['logger']>;
}

/** What is left of a pass. */
interface Pass {
  seasons: number[];
  tournaments: Set<number>;
  /** Changes up to here are in it. */
  cursor: number;
  /** The day, where every season is measured. */
  day: string | null;
}

export class CoverageRefresh {
  readonly #deps: Pick<CoverageDeps, 'pool' | 'clock'>;
  readonly #generation: number;
  readonly #monotonic: () => number;
  #pass: Pass | null = null;
  /** What was there at the last look, since when, and since when something waits to be measured. */
  #seen: { last: number; at: number; waitingSince: number };

  /**
   * @param generation of the lease
   * @param monotonic milliseconds
   */
  constructor(deps: Pick<CoverageDeps, 'pool' | 'clock'>, generation: number, monotonic = () => performance.now()) {
    this.#deps = deps;
    this.#generation = generation;
    this.#monotonic = monotonic;
    this.#seen = { last: 0, at: monotonic(), waitingSince: monotonic() };
  }

  /** One transaction, which renews the lease. @returns whether there is more to do. @throws {LeaseLost} */
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

  /** What was under way is measured again. */
  reset(): void {
    this.#pass = null;
  }

  async #nextPass(client: pg.PoolClient, now: number): Promise<Pass | null> {
    const { measured, measuredOn, last, hasNew } = await queries.readCoverageState(client);
    const today = wireTime(now).slice(0, 10);
    const isNight = measuredOn === null || (measuredOn < today && new Date(now).getUTCHours() >= NIGHT_HOUR);
    // A database that was restored from a backup has fewer changes than were measured.
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

/** @returns ends it after the step under way */
export function startCoverage(deps: CoverageDeps): Loop {
  const holder = leaseHolder();
  const { pool, logger } = deps;
  let leading: { generation: number; refresh: CoverageRefresh } | null = null;

  const loop = startLoop({
    async run() {
      if (leading === null) {
        const generation = await queries.coverageLease.take(pool, holder);
        if (generation === null) return LOOK_MS;
        leading = { generation, refresh: new CoverageRefresh(deps, generation) };
      }
      const begun = performance.now();
      const hasMore = await leading.refresh.step();
      return hasMore ? Math.min(PAUSE_FACTOR * (performance.now() - begun), LONGEST_PAUSE_MS) : LOOK_MS;
    },
    onError(error) {
      // The transaction was rolled back, the pass was not.
      leading?.refresh.reset();
      if (!(error instanceof LeaseLost)) return false;
      leading = null;
      return true;
    },
    retryMs: RETRY_MS,
    failed: 'measuring the coverage failed, retrying',
    recovered: 'the coverage is measured again',
    logger,
  });

  return {
    wake: loop.wake,
    async stop() {
      await loop.stop();
      if (leading !== null) await queries.coverageLease.release(pool, leading.generation).catch(() => {});
    },
  };
}
