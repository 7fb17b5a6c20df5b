/** Queries of the widgets besides tables and analytics. */
import type { Queryable } from '../db/postgres.ts';
import { shownBlockSql } from '../db/shown-blocks.ts';
import type { Lang } from '../http/route.ts';
import { nameOf } from '../web/status.ts';

/** Returns the name in the language if known; null for an unknown tournament. */
export async function tournamentName(db: Queryable, id: number, lang: Lang): Promise<string | null> {
  const { rows } = await db.query<{ name: string; name_ru: string | null }>({
    name: 'widget tournament',
    text: 'SELECT name, name_ru FROM tournament WHERE id = $1',
    values: [id],
  });
  return rows[0] === undefined ? null : nameOf(rows[0], lang);
}

export interface NextMatch {
  id: number;
  scheduled_start: Date;
  time_tbd: boolean;
  home: string;
  home_ru: string | null;
  away: string;
  away_ru: string | null;
  version: number;
}

/** Returns the upcoming matches of a tournament. @param now ms since 1970 @param season default: of any season */
export async function nextMatches(
  db: Queryable,
  tournament: number,
  now: number,
  limit: number,
  season: number | undefined,
): Promise<NextMatch[]> {
  const { rows } = await db.query<NextMatch>({
    name: 'widget matches',
    text: `SELECT m.id, m.scheduled_start, m.time_tbd, m.version, home.name AS home, home.name_ru AS home_ru, away.name AS away, away.name_ru AS away_ru
     FROM match m CROSS JOIN LATERAL names_at(m.home_id, m.scheduled_start) home CROSS JOIN LATERAL names_at(m.away_id, m.scheduled_start) away
     WHERE m.tournament_id = $1 AND m.status = 'scheduled' AND NOT m.awaiting_data AND m.scheduled_start > to_timestamp($2 / 1000.0)
       AND ($4::bigint IS NULL OR m.season_id = $4)
     ORDER BY m.scheduled_start, m.id LIMIT $3`,
    values: [tournament, now, limit, season ?? null],
  });
  return rows;
}

interface ListedMatch {
  /** List item as JSON. */
  item: string;
  tournament_name_ru: string | null;
}

const COLUMNS = 'c.item, t.name_ru AS tournament_name_ru';
const JOINED = 'JOIN match_card c ON c.match_id = m.id JOIN tournament t ON t.id = m.tournament_id';

/** Returns the matches in progress, most important tournaments first, and the number of all of them. */
export async function matchesInProgress(
  db: Queryable,
  { sport, tournament }: { sport?: string | undefined; tournament?: number | undefined },
  limit: number,
): Promise<{ matches: ListedMatch[]; total: number }> {
  const { rows } = await db.query<ListedMatch & { total: number }>({
    name: 'widget live',
    text: `SELECT ${COLUMNS}, (count(*) OVER ())::int AS total FROM match m ${JOINED}
     WHERE m.status = 'live' AND NOT m.awaiting_data AND ($1::text IS NULL OR m.sport = $1) AND ($2::bigint IS NULL OR m.tournament_id = $2)
     ORDER BY t.importance DESC, t.name, t.id, m.scheduled_start, m.id LIMIT $3`,
    values: [sport ?? null, tournament ?? null, limit],
  });
  return { matches: rows, total: rows[0]?.total ?? 0 };
}

/** Matches of a fixtures widget: the columns that have its id. */
const SCOPES = { tournament: ['tournament_id'], season: ['season_id'], team: ['home_id', 'away_id'] } as const;
/** Lists of a fixtures widget. $2 is a time. */
const LISTS = {
  ahead: {
    condition: "m.status <> 'finished' AND NOT m.awaiting_data AND m.scheduled_start >= $2",
    order: (table: string) => `${table}.scheduled_start, ${table}.id`,
  },
  results: {
    condition: "m.status = 'finished' AND m.status_detail <> 'cancelled' AND m.scheduled_start <= $2",
    order: (table: string) => `${table}.scheduled_start DESC, ${table}.id DESC`,
  },
} as const;

export interface FixtureScope {
  kind: keyof typeof SCOPES;
  id: number;
  /** For a team: matches of this season only. */
  season?: number | undefined;
}

/**
 * Lists the matches in progress and to come, soonest first; or the results, newest first.
 * @param time of the earliest start of the former, and of the latest of the results
 */
export async function fixtures(
  db: Queryable,
  list: keyof typeof LISTS,
  { kind, id, season }: FixtureScope,
  time: Date,
  limit: number,
): Promise<ListedMatch[]> {
  const { condition, order } = LISTS[list];
  // Each part reads one index in its order, up to the limit.
  const parts = SCOPES[kind].map(
    (column) => `(SELECT m.id, m.scheduled_start FROM match m WHERE m.${column} = $1 AND ${condition}
       AND ($4::bigint IS NULL OR m.season_id = $4) ORDER BY ${order('m')} LIMIT $3)`,
  );
  const { rows } = await db.query<ListedMatch>({
    name: `widget fixtures ${kind} ${list}`,
    text: `SELECT ${COLUMNS} FROM (${parts.join(' UNION ALL ')}) found JOIN match m ON m.id = found.id ${JOINED}
     ORDER BY ${order('m')} LIMIT $3`,
    values: [id, time, limit, season ?? null],
  });
  return rows;
}

/** Returns the label of a season; null for an unknown one. */
export async function seasonLabel(db: Queryable, id: number): Promise<string | null> {
  const { rows } = await db.query<{ season_label: string }>({
    name: 'widget season',
    text: 'SELECT season_label FROM season WHERE id = $1',
    values: [id],
  });
  return rows[0]?.season_label ?? null;
}

interface Side {
  type: string;
  /** For the id of a participant that was identified as another one: the id of that one. */
  id: number;
  name: string;
  name_ru: string | null;
}

/** Finds a participant, under its name at that time. */
export async function findSide(db: Queryable, id: number, at: Date): Promise<Side | null> {
  const { rows } = await db.query<Side>({
    name: 'widget side',
    text: `SELECT p.type, p.id, n.name, n.name_ru FROM participant g JOIN participant p ON p.id = coalesce(g.person_id, g.id)
     CROSS JOIN LATERAL names_at(p.id, $2) n WHERE g.id = $1`,
    values: [id, at],
  });
  return rows[0] ?? null;
}

interface MatchRow extends ListedMatch {
  /** Incidents as JSON; null without any. */
  incidents: string | null;
}

/** Returns a match with its incidents; null for an unknown id. */
export async function matchWithIncidents(db: Queryable, id: number): Promise<MatchRow | null> {
  const { rows } = await db.query<MatchRow>({
    name: 'widget match',
    text: `SELECT ${COLUMNS}, ${shownBlockSql('b')} AS incidents FROM match m ${JOINED}
     LEFT JOIN match_block b ON b.match_id = m.id AND b.block = 'incidents' WHERE m.id = $1`,
    values: [id],
  });
  return rows[0] ?? null;
}
