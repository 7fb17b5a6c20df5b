/** Counts matches that suggest, or rule out, that two participants are the same. */
import { firstRow, type Queryable } from '../db/postgres.ts';

export interface Evidence {
  /** Matches in which the two participants met. */
  met: number;
  /**
   * Matches that both participants played on the same day against the same side, or against sides with similar names. Each is
   * probably one match that was recorded twice.
   */
  common: number;
  /** Matches that both participants played on the same day against different sides. */
  clashes: number;
}

/**
 * Selects a participant's matches, as a side, as a player or coach of a side, and as a referee. For a referee, `opponent` is the away side.
 * Otherwise `opponent` is the opposing side. `team` is the
 * player's or coach's team, or 0 for a side or a referee.
 */
const selectMatches = (id: string) => `(
  SELECT m.id, (m.scheduled_start AT TIME ZONE 'UTC')::date AS day, CASE m.home_id WHEN ${id} THEN m.away_id ELSE m.home_id END AS opponent, 0 AS team
  FROM match m WHERE (m.home_id = ${id} OR m.away_id = ${id}) AND m.status_detail NOT IN ('cancelled', 'postponed')
  UNION ALL
  SELECT m.id, (m.scheduled_start AT TIME ZONE 'UTC')::date, CASE p.side WHEN 'home' THEN m.away_id ELSE m.home_id END,
    CASE p.side WHEN 'home' THEN m.home_id ELSE m.away_id END
  FROM match_player p JOIN match m ON m.id = p.match_id WHERE p.participant_id = ${id}
  UNION ALL
  SELECT m.id, (m.scheduled_start AT TIME ZONE 'UTC')::date, CASE s.side WHEN 'away' THEN m.home_id ELSE m.away_id END,
    CASE s.side WHEN 'home' THEN m.home_id WHEN 'away' THEN m.away_id ELSE 0 END
  FROM match_staff s JOIN match m ON m.id = s.match_id WHERE s.participant_id = ${id})`;

/** Two opponents may be the same if their names are at least this similar. */
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

/** True if the two have met, or have played on the same day against different sides. They are then certainly different. */
export async function haveClashed(db: Queryable, first: number, second: number): Promise<boolean> {
  const { met, clashes } = await readEvidence(db, first, second);
  return met + clashes > 0;
}
