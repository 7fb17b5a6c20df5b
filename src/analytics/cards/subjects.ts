/** Reads what analytics are about (a match, a side or a tournament) from Postgres, with the stored card. */
import type pg from 'pg';
import { tableDaySql } from '../../competitions/index.ts';
import { columns, PLANNED_ONCE, prepared, type Queryable, utcMidnightSql } from '../../db/postgres.ts';
import { readTransaction } from '../../db/routed-reads.ts';
import { readTogether } from '../../http/index.ts';
import { type FormSampleName, MODEL_DAYS, NEUTRAL, NOT_PLAYED } from '../samples/match-samples.ts';
import type { StoredRatings } from './rating-block.ts';
import { CARD_FORMAT, type CardRow, cardColumns, joinCard } from './stored-cards.ts';

/** State of the current copy of the history, with the subject's stored card. */
export interface HistoryState extends CardRow {
  era: number;
  /** Version of the subject and the sample. It changes whenever these may have changed. */
  version: string;
  /** False until the copy has all matches that existed when loading began. */
  is_loaded: boolean;
}

export interface MatchSubject extends HistoryState {
  /** Postgres database id. */
  database_id: string;
  event_id: number;
  /** Version of everything that a reply shows about the match, such as names and prices. */
  match_version: string;
  sport: string;
  /** Seconds since 1970. */
  start: number;
  tournament: { id: number; name: string; name_ru: string | null };
  season_id: number;
  neutral: boolean;
  home: SideSubject;
  away: SideSubject;
  /** Margin Elo ratings before the match; null if the match has no ratings. */
  rating: StoredRatings | null;
  /** Current prices. */
  odds: { market_name: string; choice_name: string; decimal_value: number }[];
}

/** A side with its names on the match day. */
export interface SideSubject {
  id: number;
  name: string;
  name_ru: string | null;
}

/**
 * SQL for the change cursor up to which a sample is loaded: the cursor of the last change to the sample's matches or, until that change is
 * loaded, the loader's position.
 * @param changes SQL that selects the sample's change cursors
 */
export const watermark = (changes: string): string =>
  `least(l.loaded_cursor, (SELECT coalesce(max(change_cursor), 0) FROM (${changes}) c))`;
/**
 * SQL for a tournament's change cursors. Only finished matches are read. A live match does not count yet, and a match that is no longer
 * finished changes `removed_cursor` instead. The second select is for deleted matches, which leave a tombstone.
 */
export const tournamentChanges = (id: string): string =>
  `(SELECT c.change_cursor FROM match_change c JOIN match f ON f.id = c.match_id
    WHERE c.tournament_id = ${id} AND f.status = 'finished' ORDER BY c.change_cursor DESC LIMIT 1)
   UNION ALL SELECT max(change_cursor) FROM match_tombstone WHERE tournament_id = ${id}`;
const mutualChanges = ['home', 'away']
  .map(
    (side) => `SELECT c.change_cursor FROM match other JOIN match_change c ON c.match_id = other.id
      WHERE other.home_id = m.${side}_id AND other.away_id = m.${side === 'home' ? 'away' : 'home'}_id AND other.status = 'finished'`,
  )
  .join(' UNION ALL ');
/** Version of a season's rules and points decisions, which change the tables without a match. */
export const rulesVersion = (season: string): string => `(SELECT md5(concat(st.rules, ss.rules,
    (SELECT json_agg(a ORDER BY a.participant_id, a.decided_on)::text FROM points_decision a WHERE a.season_id = ss.id)))
  FROM season ss JOIN tournament st ON st.id = ss.tournament_id WHERE ss.id = ${season})`;

/**
 * SQL for a text that differs between two days if the sample of a tournament at the end of each day may differ although no match has
 * changed. The sample consists of the matches in the last 913 days. Therefore the first and the last of them tell whether it is the same.
 * @param tournament SQL for the tournament's id
 * @param day SQL for the day, of type date
 */
const sampleDaySql = (tournament: string, day: string): string => {
  const bound = (order: 'ASC' | 'DESC') =>
    `(SELECT extract(epoch FROM f.scheduled_start)::bigint FROM match f WHERE f.tournament_id = ${tournament} AND f.status = 'finished'
      AND f.scheduled_start >= ${utcMidnightSql(`${day} + 1 - ${MODEL_DAYS}`)} AND f.scheduled_start < ${utcMidnightSql(`${day} + 1`)}
      ORDER BY f.scheduled_start ${order} LIMIT 1)`;
  return `concat_ws('-', ${bound('ASC')}, ${bound('DESC')})`;
};

/**
 * Each kind of request has its own prepared statement. A shared statement would need a condition on a parameter, and Postgres would then
 * plan it again for each match, which costs more than the query.
 */
/**
 * SQL for a subject's sample version.
 * @param identity SQL for a text that changes if the card is now about another subject, so that the old card is not served
 */
const versionSql = (identity: string, ...sample: readonly string[]): string =>
  `concat_ws('.', '${CARD_FORMAT}', md5(${identity}), l.era, l.removed_cursor, ${sample.join(', ')})`;

/** Leaves card bodies out of lists. Only the job reads lists, and it only compares versions. */
const columnsFor = (condition: string) => cardColumns(condition.includes('ANY') ? 'NULL::bytea' : 'card.body');

const matchSql = (watermarkSql: string, condition: string) =>
  `SELECT l.era, l.caught_up_at IS NOT NULL AS is_loaded, l.database_id,
     ${versionSql(
       "concat_ws(',', m.tournament_id, m.season_id, m.home_id, m.away_id, floor(extract(epoch FROM m.scheduled_start) / 86400), n.neutral)",
       watermarkSql,
       rulesVersion('m.season_id'),
     )} AS version,
     m.id AS event_id, concat_ws(' ', m.version, r.home, r.away, r.home_advantage, r.rest) AS match_version, m.sport, floor(extract(epoch FROM m.scheduled_start))::float8 AS start, m.season_id,
     json_build_object('id', t.id, 'name', t.name, 'name_ru', t.name_ru) AS tournament, n.neutral,
     json_build_object('id', m.home_id, 'name', home.name, 'name_ru', home.name_ru) AS home,
     json_build_object('id', m.away_id, 'name', away.name, 'name_ru', away.name_ru) AS away,
     CASE WHEN r.match_id IS NOT NULL THEN json_build_object('home', r.home, 'away', r.away, 'home_matches', r.home_matches,
       'away_matches', r.away_matches, 'home_advantage', r.home_advantage, 'rest', r.rest) END AS rating,
     coalesce((SELECT b.json::json FROM match_block b WHERE b.match_id = m.id AND b.block = 'odds'), '[]') AS odds,
     ${columnsFor(condition)}
   FROM analytics_loader l, match m JOIN tournament t ON t.id = m.tournament_id JOIN participant h ON h.id = m.home_id
   LEFT JOIN venue v ON v.id = m.venue_id
   LEFT JOIN match_rating r ON r.match_id = m.id AND r.home_id = m.home_id AND r.away_id = m.away_id
   CROSS JOIN LATERAL names_at(m.home_id, m.scheduled_start) home CROSS JOIN LATERAL names_at(m.away_id, m.scheduled_start) away
   CROSS JOIN LATERAL (SELECT ${NEUTRAL} AS neutral) n
   ${joinCard({ kind: "'match'", id: 'm.id', variant: '$2', tournament: 'm.tournament_id' })}
   WHERE ${condition}`;
const IN_TOURNAMENT = watermark(`${tournamentChanges('m.tournament_id')} UNION ALL ${mutualChanges}`);
const MATCH_IN_TOURNAMENT = prepared('analytics match in tournament', matchSql(IN_TOURNAMENT, 'm.id = $1'));
const MATCHES_IN_TOURNAMENT = prepared('analytics matches in tournament', matchSql(IN_TOURNAMENT, 'm.id = ANY ($1)'));
const MATCH = prepared('analytics match', matchSql('l.loaded_cursor', 'm.id = $1'));

/**
 * @param sample form sample. `all` includes matches in all tournaments. Any other value includes only matches in this tournament, and the
 * matches between the two sides.
 * @returns null for an unknown match
 */
export async function findMatchSubject(
  db: Queryable,
  id: number,
  sample: FormSampleName = 'season',
): Promise<MatchSubject | null> {
  const { rows } = await db.query<MatchSubject>((sample === 'all' ? MATCH : MATCH_IN_TOURNAMENT)([id, sample]));
  return rows[0] ?? null;
}

/** Returns the matches that still exist, for season form, in any order. */
export async function findMatchSubjects(pool: pg.Pool, ids: readonly number[]): Promise<MatchSubject[]> {
  return plannedOnce<MatchSubject>(pool, MATCHES_IN_TOURNAMENT([ids, 'season']));
}

export interface ParticipantSubject extends HistoryState, SideSubject {
  type: 'team' | 'player';
  sport: string;
  /**
   * Tournament and season of the side's newest league match that counts. If the side has no such match, the ones of its newest match in any
   * tournament. Null if the side has no match.
   */
  newest: {
    tournament_id: number;
    season_id: number;
    tournament: string;
    tournament_ru: string | null;
    season_label: string;
  } | null;
}

/** Which matches of a side are analysed: the newest league season, or all competitions. */
export const SIDE_SCOPES = ['season', 'all'] as const;
export type SideScope = (typeof SIDE_SCOPES)[number];

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
) => `(SELECT json_build_object('tournament_id', n.tournament_id, 'season_id', n.season_id, 'tournament', t.name, 'tournament_ru', t.name_ru,
     'season_label', s.season_label)
  FROM (${NEWEST('home', isLeague)} UNION ALL ${NEWEST('away', isLeague)}) n
  JOIN tournament t ON t.id = n.tournament_id JOIN season s ON s.id = n.season_id ORDER BY n.scheduled_start DESC LIMIT 1)`;

const IN_LEAGUE = watermark(tournamentChanges("(newest.found ->> 'tournament_id')::bigint"));
/** SQL for a text that differs between two days if a side's card for the season may differ, see `sampleDaySql`. */
const SEASON_DAY = `concat_ws('-', ${sampleDaySql("(newest.found ->> 'tournament_id')::bigint", '$2::date')}, ${tableDaySql("(newest.found ->> 'season_id')::bigint", '$2::date')})`;
const participantSql = (condition: string, watermarkSql = IN_LEAGUE, daySql = SEASON_DAY) =>
  `SELECT l.era, l.caught_up_at IS NOT NULL AS is_loaded, ${versionSql('concat(p.name, p.name_ru, newest.found)', watermarkSql, rulesVersion("(newest.found ->> 'season_id')::bigint"), daySql)} AS version,
     p.id, p.type, p.name, p.name_ru, p.sport, newest.found AS newest,
     ${columnsFor(condition)}
   FROM analytics_loader l, participant p
   -- OFFSET 0 keeps Postgres from finding the season again for each column.
   CROSS JOIN LATERAL (SELECT coalesce(${NEWEST_OF('t.tier IS NOT NULL')}, ${NEWEST_OF('true')}) AS found OFFSET 0) newest
   ${joinCard({ kind: "'side'", id: 'p.id', variant: '$3::text', tournament: "(newest.found ->> 'tournament_id')::bigint" })}
   WHERE ${condition}`;
const PARTICIPANT = prepared('analytics participant', participantSql('p.id = $1'));
// The card names the first day on which matches count.
const PARTICIPANT_IN_ALL = prepared(
  'analytics participant in all',
  participantSql('p.id = $1', 'l.loaded_cursor', '$2::date'),
);
const PARTICIPANTS = prepared('analytics participants', participantSql('p.id = ANY ($1)'));

// Planned only once, since planning takes 23 ms and execution only 1.3 ms (146,000 matches).
const plannedOnce = async <R extends pg.QueryResultRow>(pool: pg.Pool, statement: pg.QueryConfig): Promise<R[]> =>
  (
    await readTogether(pool, (shared) =>
      readTransaction(shared, (client) => client.query<R>(statement), [PLANNED_ONCE]),
    )
  ).rows;

/**
 * @param day request day, YYYY-MM-DD
 * @param variant card variant
 * @returns null for an unknown participant
 */
export async function findParticipantSubject(
  db: Queryable,
  id: number,
  { day, scope, variant }: { day: string; scope: SideScope; variant: string },
): Promise<ParticipantSubject | null> {
  const statement = scope === 'all' ? PARTICIPANT_IN_ALL : PARTICIPANT;
  const { rows } = await db.query<ParticipantSubject>(statement([id, day, variant]));
  return rows[0] ?? null;
}

/** Returns the participants that still exist, in any order. */
export const findParticipantSubjects = (
  pool: pg.Pool,
  ids: readonly number[],
  { day, variant }: { day: string; variant: string },
): Promise<ParticipantSubject[]> => plannedOnce(pool, PARTICIPANTS([ids, day, variant]));

export interface TournamentSubject extends HistoryState {
  tournament_id: number;
  name: string;
  name_ru: string | null;
  sport: string;
  /** True if the tournament has the requested season, or if no season was requested. */
  has_season: boolean;
}

/**
 * SQL for a text that differs between two days if a tournament's profile or trends may differ, see `sampleDaySql`.
 * @param day SQL for the day, of type date
 */
const tournamentDay = (day: string): string =>
  `concat_ws('-', current_season(t.id, ${day}), ${sampleDaySql('t.id', day)})`;

const TOURNAMENT = prepared(
  'analytics tournament',
  `SELECT l.era, l.caught_up_at IS NOT NULL AS is_loaded, ${versionSql('concat(t.name, t.name_ru)', watermark(tournamentChanges('t.id')), tournamentDay('$3::date'))} AS version,
     t.id AS tournament_id, t.name, t.name_ru, t.sport,
     $2::bigint IS NULL OR EXISTS (SELECT FROM season s WHERE s.id = $2 AND s.tournament_id = t.id) AS has_season,
     ${cardColumns('card.body')}
   FROM analytics_loader l, tournament t
   ${joinCard({ kind: '$4::text', id: 't.id', variant: "coalesce($2::bigint::text, '')", tournament: 't.id' })}
   WHERE t.id = $1`,
);

/**
 * @param day request day, YYYY-MM-DD
 * @param kind card kind: profile, or strongest trends
 * @returns null for an unknown tournament
 */
export async function findTournamentSubject(
  db: Queryable,
  id: number,
  { day, kind, season }: { day: string; kind: 'league' | 'trends'; season?: number | undefined },
): Promise<TournamentSubject | null> {
  const { rows } = await db.query<TournamentSubject>(TOURNAMENT([id, season ?? null, day, kind]));
  return rows[0] ?? null;
}

const TOURNAMENT_CARDS = prepared(
  'analytics tournament with profile and trends',
  `SELECT l.era, l.caught_up_at IS NOT NULL AS is_loaded, v.version, t.id AS tournament_id, t.name, t.name_ru, t.sport, true AS has_season, k.kind,
     ${cardColumns('card.body')}
   FROM analytics_loader l, tournament t
   -- OFFSET 0 keeps Postgres from finding the version twice.
   CROSS JOIN LATERAL (SELECT ${versionSql('concat(t.name, t.name_ru)', watermark(tournamentChanges('t.id')), tournamentDay('$2::date'))} AS version OFFSET 0) v
   CROSS JOIN (VALUES ('league'), ('trends')) k (kind)
   ${joinCard({ kind: 'k.kind', id: 't.id', variant: "''", tournament: 't.id' })}
   WHERE t.id = $1`,
);

/**
 * Reads the profile and the strongest trends of a tournament together.
 * @param day request day, YYYY-MM-DD
 * @returns null for an unknown tournament
 */
export async function findTournamentSubjects(
  db: Queryable,
  id: number,
  day: string,
): Promise<Record<'league' | 'trends', TournamentSubject> | null> {
  const { rows } = await db.query<TournamentSubject & { kind: string }>(TOURNAMENT_CARDS([id, day]));
  const [league, trends] = ['league', 'trends'].map((kind) => rows.find((row) => row.kind === kind));
  return league === undefined || trends === undefined ? null : { league, trends };
}

const NAMES = prepared(
  'analytics names',
  `SELECT g.event_id, named.name, named.name_ru FROM unnest($1::bigint[], $2::bigint[], $3::float8[]) AS g (event_id, side_id, start)
   CROSS JOIN LATERAL names_at(g.side_id, to_timestamp(g.start)) named`,
);

/**
 * Returns side names on match days, by match.
 * @param sides with the match start, in seconds since 1970
 */
export async function namesAtMatches(
  db: Queryable,
  sides: readonly { event_id: number; side_id: number; start: number }[],
): Promise<Map<number, { name: string; name_ru: string | null }>> {
  const { rows } = await db.query<{ event_id: number; name: string; name_ru: string | null }>(
    NAMES(columns(sides, 'event_id', 'side_id', 'start')),
  );
  return new Map(rows.map(({ event_id, ...names }) => [event_id, names]));
}

/** A match in a form strip. */
export interface RecentMatch {
  id: number;
  /** YYYY-MM-DD */
  date: string;
  /** Both sides, with their names on the match day. */
  home: SideSubject;
  away: SideSubject;
  /** home:away */
  score: string;
  /** True if a shoot-out decided the match. */
  shootout: boolean;
}

const RECENT = prepared(
  'analytics recent',
  `SELECT m.id, to_char(m.scheduled_start AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date, m.home_score || ':' || m.away_score AS score, m.home_score = m.away_score AND m.status_detail = 'after_penalties' AS shootout,
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
