/** After Postgres was restored to an earlier moment: what may have been different since then is handed to sync clients again. */
import type pg from 'pg';
import { transaction } from '../db/postgres.ts';

/** Change cursors and ids that were given out after the backup are below these steps: neither is given out twice. */
const CURSOR_STEP = 1_000_000_000;
const ID_STEP = 1_000_000;
/** Prices change far more often than entities are made, and ClickHouse keeps those of the lost time. */
const PRICE_ID_STEP = 1_000_000_000;
/** Of the catalogue, as clients store them. */
const ENTITIES = ['match', 'participant', 'tournament', 'season', 'venue'];
/** A match that starts late, and one that is postponed by hours, was there before. */
const EARLIER = `interval '1 day'`;

/**
 * Changes of matches that were changed, under way or to come since then get new change cursors.
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
