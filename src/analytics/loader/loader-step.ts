/**
 * One step by the leading loader, which writes changes to the current copy, and then to the copy that is being built.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { ClickHouse } from '../../db/clickhouse.ts';
import { requestCopy } from '../../db/loader-copy.ts';
import {
  applyCounting,
  type LoaderState,
  loaderLease,
  readLoaderState,
  saveBuilt,
  saveLoaded,
  saveLoss,
  switchTo,
} from './current-copy.ts';
import { dropEra, loadedUpTo, savePosition, storedEras, writeHistory } from './history.ts';
import { COUNTING, type HistoryPage, readHistoryPage } from './history-page.ts';
import { mergeOdds, moveOdds } from './odds.ts';

/** Maximum number of changes per insert. ClickHouse stores three rows for each change. */
const PAGE = 5_000;
/** Interval between lease renewals while idle. The lease lasts 10 s. */
const RENEW_MS = 2_000;
/** Interval at which the loader checks that ClickHouse still has the loaded rows. */
const CHECK_MS = 2_000;
/**
 * Number of changes after which the position is saved, even if more changes are pending or no row was written. It is not saved more often,
 * because every save creates a file.
 */
const UNSAVED = 25_000;
/** How long a replaced copy is kept for queries that are still running. */
const KEEP_FORMER_MS = 30_000;

export type Work = 'more' | 'some' | 'nothing';

interface PageAhead {
  after: number;
  page: Promise<HistoryPage>;
}

interface Position {
  /** Change cursor up to which changes are loaded. */
  loaded: number;
  /** Change cursor up to which ClickHouse has saved the position. */
  saved: number;
}

export class LoaderStep {
  isMigrated = false;

  private readonly pool: pg.Pool;
  private readonly clickhouse: ClickHouse;
  private readonly generation: number;
  private readonly logger: Pick<Logger, 'info' | 'warn'>;
  private readonly positions = new Map<number, Position>();
  /** For each era, the page that is being read while the previous one is written. */
  private readonly ahead = new Map<number, PageAhead>();
  private renewedAt = Number.NEGATIVE_INFINITY;
  private checkedAt = Number.NEGATIVE_INFINITY;
  private cleanAt = 0;
  /** True if rows were removed since the last call of `saveLoaded`. */
  private hasRemoved = false;

  constructor(pool: pg.Pool, clickhouse: ClickHouse, generation: number, logger: Pick<Logger, 'info' | 'warn'>) {
    this.pool = pool;
    this.clickhouse = clickhouse;
    this.generation = generation;
    this.logger = logger;
  }

  /** @throws {LeaseLost} if a new loader has taken over */
  async run(): Promise<Work> {
    const state = await this.readState();
    const hasMoreOdds = state.has_odds && (await moveOdds(this.pool, this.clickhouse, state.database_id));
    if (await this.isBehindUs(state)) return 'more';
    if (performance.now() - this.checkedAt > CHECK_MS) await this.checkStore(state);
    const current = state.next_reason === 'restored' ? 'nothing' : await this.loadCurrent(state);
    const next = state.next_era === null ? 'nothing' : await this.loadNext(state, state.next_era);
    if (state.next_era === null) await this.dropFormer(state.era);
    if (performance.now() - this.renewedAt > RENEW_MS) await this.renew();
    if (hasMoreOdds || current === 'more' || next === 'more') return 'more';
    return current === 'some' || state.has_odds ? 'some' : 'nothing';
  }

  private async readState(): Promise<LoaderState> {
    const state = await readLoaderState(this.pool);
    if (state.counting >= COUNTING) return state;
    await this.transaction((client) => applyCounting(client, COUNTING));
    return readLoaderState(this.pool);
  }

  /**
   * Returns true, and requests a new copy, if Postgres was restored from a backup. Its next changes would reuse change cursors that were
   * loaded with different content.
   */
  private async isBehindUs({ era, database_id, last, next_reason }: LoaderState): Promise<boolean> {
    const { loaded } = await this.positionOf(era, database_id);
    if (loaded <= last || next_reason === 'restored') return false;
    this.logger.warn({ loaded, last }, 'Postgres is older than the loaded data, rebuilding the history');
    await requestCopy(this.pool, 'restored');
    return true;
  }

  /**
   * Checks that ClickHouse still has the loaded rows. If its disk was replaced by an empty one while no match changed, queries would answer
   * as if nothing had ever been loaded.
   * @throws {Error} if loaded rows have disappeared, in which case the next leader loads them again
   */
  private async checkStore({ era, database_id }: LoaderState): Promise<void> {
    const { saved } = await this.positionOf(era, database_id);
    const stored = saved === 0 ? 0 : await loadedUpTo(this.clickhouse, era, database_id);
    if (stored < saved)
      throw new Error(`ClickHouse has lost history: its changes end at ${stored}, but were stored up to ${saved}`);
    this.checkedAt = performance.now();
  }

  private async positionOf(era: number, databaseId: string): Promise<Position> {
    const known = this.positions.get(era);
    if (known !== undefined) return known;
    const loaded = await loadedUpTo(this.clickhouse, era, databaseId);
    const position = { loaded, saved: loaded };
    this.positions.set(era, position);
    return position;
  }

  private async loadCurrent(state: LoaderState): Promise<Work> {
    const position = await this.positionOf(state.era, state.database_id);
    const isDue = performance.now() - this.renewedAt > RENEW_MS;
    if (state.last === position.loaded && state.loaded_cursor === position.loaded && !isDue) return 'nothing';
    if (position.loaded === 0 && state.loaded_cursor > 0) await this.transaction(saveLoss);
    // A killed loader wrote changes without recording them in Postgres, so it is not known whether they removed rows.
    if (position.loaded > state.loaded_cursor) this.hasRemoved = true;
    const page = await this.load(state, state.era, position);
    const isComplete = page.reached >= page.last;
    await this.transaction((client) => saveLoaded(client, position.loaded, isComplete, this.hasRemoved));
    this.hasRemoved = false;
    if (!isComplete) return 'more';
    return page.changes.length > 0 ? 'some' : 'nothing';
  }

  private async loadNext(state: LoaderState, era: number): Promise<Work> {
    const { database_id } = state;
    const position = await this.positionOf(era, database_id);
    const page = await this.load(state, era, position);
    const isComplete = page.reached >= page.last;
    if (isComplete) await savePosition(this.clickhouse, era, database_id, position.loaded);
    await this.transaction((client) =>
      isComplete ? switchTo(client, era, position.loaded) : saveBuilt(client, era, position.loaded),
    );
    if (isComplete) {
      this.cleanAt = performance.now() + KEEP_FORMER_MS;
      this.logger.info({ era }, 'the history has been rebuilt');
    }
    return 'more';
  }

  private async load(state: LoaderState, era: number, position: Position): Promise<HistoryPage> {
    const { database_id: databaseId, next_reason } = state;
    const page = await this.nextPage(era, position.loaded);
    const { hasWritten, hasRemoved } = await writeHistory(this.clickhouse, era, page.changes, () => this.renew());
    this.hasRemoved ||= hasRemoved;
    // Prices are merged before the position is saved, so that merges are read again if the loader is killed. While a copy is rebuilt, this
    // is not necessary, since the prices are merged with the current copy's changes.
    if (era === state.era || next_reason === 'restored')
      for (const { match_id, merged_into } of page.changes)
        if (merged_into !== null) await mergeOdds(this.pool, this.clickhouse, databaseId, match_id, merged_into);
    position.loaded = page.reached;
    const isLast = page.reached >= page.last;
    if ((hasWritten && isLast) || position.loaded - position.saved > UNSAVED) {
      await savePosition(this.clickhouse, era, databaseId, position.loaded);
      position.saved = position.loaded;
    }
    return page;
  }

  /** Returns a page, which may have been read ahead. A match that has changed since then appears again in a later page. */
  private async nextPage(era: number, after: number): Promise<HistoryPage> {
    const ahead = this.ahead.get(era);
    this.ahead.delete(era);
    const page = await (ahead?.after === after ? ahead.page : readHistoryPage(this.pool, after, PAGE));
    if (page.reached < page.last) {
      const following = readHistoryPage(this.pool, page.reached, PAGE);
      // If this read fails, the error is thrown when the page is needed.
      following.catch(() => {});
      this.ahead.set(era, { after: page.reached, page: following });
    }
    return page;
  }

  private async dropFormer(era: number): Promise<void> {
    if (performance.now() < this.cleanAt) return;
    for (const stored of await storedEras(this.clickhouse, era))
      if (stored !== era) await dropEra(this.clickhouse, stored);
    this.cleanAt = Number.POSITIVE_INFINITY;
  }

  private renew(): Promise<void> {
    return this.transaction(async () => {});
  }

  private async transaction(work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
    await loaderLease.transaction(this.pool, this.generation, work);
    this.renewedAt = performance.now();
  }
}
