/** `/v1/tournament/{id}/rounds` returns a season's rounds in playing order. */
import type { z } from 'zod';
import { prepared, type Queryable, wireTimeSql } from '../db/postgres.ts';
import type { Read } from '../db/reads.ts';
import type { round } from './schema.ts';

export type Round = z.infer<typeof round>;

/**
 * Rounds are ordered by median start, so that a postponed match does not move its round. The current round is the first one
 * with a live or upcoming match or, if there is none, the last round.
 */
const ROUNDS = prepared(
  'rounds',
  `WITH rounds AS (
     SELECT m.round_num, m.round_name, count(*)::int AS matches,
       (count(*) FILTER (WHERE m.status = 'finished'))::int AS finished,
       min(m.scheduled_start) AS first, max(m.scheduled_start) AS last,
       percentile_disc(0.5) WITHIN GROUP (ORDER BY m.scheduled_start) AS median,
       min(m.scheduled_start) FILTER (WHERE m.status = 'live' OR m.status = 'scheduled' AND m.scheduled_start > $2::timestamptz - interval '1 day') AS next
     FROM match m WHERE m.season_id = $1 AND (m.round_num IS NOT NULL OR m.round_name IS NOT NULL)
     GROUP BY 1, 2
   ), placed AS (
     SELECT *, row_number() OVER (ORDER BY next NULLS LAST, median DESC, round_num DESC NULLS FIRST, round_name) = 1 AS is_current FROM rounds
   )
   SELECT round_num, round_name, matches, finished, ${wireTimeSql('first')} AS first_start, ${wireTimeSql('last')} AS last_start, is_current
   FROM placed ORDER BY median, round_num NULLS LAST, round_name`,
);

/** Reads a season's rounds together with the rest of a page. @param seasonId null for none */
export const roundsRead = (seasonId: number | null, now: Date): Read<Round[]> => ({
  statement: ROUNDS([seasonId, now]),
  toValue: (rows: Round[]) => rows,
});

/** @param now the service's time */
export async function listRounds(db: Queryable, seasonId: number, now: Date): Promise<Round[]> {
  return (await db.query<Round>(ROUNDS([seasonId, now]))).rows;
}
