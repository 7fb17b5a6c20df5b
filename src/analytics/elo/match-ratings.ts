/** Stores the ratings with which sides enter matches, and reads them as an analytics block. */
import type { Queryable } from '../../db/postgres.ts';
import type { RatingsBefore } from './margin-elo.ts';
import type { MarginFixture } from './margin-matches.ts';

const BATCH = 5_000;

/**
 * Replaces the ratings for a sport's matches. Equal ratings are not written.
 * @param transact runs the callback in one transaction
 * @returns the number of changed matches
 */
export async function storeMatchRatings(
  transact: <T>(work: (client: Queryable) => Promise<T>) => Promise<T>,
  sport: string,
  fixtures: readonly MarginFixture[],
  before: ReadonlyMap<number, RatingsBefore>,
): Promise<number> {
  const rows = fixtures
    .map(({ id, home_id, away_id }) => ({ match_id: id, home_id, away_id, ...before.get(id)! }))
    .toSorted((a, b) => a.match_id - b.match_id);
  let changed = 0;
  for (let from = 0; from < rows.length; from += BATCH)
    changed += await transact((client) => storeBatch(client, rows.slice(from, from + BATCH)));
  changed += await transact((client) => removeOthers(client, sport, rows));
  return changed;
}

async function storeBatch(client: Queryable, rows: readonly object[]): Promise<number> {
  // The join leaves out matches that were deleted in the meantime.
  const { rowCount } = await client.query(
    `INSERT INTO match_rating AS r (match_id, home_id, away_id, home, away, home_matches, away_matches, home_advantage, rest)
     SELECT w.match_id, w.home_id, w.away_id, w.home, w.away, w.home_matches, w.away_matches, w.home_advantage, w.rest
     FROM json_to_recordset($1) AS w (match_id bigint, home_id bigint, away_id bigint, home float8, away float8, home_matches int, away_matches int,
       home_advantage float8, rest float8)
       JOIN match m ON m.id = w.match_id
     ORDER BY 1
     ON CONFLICT (match_id) DO UPDATE SET home_id = excluded.home_id, away_id = excluded.away_id, home = excluded.home,
       away = excluded.away, home_matches = excluded.home_matches, away_matches = excluded.away_matches,
       home_advantage = excluded.home_advantage, rest = excluded.rest
     WHERE (r.home_id, r.away_id, r.home, r.away, r.home_matches, r.away_matches, r.home_advantage, r.rest) IS DISTINCT FROM
       (excluded.home_id, excluded.away_id, excluded.home, excluded.away, excluded.home_matches, excluded.away_matches,
        excluded.home_advantage, excluded.rest)`,
    [JSON.stringify(rows)],
  );
  return rowCount ?? 0;
}

/** Removes the ratings of the sport's matches that are not in `kept`, for example a match that was postponed by months. */
async function removeOthers(client: Queryable, sport: string, kept: readonly { match_id: number }[]): Promise<number> {
  const { rowCount } = await client.query(
    'DELETE FROM match_rating r USING match m WHERE m.id = r.match_id AND m.sport = $1 AND r.match_id <> ALL ($2::bigint[])',
    [sport, kept.map(({ match_id }) => match_id)],
  );
  return rowCount ?? 0;
}
