/** The matches of a team or player: their stored list items, each with the result from the participant's side. */
import type { Queryable } from '../db/postgres.ts';

export const WHEN = ['past', 'upcoming', 'all'] as const;

export interface ParticipantEventFilter {
  participantId: number;
  when: (typeof WHEN)[number];
  limit: number;
  offset: number;
}

/** Postponed and unreported matches are upcoming for this long after their start. */
const OVERDUE_DAYS = 1;

const SIDES = `SELECT id AS match_id, 'home' AS side FROM match WHERE home_id = $1
  UNION SELECT id, 'away' FROM match WHERE away_id = $1
  UNION SELECT match_id, side FROM match_player WHERE participant_id = $1`;
/** W, D or L of the final result; null before the end, and for abandoned and cancelled matches. */
const RESULT = `CASE WHEN m.status = 'finished' AND m.status_detail NOT IN ('abandoned', 'cancelled') THEN
  CASE match_winner(m.home_score, m.away_score, m.period_scores)
    WHEN page.side THEN 'W' WHEN 'draw' THEN 'D' WHEN 'home' THEN 'L' WHEN 'away' THEN 'L' END END`;
const UPCOMING = `(NOT m.awaiting_data AND (m.status = 'live'
  OR (m.status = 'scheduled' AND m.scheduled_start > $2::timestamptz - interval '${OVERDUE_DAYS} days')))`;

/**
 * Past: newest first. Upcoming, live ones included: soonest first. All: newest first.
 * @returns the reply as JSON text; null for an unknown participant.
 */
export async function participantEvents(
  db: Queryable,
  now: Date,
  filter: ParticipantEventFilter,
): Promise<string | null> {
  const { participantId, when, limit, offset } = filter;
  const where = { past: `NOT ${UPCOMING}`, upcoming: UPCOMING, all: '$2::timestamptz IS NOT NULL' }[when];
  const direction = when === 'upcoming' ? 'ASC' : 'DESC';
  const { rows } = await db.query<{ total: number; item: string | null; extension: string | null }>(
    `WITH found AS MATERIALIZED (
       SELECT m.id, m.scheduled_start, s.side FROM (${SIDES}) s JOIN match m ON m.id = s.match_id WHERE ${where}
     ), page AS (
       SELECT * FROM found ORDER BY scheduled_start ${direction}, id ${direction} LIMIT $3 OFFSET $4
     )
     SELECT (SELECT count(*)::int FROM found) AS total, card.item,
       row_to_json(side.*)::text AS extension
     FROM participant p
     LEFT JOIN page ON true
     LEFT JOIN match m ON m.id = page.id
     LEFT JOIN match_card card ON card.match_id = m.id
     LEFT JOIN LATERAL (
       SELECT ${RESULT} AS result,
         CASE page.side WHEN 'home' THEN m.home_score ELSE m.away_score END AS score_for,
         CASE page.side WHEN 'home' THEN m.away_score ELSE m.home_score END AS score_against) side ON true
     WHERE p.id = $1
     ORDER BY page.scheduled_start ${direction}, page.id ${direction}`,
    [participantId, now, limit, offset],
  );
  if (rows.length === 0) return null;
  const events = rows.flatMap(({ item, extension }) =>
    item === null ? [] : [`${item.slice(0, -1)},${extension!.slice(1)}`],
  );
  return `{"count":${events.length},"total":${rows[0]!.total},"events":[${events.join(',')}]}`;
}
