/** Reads the meetings between two sides, for `/v1/h2h` and for the page /meetings. */
import { firstRow, prepared, type Queryable } from '../db/postgres.ts';
import { Problem } from '../http/index.ts';
import { FORM_WINNER } from '../sports/winner-sql.ts';
import type { MatchAccess } from '../wire/access.ts';
import type { MatchItem } from '../wire/match.ts';
import { itemWithBlocksSql } from './card-sql.ts';
import type { ListedBlocks } from './wanted-blocks.ts';

interface Team {
  id: number;
  name: string;
  name_ru: string | null;
}

const TEAMS = prepared(
  'two sides',
  `SELECT w.position, p.id, n.name, n.name_ru
   FROM unnest($1::bigint[]) WITH ORDINALITY w (id, position) JOIN participant g ON g.id = w.id
     JOIN participant p ON p.id = coalesce(g.person_id, g.id) CROSS JOIN LATERAL names_at(p.id, $2) n ORDER BY w.position`,
);

/** SQL for whether a meeting counts. Awarded matches count only in tables, not here or in the analytics' form. */
const COUNTED = `m.status = 'finished' AND m.home_score IS NOT NULL AND m.away_score IS NOT NULL
  AND m.status_detail NOT IN ('abandoned', 'cancelled', 'awarded', 'walkover')`;

/** @param items SQL that makes the list of the meetings in `page` */
const meetingsSql = (items: string) =>
  `WITH met AS MATERIALIZED (
     SELECT m.id, m.scheduled_start, ${COUNTED} AS counted, m.home_id = $1 AS a_is_home, m.home_score, m.away_score,
       ${FORM_WINNER} AS winner, m.tournament_id
     FROM match m
     WHERE (m.home_id = $1 AND m.away_id = $2 OR m.home_id = $2 AND m.away_id = $1)
       AND ($5::text[] IS NULL OR m.sport = ANY ($5) OR m.tournament_id = ANY ($6::bigint[]))
   ), page AS (SELECT * FROM met ORDER BY scheduled_start DESC, id DESC LIMIT $3 OFFSET $4)
   SELECT count(*)::int AS total, (count(*) FILTER (WHERE counted))::int AS matches,
     (count(*) FILTER (WHERE counted AND winner = CASE WHEN a_is_home THEN 'home' ELSE 'away' END))::int AS team_a_wins,
     (count(*) FILTER (WHERE counted AND winner = 'draw'))::int AS draws,
     (count(*) FILTER (WHERE counted AND winner = CASE WHEN a_is_home THEN 'away' ELSE 'home' END))::int AS team_b_wins,
     coalesce(sum(CASE WHEN a_is_home THEN home_score ELSE away_score END) FILTER (WHERE counted), 0)::int AS team_a_goals,
     coalesce(sum(CASE WHEN a_is_home THEN away_score ELSE home_score END) FILTER (WHERE counted), 0)::int AS team_b_goals,
     (SELECT count(*)::int FROM page) AS count, ${items} AS items
   FROM met`;

const joined = (item: string) =>
  `coalesce((SELECT string_agg(${item}, ',' ORDER BY page.scheduled_start DESC, page.id DESC) FROM page JOIN match_card c ON c.match_id = page.id), '')`;

const MEETINGS = prepared('meetings', meetingsSql(joined('c.item')));
const MEETINGS_WITH_BLOCKS = prepared(
  'meetings with blocks',
  meetingsSql(joined(itemWithBlocksSql('page.id', 'c', '$7::text[]', '$8::text[]'))),
);

const LISTED_MEETINGS = prepared(
  'listed meetings',
  meetingsSql(`coalesce((SELECT json_agg(json_build_object('item', c.item::json, 'tournament_name_ru', t.name_ru)
       ORDER BY page.scheduled_start DESC, page.id DESC)
     FROM page JOIN match_card c ON c.match_id = page.id JOIN tournament t ON t.id = page.tournament_id), '[]')`),
);

export interface HeadToHeadQuery {
  /** The two sides' ids, which differ. */
  participants: readonly number[];
  limit: number;
  offset: number;
  /** Blocks to add to each match. Null for none. */
  blocks: ListedBlocks | null;
  access: MatchAccess | null;
}

/**
 * Counts wins, draws and goals in the matches with a result, and lists all meetings, newest first.
 * @returns the reply as JSON text, and the number of listed matches
 * @throws {Problem} not_found
 */
export async function readHeadToHead(
  db: Queryable,
  { participants, limit, offset, blocks, access }: HeadToHeadQuery,
  now: Date,
): Promise<{ body: string; count: number }> {
  const { rows } = await db.query<Team & { position: number }>(TEAMS([participants, now]));
  const unknown = participants.find((_, index) => !rows.some(({ position }) => position === index + 1));
  if (unknown !== undefined) throw new Problem('not_found', `There is no participant ${unknown}.`);
  const [a, b] = rows.map(({ id, name, name_ru }) => ({ id, name, name_ru }));
  const values = [a!.id, b!.id, limit, offset, access?.sports ?? null, access?.tournaments ?? null];
  const found = await db.query<Record<string, number> & { count: number; items: string }>(
    blocks === null ? MEETINGS(values) : MEETINGS_WITH_BLOCKS([...values, blocks.stored, blocks.fields]),
  );
  const { items, ...counts } = firstRow(found.rows);
  const body = `{"team_a":${JSON.stringify(a)},"team_b":${JSON.stringify(b)},${JSON.stringify(counts).slice(1, -1)},"events":[${items}]}`;
  return { body, count: counts.count };
}

export interface MeetingSide extends Team {
  sport: string;
}

const SIDES = prepared(
  'sides of meetings',
  `SELECT w.position, p.id, p.sport, n.name, n.name_ru
   FROM unnest($1::bigint[]) WITH ORDINALITY w (id, position) JOIN participant g ON g.id = w.id
     JOIN participant p ON p.id = coalesce(g.person_id, g.id) CROSS JOIN LATERAL names_at(p.id, $2) n`,
);

/** Finds teams or players by id. @returns in the order of the ids; null for an unknown id */
export async function findMeetingSides(
  db: Queryable,
  ids: readonly number[],
  now: Date,
): Promise<(MeetingSide | null)[]> {
  const { rows } = await db.query<MeetingSide & { position: number }>(SIDES([ids, now]));
  return ids.map((_, index) => rows.find(({ position }) => position === index + 1) ?? null);
}

export interface ListedMeeting extends MatchItem {
  tournament_name_ru: string | null;
}

export interface Meetings {
  /** Number of all meetings, including fixtures and matches without a result. */
  total: number;
  /** Number of the meetings that the sums count. */
  matches: number;
  team_a_wins: number;
  draws: number;
  team_b_wins: number;
  team_a_goals: number;
  team_b_goals: number;
  /** One page, newest first. */
  list: ListedMeeting[];
}

/** Counts and lists the meetings of two sides. @param ids of two different sides, as `findMeetingSides` returns them */
export async function listMeetings(
  db: Queryable,
  [first, second]: readonly [number, number],
  { limit, offset }: { limit: number; offset: number },
): Promise<Meetings> {
  const { rows } = await db.query<
    Omit<Meetings, 'list'> & { items: { item: MatchItem; tournament_name_ru: string | null }[] }
  >(LISTED_MEETINGS([first, second, limit, offset, null, null]));
  const { items, ...counts } = firstRow(rows);
  return { ...counts, list: items.map(({ item, ...more }) => ({ ...item, ...more })) };
}
