/** Stores a match's rates as the job does, but without a match history. */
import type pg from 'pg';
import { refreshWinProbabilities } from '../../src/apply/upkeep/refresh-figures.ts';
import { transaction } from '../../src/db/postgres.ts';
import { storeRates } from '../../src/in-play/stored-rates.ts';

/** @returns ids of the changed matches */
export async function rateMatch(pool: pg.Pool, id: number, now: number, expected = { home: 1.5, away: 1.2 }) {
  const { rows } = await pool.query(
    'SELECT id AS match_id, tournament_id, home_id, away_id, scheduled_start::text FROM match WHERE id = $1',
    [id],
  );
  return transaction(pool, async (client) => {
    await storeRates(client, [{ ...rows[0], expected, basis: 'model', sample_cursor: 0 }], now);
    return refreshWinProbabilities(client, [id], now);
  });
}
