/** Lists upcoming matches and results for a tournament, a season or a team. */
import { prepared, type Queryable } from '../db/postgres.ts';
import type { Read } from '../db/reads.ts';
import type { MatchItem } from '../wire/match.ts';
import { localStartSql } from './local-day.ts';
import { LISTED, LISTED_JOINS, type ListedMatch, withItem } from './match-item.ts';

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

/** Returns a tournament's upcoming matches. @param now ms since 1970 @param season if absent, any season */
export async function nextMatches(
  db: Queryable,
  { tournament, season, limit }: { tournament: number; season?: number | undefined; limit: number },
  now: number,
): Promise<NextMatch[]> {
  const { rows } = await db.query<NextMatch>({
    name: 'next matches',
    text: `SELECT m.id, m.scheduled_start, m.time_tbd, m.version, home.name AS home, home.name_ru AS home_ru, away.name AS away, away.name_ru AS away_ru
     FROM match m CROSS JOIN LATERAL names_at(m.home_id, m.scheduled_start) home CROSS JOIN LATERAL names_at(m.away_id, m.scheduled_start) away
     WHERE m.tournament_id = $1 AND m.status = 'scheduled' AND NOT m.awaiting_data AND m.scheduled_start > to_timestamp($2 / 1000.0)
       AND ($4::bigint IS NULL OR m.season_id = $4)
     ORDER BY m.scheduled_start, m.id LIMIT $3`,
    values: [tournament, now, limit, season ?? null],
  });
  return rows;
}

/** The match columns with which the id is compared, by kind of list. */
const SCOPES = { tournament: ['tournament_id'], season: ['season_id'], team: ['home_id', 'away_id'] } as const;
/** The conditions and sort orders of both lists. $2 is a time. */
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
  /** For a team, only matches in this season are listed. */
  season?: number | undefined;
}

/**
 * Lists either matches in progress and upcoming matches, soonest first, or results, newest first.
 * @param time the earliest start of upcoming matches, or the latest start of results
 */
export async function listFixtures(
  db: Queryable,
  list: keyof typeof LISTS,
  { kind, id, season }: FixtureScope,
  time: Date,
  limit: number,
): Promise<ListedMatch[]> {
  const { condition, order } = LISTS[list];
  // Each part reads one index in index order, up to the limit.
  const parts = SCOPES[kind].map(
    (column) => `(SELECT m.id, m.scheduled_start FROM match m WHERE m.${column} = $1 AND ${condition}
       AND ($4::bigint IS NULL OR m.season_id = $4) ORDER BY ${order('m')} LIMIT $3)`,
  );
  const { rows } = await db.query<{ item: string; tournament_name_ru: string | null }>({
    name: `fixtures ${kind} ${list}`,
    text: `SELECT ${LISTED} FROM (${parts.join(' UNION ALL ')}) found JOIN match m ON m.id = found.id ${LISTED_JOINS}
     ORDER BY ${order('m')} LIMIT $3`,
    values: [id, time, limit, season ?? null],
  });
  return rows.map(withItem);
}

const LOCAL_START = localStartSql('$2');

const MONTHS = prepared(
  'months of a season',
  `SELECT DISTINCT to_char(${LOCAL_START}, 'YYYY-MM') AS month FROM match m WHERE m.season_id = $1 ORDER BY 1`,
);

/**
 * Reads the months in which the season has matches, YYYY-MM, oldest first.
 * @param seasonId null for none
 * @param zone IANA name
 */
export const seasonMonthsRead = (seasonId: number | null, zone: string): Read<string[]> => ({
  statement: MONTHS([seasonId, zone]),
  toValue: (rows: { month: string }[]) => rows.map(({ month }) => month),
});

/** A part of a season: a round by name or number, or the matches of a month, YYYY-MM, in a time zone. */
export type SeasonPart = { round: string } | { month: string; zone: string };

const PART = prepared(
  'part of a season',
  `SELECT c.item::json AS item FROM match m JOIN match_card c ON c.match_id = m.id
   WHERE m.season_id = $1 AND ($3::text IS NULL OR m.round_num::text = $3 OR lower(m.round_name) = lower($3))
     AND ($4::text IS NULL OR to_char(${LOCAL_START}, 'YYYY-MM') = $4)
   ORDER BY m.scheduled_start, m.id LIMIT $5`,
);

/** Reads the matches, soonest first. @param seasonId null for no matches */
export function seasonPartRead(seasonId: number | null, part: SeasonPart, limit: number): Read<MatchItem[]> {
  const values = 'round' in part ? ['UTC', part.round, null] : [part.zone, null, part.month];
  return {
    statement: PART([seasonId, ...values, limit]),
    toValue: (rows: { item: MatchItem }[]) => rows.map(({ item }) => item),
  };
}
