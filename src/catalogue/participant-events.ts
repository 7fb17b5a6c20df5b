/** A team's or player's matches as stored list items, each with the result from the participant's side. */
import { firstRow, type Queryable } from '../db/postgres.ts';
import { itemWithBlocksSql, type ListedBlocks } from '../matches/index.ts';
import { FINAL_WINNER } from '../sports/winner-sql.ts';
import type { MatchAccess } from '../wire/access.ts';
import { type PlayerTotals, playerPart, wholeMatchMinutes } from './minutes-played.ts';

export const WHEN = ['past', 'upcoming', 'all'] as const;

export interface ParticipantEventFilter {
  participantId: number;
  when: (typeof WHEN)[number];
  limit: number;
  offset: number;
  /** Blocks to add to each match. Absent or null for none. */
  blocks?: ListedBlocks | null;
  /** The client's access. Absent or null for all matches. */
  access?: MatchAccess | null;
}

/** A match that was postponed, or whose result was not reported, still counts as upcoming for this many days after its start. */
const OVERDUE_DAYS = 1;

/** SQL for the person's id if the participant has been joined to a person, otherwise for the id itself. */
const WHO = '(SELECT coalesce(person_id, id) FROM participant WHERE id = $1)';
/**
 * SQL for the participant's matches with the side, as a team or a player. Each match is read once, since a large club has thousands.
 * @param where conditions for the match `m`
 */
const sidesSql = (where: string): string =>
  `SELECT m.id, m.scheduled_start, 'home' AS side FROM match m WHERE m.home_id = ${WHO} AND ${where}
   UNION ALL SELECT m.id, m.scheduled_start, 'away' FROM match m WHERE m.away_id = ${WHO} AND ${where}
   UNION ALL SELECT DISTINCT m.id, m.scheduled_start, p.side FROM match_player p JOIN match m ON m.id = p.match_id
     WHERE p.participant_id = ${WHO} AND CASE p.side WHEN 'home' THEN m.home_id ELSE m.away_id END <> ${WHO} AND ${where}`;
/** W, D or L by the final result. Null before the end, and for abandoned and cancelled matches. */
export const RESULT = `CASE WHEN m.status = 'finished' AND m.status_detail NOT IN ('abandoned', 'cancelled') THEN
  CASE ${FINAL_WINNER}
    WHEN page.side THEN 'W' WHEN 'draw' THEN 'D' WHEN 'home' THEN 'L' WHEN 'away' THEN 'L' END END`;
export const UPCOMING = `(NOT m.awaiting_data AND (m.status = 'live'
  OR (m.status = 'scheduled' AND m.scheduled_start > $2::timestamptz - interval '${OVERDUE_DAYS} days')))`;

interface Row {
  id: number;
  total: number;
  item: string | null;
  extension: string | null;
  /** The player's totals. Null for a team. */
  played: PlayerTotals | null;
  incidents: string | null;
  lineups: string | null;
  sport: string | null;
  is_over: boolean;
  had_extra_time: boolean;
}

/**
 * Lists a participant's matches. Upcoming matches, including live ones, begin with the soonest; past matches and all matches
 * begin with the newest.
 * @returns the reply as JSON text, and the number of listed matches; null for an unknown participant.
 */
export async function participantEvents(
  db: Queryable,
  now: Date,
  filter: ParticipantEventFilter,
): Promise<{ body: string; count: number } | null> {
  const { participantId, when, limit, offset, blocks = null, access } = filter;
  const where = { past: `NOT ${UPCOMING}`, upcoming: UPCOMING, all: '$2::timestamptz IS NOT NULL' }[when];
  const values: unknown[] = [participantId, now, limit, offset];
  const placeholder = (value: unknown) => `$${values.push(value)}`;
  const within =
    access == null
      ? ''
      : `AND (m.sport = ANY (${placeholder(access.sports)}::text[]) OR m.tournament_id = ANY (${placeholder(access.tournaments)}::bigint[]))`;
  const item =
    blocks === null
      ? 'card.item'
      : itemWithBlocksSql(
          'm.id',
          'card',
          `${placeholder(blocks.stored)}::text[]`,
          `${placeholder(blocks.fields)}::text[]`,
        );
  const direction = when === 'upcoming' ? 'ASC' : 'DESC';
  const { rows } = await db.query<Row>({
    name: `participant events ${when}${access == null ? '' : ' within'}${blocks === null ? '' : ' with blocks'}`,
    text: `WITH found AS MATERIALIZED (
       ${sidesSql(`${where} ${within}`)}
     ), page AS (
       SELECT * FROM found ORDER BY scheduled_start ${direction}, id ${direction} LIMIT $3 OFFSET $4
     )
     SELECT p.id, (SELECT count(*)::int FROM found) AS total, ${item} AS item, row_to_json(side.*)::text AS extension,
       played.row AS played, CASE WHEN played.row IS NOT NULL THEN i.json END AS incidents, CASE WHEN played.row IS NOT NULL THEN l.json END AS lineups,
       m.sport, m.status = 'finished' AND m.status_detail <> 'abandoned' AS is_over,
       m.status_detail IN ('after_extra_time', 'after_penalties') OR EXISTS (
         SELECT FROM json_array_elements(m.period_scores) s WHERE s ->> 'period' IN ('ET', 'PEN')) AS had_extra_time
     FROM participant p
     LEFT JOIN page ON true
     LEFT JOIN match m ON m.id = page.id
     LEFT JOIN match_card card ON card.match_id = m.id
     LEFT JOIN LATERAL (
       SELECT ${RESULT} AS result,
         CASE page.side WHEN 'home' THEN m.home_score ELSE m.away_score END AS score_for,
         CASE page.side WHEN 'home' THEN m.away_score ELSE m.home_score END AS score_against) side ON true
     LEFT JOIN LATERAL (
       SELECT row_to_json(r.*) AS row FROM (
         SELECT mp.side, mp.player_name, mp.appeared, mp.goals, mp.penalties, mp.assists, mp.yellow_cards, mp.red_cards FROM match_player mp
         WHERE mp.match_id = page.id AND mp.participant_id = p.id AND mp.side = page.side ORDER BY mp.player_key LIMIT 1) r) played ON p.type = 'player'
     LEFT JOIN match_block i ON i.match_id = page.id AND i.block = 'incidents' AND p.type = 'player'
     LEFT JOIN match_block l ON l.match_id = page.id AND l.block = 'lineups' AND p.type = 'player'
     WHERE p.id = ${WHO}
     ORDER BY page.scheduled_start ${direction}, page.id ${direction}`,
    values,
  });
  if (rows.length === 0) return null;
  const events = rows.flatMap((row) =>
    row.item === null ? [] : [`${row.item.slice(0, -1)},${row.extension!.slice(1, -1)}${playedMember(row)}}`],
  );
  const count = events.length;
  return { body: `{"count":${count},"total":${firstRow(rows).total},"events":[${events.join(',')}]}`, count };
}

/** Renders `,"player":{…}` for a match in which the participant plays in a team. */
function playedMember({ id, played, incidents, lineups, sport, is_over, had_extra_time }: Row): string {
  if (played === null || sport === null) return '';
  const wholeMatch = is_over ? wholeMatchMinutes(sport, had_extra_time) : null;
  const part = playerPart({
    id,
    totals: played,
    sport,
    known: parseList(incidents),
    lineups: parseList(lineups) ?? [],
    wholeMatch,
  });
  return `,"player":${JSON.stringify(part)}`;
}

const parseList = <T>(json: string | null): T[] | null => (json === null ? null : (JSON.parse(json) as T[]));
