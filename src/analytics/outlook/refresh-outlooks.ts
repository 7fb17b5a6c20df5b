/** Keeps the outlooks of running seasons fresh, and computes missing ones for past weeks, one at a time. */
import type pg from 'pg';
import { findSeason } from '../../competitions/index.ts';
import type { ClickHouse } from '../../db/clickhouse.ts';
import { firstRow } from '../../db/postgres.ts';
import { DAY_MS } from '../../wire/time.ts';
import { formatDate } from '../samples/match-samples.ts';
import { computeOutlook, storedSample } from './outlook.ts';
import { missingDay, staleOutlooks, storeOutlook } from './stored-outlooks.ts';

/** Time after which a search runs even if the loader has loaded nothing, because rules and the date can change too. */
const IDLE_SEARCH_MS = 30_000;

export interface OutlookStores {
  pool: pg.Pool;
  clickhouse: ClickHouse;
  clock: { now(): number };
}

export class OutlookRefresh {
  readonly #stores: OutlookStores;
  /** The loader's position at the last search that found nothing, and the time of that search (monotonic, in ms). */
  #cursor: number | null = null;
  #searched = Number.NEGATIVE_INFINITY;
  /** Seasons whose last attempt failed. They come last, so that they do not delay the rest. */
  readonly #failed = new Set<number>();

  constructor(stores: OutlookStores) {
    this.#stores = stores;
  }

  /**
   * Computes one outlook.
   * @param pause called between pieces of work; it throws to stop the work
   * @returns whether there was anything to do
   * @throws {ClickHouseUnavailable}
   */
  async step(pause: () => Promise<void>): Promise<boolean> {
    const { pool, clock } = this.#stores;
    const { rows } = await pool.query<{ loaded: number }>('SELECT loaded_cursor AS loaded FROM analytics_loader');
    const { loaded } = firstRow(rows);
    if (loaded === this.#cursor && performance.now() - this.#searched < IDLE_SEARCH_MS) return false;
    const now = clock.now();
    const all = await staleOutlooks(pool, now);
    const stale = all.find(({ season_id }) => !this.#failed.has(season_id)) ?? all[0];
    if (stale !== undefined) {
      this.#failed.add(stale.season_id);
      await this.#compute({ ...stale, day: formatDate(now / 1_000), now }, pause);
      this.#failed.delete(stale.season_id);
      return true;
    }
    const missing = await missingDay(pool, now);
    if (missing !== null) {
      // The outlook is for the end of that day. It needs no version, since no request compares the version of a past day.
      await this.#compute({ ...missing, version: '', now: Date.parse(missing.day) + DAY_MS }, pause);
      return true;
    }
    this.#cursor = loaded;
    this.#searched = performance.now();
    return false;
  }

  async #compute(
    due: { tournament_id: number; season_id: number; era: number; version: string; day: string; now: number },
    pause: () => Promise<void>,
  ): Promise<void> {
    const { pool, clickhouse, clock } = this.#stores;
    const { tournament_id, season_id, era, version, day, now } = due;
    const season = await findSeason(pool, tournament_id, season_id, day);
    // The season was merged in the meantime.
    if (season === null) return;
    const sample = storedSample(clickhouse, era, tournament_id);
    const outlook = await computeOutlook(pool, season, { now, sample, pause });
    await storeOutlook(pool, { season: season_id, day, version, outlook }, clock.now());
  }
}
