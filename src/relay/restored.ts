/**
 * Repair after Postgres was restored to an earlier moment: everything that may differ since then is sent to sync
 * clients again.
 */
import type pg from 'pg';
import { transaction } from '../db/postgres.ts';

/**
 * Raises both counters above all change cursors and ids assigned after the backup, so that no value is assigned twice.
 */
const CURSOR_STEP = 1_000_000_000;
const ID_STEP = 1_000_000;
/** Prices change far more often than entities are created, and ClickHouse keeps the prices of the lost time. */
const PRICE_ID_STEP = 1_000_000_000;
/** Entities of the catalogue that clients store. */
const ENTITIES = ['match', 'participant', 'tournament', 'season', 'venue'];
/** Includes matches that started late or were postponed by hours. */
const EARLIER = `interval '1 day'`;

/**
 * Gives new change cursors to matches that have changed, were under way or were scheduled since then.
 * @param since the moment of the backup, ISO time
 * @returns the number of these matches
 */
export async function restampSince(pool: pg.Pool, since: string): Promise<number> {
  return transaction(pool, async (client) => {
    await client.query('UPDATE relay SET change_seq = change_seq + $1', [CURSOR_STEP]);
    for (const [table, step] of [...ENTITIES.map((table) => [table, ID_STEP]), ['odds_change', PRICE_ID_STEP]])
      await client.query(
        `SELECT setval(pg_get_serial_sequence('${table}', 'id'), nextval(pg_get_serial_sequence('${table}', 'id')) + $1)`,
        [step],
      );
    const { rowCount } = await client.query(
      `INSERT INTO match_touch (match_id)
       SELECT id FROM match WHERE updated_at >= $1 OR scheduled_start >= $1::timestamptz - ${EARLIER} OR NOT finalized`,
      [since],
    );
    return rowCount!;
  });
}
