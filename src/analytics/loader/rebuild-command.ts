/**
 * The command `touchline rebuild analytics` requests a new copy of the history. A running loader builds it; if none is running, the command
 * builds it itself.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Presets, SingleBar } from 'cli-progress';
import type pg from 'pg';
import type { Logger } from 'pino';
import { type ClickHouseConfig, openClickHouse } from '../../db/clickhouse.ts';
import { requestCopy } from '../../db/loader-copy.ts';
import { firstRow, type Queryable } from '../../db/postgres.ts';
import { startLoader } from './loader.ts';

const POLL_MS = 250;

interface Progress {
  is_done: boolean;
  /** Change cursors. */
  built: number;
  last: number;
  /** True if a loader is running. */
  has_loader: boolean;
}

async function readProgress(db: Queryable, era: number): Promise<Progress> {
  const { rows } = await db.query<Progress>(
    `SELECT era >= $1 AS is_done, CASE WHEN next_era = $1 THEN next_cursor ELSE 0 END AS built, change_seq AS last,
       l.expires_at > clock_timestamp() AS has_loader
     FROM analytics_loader l, relay`,
    [era],
  );
  return firstRow(rows);
}

export interface RebuildDeps {
  pool: pg.Pool;
  config: ClickHouseConfig;
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/**
 * Resolves when queries use the new copy.
 * @throws {Error} if no loader runs and ClickHouse cannot be opened
 */
export async function rebuildAnalytics(
  { pool, config, logger }: RebuildDeps,
  say: (line: string) => void,
): Promise<void> {
  const era = await requestCopy(pool, 'rebuild');
  const bar = new SingleBar(
    { format: 'history [{bar}] {percentage}% | {value}/{total} changes', stream: process.stderr },
    Presets.shades_classic,
  );
  let stop: (() => Promise<void>) | null = null;
  let { last, has_loader } = await readProgress(pool, era);
  bar.start(Math.max(1, last), 0);
  try {
    for (;;) {
      const progress = await readProgress(pool, era);
      ({ last, has_loader } = progress);
      bar.setTotal(Math.max(1, last));
      bar.update(progress.is_done ? Math.max(1, last) : progress.built);
      if (progress.is_done) break;
      if (!has_loader && stop === null) stop = await loadHere({ pool, config, logger });
      await sleep(POLL_MS);
    }
  } finally {
    bar.stop();
    await stop?.();
  }
  say(`The history has been rebuilt from ${last.toLocaleString('en')} changes`);
}

async function loadHere({ pool, config, logger }: RebuildDeps): Promise<() => Promise<void>> {
  const clickhouse = await openClickHouse(config);
  const loader = startLoader({ pool, clickhouse, logger, onChange: () => () => {} });
  return async () => {
    await loader.stop();
    await clickhouse.close();
  };
}
