/** Postgres data on the subject of analytics: a match, a side, a tournament. */
import type pg from 'pg';
import { PLANNED_ONCE, prepared, type Queryable, transaction } from '../db/postgres.ts';
import { NEUTRAL, NOT_PLAYED } from './sample.ts';

/** The current copy of the history. */
interface HistoryState {
  era: number;
  /** Changes when the result may have changed. */
  version: string;
  /** False until it has all matches that existed when loading began. */
  is_loaded: boolean;
}

export interface MatchSubject extends HistoryState {
  /** Id of the Postgres database. */
  database_id: string;
  event_id: number;
  sport: string;
  /** Seconds since 1970. */
  start: number;
  tournament: { id: number; name: string; name_ru: string | null };
  season_id: number;
  neutral: boolean;
  home: SideSubject;
  away: SideSubject;
  /** Current prices. */
  odds: { market_name: string; choice_name: string; decimal_value: number }[];
}

/** With the names on the day of the match. */
export interface SideSubject {
  id: number;
  name: string;
  name_ru: string | null;
}

/**
 * The loader's progress on the sample: the last change of its matches, or the loader's position until that change is
 * loaded.
 * @param changes SQL that selects the change cursors of the sample
 */
const watermark = (changes: string) =>
  `least(l.loaded_cursor, (SELECT coalesce(max(change_cursor), 0) FROM (${changes}) c))`;
/** Two selects: a deleted match leaves a tombstone. */
const tournamentChanges = (id: string) =>
  ['match_change', 'match_tombstone']
    .map((table) => `SELECT max(change_cursor) AS change_cursor FROM ${table} WHERE tournament_id = ${id}`)
    .join(' UNION ALL ');
const mutualChanges = ['home', 'away']
  .map(
    (side) => `SELECT c.change_cursor FROM match other JOIN match_change c ON c.match_id = other.id
      WHERE other.home_id = m.${side}_id AND other.away_id = m.${side === 'home' ? 'away' : 'home'}_id`,
  )
  .join(' UNION ALL ');
/** Inputs of a season's tables other than its matches. */
const rulesVersion = (season: string) => `(SELECT md5(concat(st.rules, ss.rules,
    (SELECT json_agg(a ORDER BY a.participant_id, a.decided_on)::text FROM points_decision a WHERE a.season_id = ss.id)))
  FROM season ss JOIN tournament st ON st.id = ss.tournament_id WHERE ss.id = ${season})`;

/**
 * One statement each: a single one with a condition on a parameter would be planned again for each match, which costs
 * more than the query.
 */
const matchStatement = (name: string, watermarkSql: string) =>
  prepared(
    name,
    `SELECT l.era, l.caught_up_at IS NOT NULL AS is_loaded, l.database_id, concat_ws('.', l.era, l.removed_cursor, m.version, ${watermarkSql}, ${rulesVersion('m.season_id')}) AS version,
     m.id AS event_id, m.sport, floor(extract(epoch FROM m.scheduled_start))::float8 AS start, m.season_id,
     json_build_object('id', t.id, 'name', t.name, 'name_ru', t.name_ru) AS tournament,
     ${NEUTRAL} AS neutral,
     json_build_object('id', m.home_id, 'name', home.name, 'name_ru', home.name_ru) AS home,
     json_build_object('id', m.away_id, 'name', away.name, 'name_ru', away.name_ru) AS away,
     coalesce((SELECT b.json::json FROM match_block b WHERE b.match_id = m.id AND b.block = 'odds'), '[]') AS odds
   FROM analytics_loader l, match m JOIN tournament t ON t.id = m.tournament_id JOIN participant h ON h.id = m.home_id
   LEFT JOIN venue v ON v.id = m.venue_id
   CROSS JOIN LATERAL names_at(m.home_id, m.scheduled_start) home CROSS JOIN LATERAL names_at(m.away_id, m.scheduled_start) away
   WHERE m.id = $1`,
  );
const MATCH_IN_TOURNAMENT = matchStatement(
  'analytics match in tournament',
  watermark(`${tournamentChanges('m.tournament_id')} UNION ALL ${mutualChanges}`),
);
const MATCH = matchStatement('analytics match', 'l.loaded_cursor');

/**
 * @param inTournament whether only matches of its tournament count, besides matches between its sides
 * @returns null for an unknown match
 */
export async function findMatchSubject(db: Queryable, id: number, inTournament = true): Promise<MatchSubject | null> {
  const { rows } = await db.query<MatchSubject>((inTournament ? MATCH_IN_TOURNAMENT : MATCH)([id]));
  return rows[0] ?? null;
}

export interface ParticipantSubject extends HistoryState, SideSubject {
  type: 'team' | 'player';
  sport: string;
  /** Tournament and season of its newest counted league match, or of any match if it has none; null without a match. */
  newest: { tournament_id: number; season_id: number } | null;
}

const NEWEST = (
  side: 'home' | 'away',
  isLeague: string,
) => `(SELECT m.tournament_id, m.season_id, m.scheduled_start FROM match m
    JOIN tournament t ON t.id = m.tournament_id
    WHERE m.${side}_id = p.id AND m.status = 'finished' AND m.home_score IS NOT NULL AND m.away_score IS NOT NULL
      AND m.status_detail NOT IN ${NOT_PLAYED} AND ${isLeague}
    ORDER BY m.scheduled_start DESC LIMIT 1)`;
const NEWEST_OF = (
  isLeague: string,
) => `(SELECT json_build_object('tournament_id', n.tournament_id, 'season_id', n.season_id)
  FROM (${NEWEST('home', isLeague)} UNION ALL ${NEWEST('away', isLeague)}) n ORDER BY n.scheduled_start DESC LIMIT 1)`;

const PARTICIPANT = prepared(
  'analytics participant',
  `SELECT l.era, l.caught_up_at IS NOT NULL AS is_loaded, concat_ws('.', l.era, ${watermark(tournamentChanges("(newest.found ->> 'tournament_id')::bigint"))},
       md5(concat(p.name, p.name_ru)), newest.found, ${rulesVersion("(newest.found ->> 'season_id')::bigint")}) AS version,
     p.id, p.type, p.name, p.name_ru, p.sport, newest.found AS newest
   FROM analytics_loader l, participant p
   CROSS JOIN LATERAL (SELECT coalesce(${NEWEST_OF('t.tier IS NOT NULL')}, ${NEWEST_OF('true')}) AS found) newest
   WHERE p.id = $1`,
);

/** @returns null for an unknown participant */
export async function findParticipantSubject(pool: pg.Pool, id: number): Promise<ParticipantSubject | null> {
  // Planning takes 23 ms, the statement 1.3 (146,000 matches).
  const read = (client: Queryable) => client.query<ParticipantSubject>(PARTICIPANT([id]));
  const { rows } = await transaction(pool, read, [PLANNED_ONCE]);
  return rows[0] ?? null;
}

export interface TournamentSubject extends HistoryState {
  tournament_id: number;
  name: string;
  name_ru: string | null;
  sport: string;
  /** Whether it has the season; true if no season was requested. */
  has_season: boolean;
}

const TOURNAMENT = prepared(
  'analytics tournament',
  `SELECT l.era, l.caught_up_at IS NOT NULL AS is_loaded, concat_ws('.', l.era, ${watermark(tournamentChanges('t.id'))}, md5(concat(t.name, t.name_ru))) AS version,
     t.id AS tournament_id, t.name, t.name_ru, t.sport,
     $2::bigint IS NULL OR EXISTS (SELECT FROM season s WHERE s.id = $2 AND s.tournament_id = t.id) AS has_season
   FROM analytics_loader l, tournament t WHERE t.id = $1`,
);

/** @returns null for an unknown tournament */
export async function findTournamentSubject(
  db: Queryable,
  id: number,
  season?: number,
): Promise<TournamentSubject | null> {
  const { rows } = await db.query<TournamentSubject>(TOURNAMENT([id, season ?? null]));
  return rows[0] ?? null;
}

const NAMES = prepared(
  'analytics names',
  `SELECT g.event_id, named.name, named.name_ru FROM unnest($1::bigint[], $2::bigint[], $3::float8[]) AS g (event_id, side_id, start)
   CROSS JOIN LATERAL names_at(g.side_id, to_timestamp(g.start)) named`,
);

/** Returns the names of sides at matches, by match. @param sides with the start of the match, seconds since 1970 */
export async function namesAtMatches(
  db: Queryable,
  sides: readonly { event_id: number; side_id: number; start: number }[],
): Promise<Map<number, { name: string; name_ru: string | null }>> {
  const { rows } = await db.query<{ event_id: number; name: string; name_ru: string | null }>(
    NAMES([
      sides.map(({ event_id }) => event_id),
      sides.map(({ side_id }) => side_id),
      sides.map(({ start }) => start),
    ]),
  );
  return new Map(rows.map(({ event_id, ...names }) => [event_id, names]));
}

/** A match of a form strip. */
export interface RecentMatch {
  id: number;
  /** YYYY-MM-DD */
  date: string;
  /** With the names at that match. */
  home: SideSubject;
  away: SideSubject;
  /** home:away */
  score: string;
}

const RECENT = prepared(
  'analytics recent',
  `SELECT m.id, to_char(m.scheduled_start AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date, m.home_score || ':' || m.away_score AS score,
     json_build_object('id', m.home_id, 'name', home.name, 'name_ru', home.name_ru) AS home,
     json_build_object('id', m.away_id, 'name', away.name, 'name_ru', away.name_ru) AS away
   FROM match m CROSS JOIN LATERAL names_at(m.home_id, m.scheduled_start) home
   CROSS JOIN LATERAL names_at(m.away_id, m.scheduled_start) away
   WHERE m.id = ANY ($1)`,
);

/** Returns the matches that still exist, in any order. */
export async function recentMatches(db: Queryable, ids: readonly number[]): Promise<RecentMatch[]> {
  return (await db.query<RecentMatch>(RECENT([ids]))).rows;
}
