/**
 * How likely it is that a search means an entity, from 0 to 1, estimated from the catalogue's data. Computed after imports
 * and once a day, never for a query.
 *
 * A match counts (importance / 100)² · recency, where importance (0 to 100) is the match's own or its tournament's, and
 * recency falls from 1 today to RECENCY_FLOOR with a half-life of HALF_LIFE_YEARS. A team's evidence is the sum over its
 * matches. A player's evidence is the sum over the matches in which he appeared or scored, each times 1 + GOAL_EVIDENCE
 * for a goal + ASSIST_EVIDENCE for an assist, and over matches as coach or referee, each times STAFF_EVIDENCE; plus CLUB_EVIDENCE if a present club is known, plus LISTED_EVIDENCE if a
 * reviewed list names him. Then
 *
 *     prominence = min(1, ln(1 + evidence) / ln(1 + most))
 *
 * where `most`, beyond which more evidence makes no difference, is MOST_OF_TEAM or MOST_OF_PLAYER. For a tournament
 * prominence is 0.75 · importance / 100 + 0.15 · min(1, ln(1 + matches) / ln(1 + MOST_MATCHES)) + 0.1 · recency of the
 * last match.
 */
import { firstRow, type Queryable } from '../../db/postgres.ts';
import { DAY_SECONDS } from '../../wire/time.ts';
import type { Subject } from './name-queries.ts';

const HALF_LIFE_YEARS = 8;
const RECENCY_FLOOR = 0.25;
const GOAL_EVIDENCE = 1.5;
const ASSIST_EVIDENCE = 0.5;
const CLUB_EVIDENCE = 2;
const LISTED_EVIDENCE = 25;
const STAFF_EVIDENCE = 0.25;
const MOST_OF_TEAM = 600;
const MOST_OF_PLAYER = 150;
const MOST_MATCHES = 10_000;

const SECONDS_PER_YEAR = 365.25 * DAY_SECONDS;
/**
 * Smaller changes are not stored. Otherwise every entity would be written each day, because each becomes a little less
 * prominent.
 */
const LEAST_CHANGE = 0.005;

/** Double precision throughout, because powers of numeric values take ten times as long. */
const age = (start: string) =>
  `greatest(0::float8, extract(epoch FROM $1::timestamptz - ${start})::float8 / ${SECONDS_PER_YEAR}::float8)`;
const recency = (start: string) =>
  `(${RECENCY_FLOOR}::float8 + ${1 - RECENCY_FLOOR}::float8 * power(0.5::float8, ${age(start)} / ${HALF_LIFE_YEARS}::float8))`;
const logarithmic = (evidence: string, most: number) =>
  `least(1, ln((1 + ${evidence})::float8) / ${Math.log(1 + most)}::float8)`;

/** Cancelled matches are left out, because they are no evidence. */
const WEIGHED = `weighed AS MATERIALIZED (
    SELECT m.id, m.tournament_id, m.home_id, m.away_id, m.scheduled_start,
      power(coalesce(m.importance, t.importance) / 100::float8, 2::float8) * ${recency('m.scheduled_start')} AS weight
    FROM match m JOIN tournament t ON t.id = m.tournament_id WHERE m.status_detail <> 'cancelled')`;

const TEAMS = `SELECT side AS id, ${logarithmic('sum(weight)', MOST_OF_TEAM)} AS value
  FROM (SELECT home_id AS side, weight FROM weighed UNION ALL SELECT away_id, weight FROM weighed) s GROUP BY side`;

const PLAYERS = `SELECT id, ${logarithmic('sum(evidence)', MOST_OF_PLAYER)} FROM (
    SELECT mp.participant_id AS id,
      w.weight * (1 + ${GOAL_EVIDENCE} * mp.goals + ${ASSIST_EVIDENCE} * mp.assists) AS evidence
    FROM match_player mp JOIN weighed w ON w.id = mp.match_id
    WHERE mp.participant_id IS NOT NULL AND (mp.appeared OR mp.goals > 0 OR mp.assists > 0)
    UNION ALL SELECT coalesce(g.person_id, g.id), w.weight * ${STAFF_EVIDENCE}
      FROM match_staff s JOIN weighed w ON w.id = s.match_id JOIN participant g ON g.id = s.participant_id
    UNION ALL SELECT id, ${CLUB_EVIDENCE} FROM participant WHERE type = 'player' AND extra ? 'club'
    UNION ALL SELECT unnest($2::bigint[]), ${LISTED_EVIDENCE}) p GROUP BY id`;

const TOURNAMENTS = `SELECT t.id, 0.75 * t.importance / 100.0
    + 0.15 * ${logarithmic('coalesce(m.matches, 0)', MOST_MATCHES)} + 0.1 * coalesce(${recency('m.last')}, 0) AS value
  FROM tournament t LEFT JOIN (
    SELECT tournament_id, count(*) AS matches, max(scheduled_start) AS last FROM weighed GROUP BY tournament_id) m ON m.tournament_id = t.id`;

/** Returns the statement that stores the values. @param computed selects (id, value) for all entities that have any */
const store = (subject: Subject, computed: string) => `WITH ${WEIGHED},
  computed AS MATERIALIZED (${computed}),
  removed AS (
    DELETE FROM ${subject}_prominence p WHERE NOT EXISTS (SELECT FROM computed c WHERE c.id = p.${subject}_id) RETURNING 1),
  stored AS (
    INSERT INTO ${subject}_prominence AS p (${subject}_id, value)
    SELECT c.id, c.value::real FROM computed c LEFT JOIN ${subject}_prominence old ON old.${subject}_id = c.id
    WHERE old.value IS NULL OR abs(old.value - c.value) >= ${LEAST_CHANGE} ORDER BY c.id
    ON CONFLICT (${subject}_id) DO UPDATE SET value = excluded.value RETURNING 1)
  SELECT (SELECT count(*) FROM removed)::int + (SELECT count(*) FROM stored)::int AS changed`;

/**
 * Computes prominence for every participant and tournament.
 * @param listed players named in a reviewed alias list
 * @returns the number of changed values
 */
export async function storeProminence(
  db: Queryable,
  now: Date,
  listed: readonly number[],
): Promise<{ participants: number; tournaments: number }> {
  const stored = async (sql: string, values: unknown[]) =>
    firstRow((await db.query<{ changed: number }>(sql, values)).rows).changed;
  return {
    participants: await stored(store('participant', `${TEAMS} UNION ALL ${PLAYERS}`), [now, listed]),
    tournaments: await stored(store('tournament', TOURNAMENTS), [now]),
  };
}
