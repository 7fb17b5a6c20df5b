/** Evidence from matches for and against two participants being one. */
import { firstRow, type Queryable } from '../db/postgres.ts';

export interface Evidence {
  /** Matches in which they have met. */
  met: number;
  /**
   * Matches that both played on one day against the same or a similarly named side, and that are probably one match.
   */
  common: number;
  /** Matches that both played on one day against different sides. */
  clashes: number;
}

/**
 * Selects a participant's matches, as a side and as a player for a side. `opponent` is the opposing side. A player's
 * team distinguishes player matches.
 */
const selectMatches = (id: string) => `(
  SELECT m.id, (m.scheduled_start AT TIME ZONE 'UTC')::date AS day, CASE m.home_id WHEN ${id} THEN m.away_id ELSE m.home_id END AS opponent, 0 AS team
  FROM match m WHERE (m.home_id = ${id} OR m.away_id = ${id}) AND m.status_detail NOT IN ('cancelled', 'postponed')
  UNION ALL
  SELECT m.id, (m.scheduled_start AT TIME ZONE 'UTC')::date, CASE p.side WHEN 'home' THEN m.away_id ELSE m.home_id END,
    CASE p.side WHEN 'home' THEN m.home_id ELSE m.away_id END
  FROM match_player p JOIN match m ON m.id = p.match_id WHERE p.participant_id = ${id})`;

/** Opponents whose names are at least so alike may be one. */
const ALIKE = 0.3;

const EVIDENCE = `SELECT count(*) FILTER (WHERE a.id = b.id)::int AS met,
    count(*) FILTER (WHERE a.id <> b.id AND is_same)::int AS common, count(*) FILTER (WHERE a.id <> b.id AND NOT is_same)::int AS clashes
  FROM ${selectMatches('$1')} a JOIN ${selectMatches('$2')} b ON b.day = a.day
  JOIN participant ao ON ao.id = a.opponent JOIN participant bo ON bo.id = b.opponent
  CROSS JOIN LATERAL (SELECT a.opponent = b.opponent OR similarity(lower(ao.name), lower(bo.name)) >= ${ALIKE} AS is_same) s`;

export async function readEvidence(db: Queryable, first: number, second: number): Promise<Evidence> {
  const { rows } = await db.query<Evidence>(EVIDENCE, [first, second]);
  return firstRow(rows);
}

/** True if they have met, or played on one day against different sides, because they are then two. */
export async function haveClashed(db: Queryable, first: number, second: number): Promise<boolean> {
  const { met, clashes } = await readEvidence(db, first, second);
  return met + clashes > 0;
}
