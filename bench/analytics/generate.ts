/**
 * Generates a match history in Postgres. Each league has 20 sides, and 25 seasons of 380 matches. The last season is under way at `NOW`, so
 * every league has matches to come.
 */
import type pg from 'pg';

const SEASONS = 25;
const MATCHES_OF_SEASON = 380;
const FIRST_YEAR = 2001;
/** The time to which the service's clock is set, in ms since 1970. Round 30 out of 38 has been played. */
export const NOW = Date.UTC(2026, 2, 1, 12);

/** Pairs the sides for round k by the circle method. Home and away change places in the second half of a season. */
const PAIRING = `
  CASE WHEN r / 10 < 19 THEN one ELSE other END AS home, CASE WHEN r / 10 < 19 THEN other ELSE one END AS away
  FROM (SELECT n, r, CASE WHEN r % 10 = 0 THEN 19 ELSE (r / 10 + r % 10) % 19 END AS one,
    CASE WHEN r % 10 = 0 THEN r / 10 % 19 ELSE (r / 10 - r % 10 + 19) % 19 END AS other FROM numbered) paired`;
/** Draws a random number of goals, as frequent as in football. */
const GOALS = (seed: string, usual: string) => `(ARRAY[${usual}])[1 + abs(hashint8(n * 2 + ${seed})) % 10]`;

async function addLeagues(client: pg.PoolClient, leagues: number): Promise<void> {
  await client.query(
    `INSERT INTO tournament (sport, country, name, key, tier) SELECT 'football', 'GB-ENG', 'League ' || n, 'league ' || n, 1
     FROM generate_series(1, $1::int) n`,
    [leagues],
  );
  await client.query(
    `INSERT INTO season (tournament_id, season_label)
     SELECT t.id, year || '/' || right((year + 1)::text, 2)
     FROM tournament t CROSS JOIN generate_series($1::int, $1::int + $2::int - 1) year WHERE t.key LIKE 'league %' ORDER BY t.id, year`,
    [FIRST_YEAR, SEASONS],
  );
  await client.query(
    `INSERT INTO participant (type, sport, name, key, country) SELECT 'team', 'football', 'Team ' || n, 'team ' || n, 'GB-ENG'
     FROM generate_series(1, $1::int * 20) n`,
    [leagues],
  );
}

/** Drops a table's indexes while `fill` runs, because creating them afterwards is faster than updating them. */
async function withoutIndexes(
  client: pg.PoolClient,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const { rows } = await client.query<{ indexname: string; indexdef: string }>(
    `SELECT indexname, indexdef FROM pg_indexes i WHERE tablename = ANY ($1)
       AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conname = i.indexname)`,
    [tables],
  );
  for (const { indexname } of rows) await client.query(`DROP INDEX ${indexname}`);
  await work();
  for (const { indexdef } of rows) await client.query(indexdef);
}

/** Fills an empty database with `matches` matches, each with a change cursor. Those before `NOW` are finished. */
export async function generateHistory(pool: pg.Pool, matches: number): Promise<void> {
  const client = await pool.connect();
  try {
    // Turns off constraint checks. The rows are consistent by construction, and checking five million of them takes minutes.
    await client.query("SET session_replication_role = replica; SET maintenance_work_mem = '1GB'");
    await addLeagues(client, Math.ceil(matches / (SEASONS * MATCHES_OF_SEASON)));
    await withoutIndexes(client, ['match', 'match_change'], async () => {
      await client.query(
        `INSERT INTO match (sport, tournament_id, season_id, home_id, away_id, scheduled_start, status, status_detail, round_num,
           home_score, away_score, finalized, updated_at)
         WITH first AS (
           SELECT (SELECT min(id) FROM tournament WHERE key LIKE 'league %') AS tournament,
             (SELECT min(s.id) FROM season s JOIN tournament t ON t.id = s.tournament_id WHERE t.key LIKE 'league %') AS first_season,
             (SELECT min(id) FROM participant WHERE key LIKE 'team %') AS team,
             '${new Date(NOW).toISOString()}'::timestamptz AS now
         ), numbered AS (SELECT n, (n % ${MATCHES_OF_SEASON})::int AS r FROM generate_series(0, $1::bigint - 1) n),
         paired AS (SELECT n, r, n / ${SEASONS * MATCHES_OF_SEASON} AS league, n / ${MATCHES_OF_SEASON} AS season, ${PAIRING}),
         fixture AS (SELECT *, start < now AS played, ${GOALS('0', '0,0,1,1,1,2,2,2,3,4')} AS home_goals, ${GOALS('1', '0,0,0,1,1,1,1,2,2,3')} AS away_goals
           FROM paired p CROSS JOIN first CROSS JOIN LATERAL (SELECT
             make_timestamptz((${FIRST_YEAR} + p.season % ${SEASONS})::int, 8, 1, 15, 0, 0, 'UTC') + (r / 10 * 7 + r % 3) * interval '1 day' AS start) s)
         SELECT 'football', tournament + league, first_season + season, team + league * 20 + home, team + league * 20 + away, start,
           CASE WHEN played THEN 'finished' ELSE 'scheduled' END, CASE WHEN played THEN 'ended' ELSE 'not_started' END, r / 10 + 1,
           CASE WHEN played THEN home_goals END, CASE WHEN played THEN away_goals END, played, now()
         FROM fixture f ORDER BY n`,
        [matches],
      );
      await client.query(
        `INSERT INTO match_change (match_id, change_cursor, sport, tournament_id)
         SELECT id, row_number() OVER (ORDER BY id), sport, tournament_id FROM match`,
      );
    });
    await client.query('UPDATE relay SET change_seq = (SELECT max(change_cursor) FROM match_change)');
    await client.query(
      `INSERT INTO match_card (match_id, item, detail)
       SELECT id, '{"id":' || id || ',"status":"' || status || '","sport":"football","participants":[{"participant_id":' || home_id || '},{"participant_id":' || away_id || '}]}',
         '"season_label":"2020/21"' FROM match`,
    );
    await client.query('ANALYZE');
  } finally {
    await client.query('RESET session_replication_role');
    client.release();
  }
}
