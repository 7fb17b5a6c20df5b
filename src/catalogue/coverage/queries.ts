/** Queries that measure seasons, and store tournaments' coverage. */
import { createLease } from '../../db/lease.ts';
import { firstRow, type Queryable } from '../../db/postgres.ts';
import { wireTime } from '../../wire/time.ts';
import { measureCoverage, RESULTS, type SeasonCounts, WEATHER } from './measure-coverage.ts';

/** The lease that lets only one process at a time measure coverage. */
export const coverageLease = createLease('coverage_refresh');

/** A longer statement is cancelled, because processes would wait for it. */
export const BOUNDED = ["SET LOCAL statement_timeout = '20s'"];

export interface CoverageState {
  /** The change cursor up to which changes have been measured. */
  measured: number;
  /** The day when all seasons were last measured (YYYY-MM-DD). Null if never. */
  measuredOn: string | null;
  /** The newest change cursor. */
  last: number;
  /** True if any tournament has never been measured. */
  hasNew: boolean;
}

export async function readCoverageState(db: Queryable): Promise<CoverageState> {
  const { rows } = await db.query<CoverageState>(
    `SELECT measured_cursor AS measured, to_char(nullif(measured_on, '-infinity'), 'YYYY-MM-DD') AS "measuredOn", change_seq AS last,
       EXISTS (SELECT FROM tournament t WHERE NOT EXISTS (SELECT FROM tournament_coverage c WHERE c.tournament_id = t.id)) AS "hasNew"
     FROM coverage_refresh, relay`,
  );
  return firstRow(rows);
}

export async function allSeasons(db: Queryable): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>('SELECT id FROM season ORDER BY id');
  return rows.map(({ id }) => id);
}

/** Returns the ids of all tournaments, even those without a match or a season. */
export async function allTournaments(db: Queryable): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>('SELECT id FROM tournament ORDER BY id');
  return rows.map(({ id }) => id);
}

export async function newTournaments(db: Queryable): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    'SELECT id FROM tournament t WHERE NOT EXISTS (SELECT FROM tournament_coverage c WHERE c.tournament_id = t.id) ORDER BY id',
  );
  return rows.map(({ id }) => id);
}

/** Returns the seasons with changed matches, and all seasons of tournaments that a match has left. */
export async function changedSeasons(db: Queryable, after: number, upTo: number): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `SELECT m.season_id AS id FROM match_change c JOIN match m ON m.id = c.match_id WHERE c.change_cursor > $1 AND c.change_cursor <= $2
     UNION
     SELECT s.id FROM match_tombstone d JOIN season s ON s.tournament_id = d.tournament_id WHERE d.change_cursor > $1 AND d.change_cursor <= $2
     ORDER BY 1`,
    [after, upTo],
  );
  return rows.map(({ id }) => id);
}

/** A result is due a day after the start. Most matches are over by then, though some cricket matches are not. */
const DUE_AFTER = "interval '1 day'";
const DAY = (time: string) => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;
const counts = (held: string, full: string, first: string) => `json_build_array(${held}, ${full}, ${DAY(first)})`;

/**
 * Measures seasons. A block's completeness is read from the card, which already has it. In a JSON text, a quoted name before
 * a colon is always a key, since quotes within a value are escaped.
 * @param now ms.
 * @returns the seasons' tournaments
 */
export async function measureSeasons(db: Queryable, seasons: readonly number[], now: number): Promise<number[]> {
  const { rows } = await db.query<{ tournament_id: number }>(
    `WITH state AS (
       SELECT m.id, m.season_id, m.scheduled_start,
         m.status = 'finished' AND m.status_detail NOT IN ('cancelled', 'walkover', 'awarded') AS played,
         m.status_detail NOT IN ('cancelled', 'postponed', 'abandoned') AND m.scheduled_start < $2::timestamptz - ${DUE_AFTER} AS due,
         m.status = 'finished' AND m.home_score IS NOT NULL AND m.away_score IS NOT NULL AS known
       FROM match m WHERE m.season_id = ANY ($1)
     ), held AS (
       SELECT p.season_id, b.block, count(*) AS held, min(p.scheduled_start) AS first,
         count(*) FILTER (WHERE b.block = '${WEATHER}' OR strpos(c.detail, '"' || b.block || '":"full"') > 0) AS full_ones
       FROM state p JOIN match_block b ON b.match_id = p.id JOIN match_card c ON c.match_id = p.id
       WHERE p.played AND strpos(c.detail, '"' || b.block || '":"none"') = 0
       GROUP BY p.season_id, b.block
     ), blocks AS (
       SELECT season_id, json_object_agg(block, ${counts('held', 'full_ones', 'first')}) AS blocks FROM (
         SELECT * FROM held
         UNION ALL
         SELECT season_id, '${RESULTS}', count(*), min(scheduled_start), count(*) FROM state WHERE due AND known GROUP BY season_id) all_blocks
       GROUP BY season_id
     ), summed AS (
       SELECT season_id, min(scheduled_start) AS starts, count(*) AS events, count(*) FILTER (WHERE due) AS due, count(*) FILTER (WHERE played) AS played
       FROM state GROUP BY season_id
     )
     INSERT INTO season_coverage (season_id, tournament_id, starts, events, due, played, blocks)
     SELECT s.id, s.tournament_id, t.starts, coalesce(t.events, 0), coalesce(t.due, 0), coalesce(t.played, 0), coalesce(b.blocks, '{}')
     FROM season s LEFT JOIN summed t ON t.season_id = s.id LEFT JOIN blocks b ON b.season_id = s.id
     WHERE s.id = ANY ($1)
     ON CONFLICT (season_id) DO UPDATE SET tournament_id = excluded.tournament_id, starts = excluded.starts, events = excluded.events,
       due = excluded.due, played = excluded.played, blocks = excluded.blocks
     RETURNING tournament_id`,
    [seasons, wireTime(now)],
  );
  return [...new Set(rows.map(({ tournament_id }) => tournament_id))];
}

interface MeasuredTournament {
  id: number;
  sport: string;
  events: number;
  last_match_id: number | null;
  seasons: SeasonCounts[];
}

/** Computes and stores coverage from the measured seasons. @param now ms */
export async function storeCoverage(db: Queryable, tournaments: readonly number[], now: number): Promise<void> {
  const { rows } = await db.query<MeasuredTournament>(
    `SELECT t.id, t.sport, coalesce(sum(s.events), 0)::int AS events,
       (SELECT m.id FROM match m WHERE m.tournament_id = t.id AND m.status = 'finished' ORDER BY m.scheduled_start DESC, m.id DESC LIMIT 1) AS last_match_id,
       coalesce(json_agg(json_build_object('due', s.due, 'played', s.played, 'blocks', s.blocks) ORDER BY s.starts, s.season_id)
         FILTER (WHERE s.season_id IS NOT NULL), '[]') AS seasons
     FROM tournament t LEFT JOIN season_coverage s ON s.tournament_id = t.id WHERE t.id = ANY ($1) GROUP BY t.id ORDER BY t.id`,
    [tournaments],
  );
  const measured = rows.map(({ id: tournament_id, sport, events, last_match_id, seasons }) => {
    const coverage = measureCoverage(sport, seasons, wireTime(now));
    return { tournament_id, events, depth: coverage.depth, coverage, last_match_id };
  });
  await db.query(
    `INSERT INTO tournament_coverage (tournament_id, events, depth, coverage, last_match_id)
     SELECT tournament_id, events, depth, coverage, last_match_id FROM json_populate_recordset(NULL::tournament_coverage, $1)
     ON CONFLICT (tournament_id) DO UPDATE SET events = excluded.events, depth = excluded.depth, coverage = excluded.coverage,
       last_match_id = excluded.last_match_id`,
    [JSON.stringify(measured)],
  );
}

/**
 * Stores how far coverage has been measured.
 * @param day YYYY-MM-DD, if all seasons have been measured; null if only some have
 */
export async function saveMeasured(db: Queryable, cursor: number, day: string | null): Promise<void> {
  await db.query('UPDATE coverage_refresh SET measured_cursor = $1, measured_on = coalesce($2::date, measured_on)', [
    cursor,
    day,
  ]);
}
