/** Queries for the catalogue's lists and profiles. The columns have the same names as in the wire format. */
import type { z } from 'zod';
import { columns, firstRow, prepared, type Queryable } from '../db/postgres.ts';
import type { Read } from '../db/reads.ts';
import type { MatchAccess } from '../wire/access.ts';
import { findClubId, listPlayerClubs } from './player-clubs.ts';
import type {
  country,
  foundParticipant,
  participantDetail,
  participantItem,
  searchHit,
  season,
  sport,
  tournament,
  tournamentDetail,
} from './schema.ts';

export type Sport = z.infer<typeof sport>;
export type Country = z.infer<typeof country>;
export type Tournament = z.infer<typeof tournament>;
export type TournamentDetail = z.infer<typeof tournamentDetail>;
export type Season = z.infer<typeof season>;
export type Participant = z.infer<typeof participantItem>;
export type ParticipantDetail = z.infer<typeof participantDetail>;
export type FoundParticipant = z.infer<typeof foundParticipant>;
export type SearchHit = z.infer<typeof searchHit>;

/** SQL for the names as `{"en", "ru"}`. `ru` is absent if there is no Russian name. */
const i18n = (table: string) => `json_strip_nulls(json_build_object('en', ${table}.name, 'ru', ${table}.name_ru))`;

export async function listSports(db: Queryable): Promise<Sport[]> {
  const { rows } = await db.query<Sport>(`SELECT id, slug, ${i18n('sport')} AS name_i18n FROM sport ORDER BY id`);
  return rows;
}

/** Lists all countries, or only countries with a tournament in a sport. */
export async function listCountries(db: Queryable, sportSlug?: string): Promise<Country[]> {
  const { rows } = await db.query<Country>(
    `SELECT c.iso, c.name, c.name_ru, count(t.id)::int AS leagues,
       coalesce(array_agg(DISTINCT t.sport ORDER BY t.sport) FILTER (WHERE t.id IS NOT NULL), '{}') AS sports
     FROM country c LEFT JOIN tournament t ON t.country = c.iso AND ($1::text IS NULL OR t.sport = $1)
     GROUP BY c.iso HAVING $1::text IS NULL OR count(t.id) > 0
     ORDER BY c.name, c.iso`,
    [sportSlug ?? null],
  );
  return rows;
}

const TOURNAMENT_FIELDS = `t.id, t.name, ${i18n('t')} AS name_i18n, t.sport, t.gender, t.country,
  coalesce(c.events, (SELECT count(*)::int FROM match m WHERE m.tournament_id = t.id)) AS events, t.tier, c.coverage`;
/** Until a tournament's coverage has been measured, its matches are counted here. */
const MEASURED = 'LEFT JOIN tournament_coverage c ON c.tournament_id = t.id';

export interface TournamentFilter {
  sport?: string | undefined;
  country?: string | undefined;
  /** If present, only these tournaments are returned, in this order. */
  ids?: readonly number[] | undefined;
  /** The client's access. Absent for all matches. */
  access?: MatchAccess;
  limit: number;
  offset: number;
}

export interface TournamentPage {
  total: number;
  count: number;
  /**
   * JSON, comma-separated. It stays text, because parsing it and serialising it again, with the coverage, would take longer
   * than the query.
   */
  tournaments: string;
}

const FOUND = `($1::text IS NULL OR t.sport = $1) AND ($2::text IS NULL OR t.country = $2)
    AND ($3::bigint[] IS NULL OR t.id = ANY ($3))`;
/** Consistent with `events`, which each item shows. */
const HAS_MATCHES = 'coalesce(c.events > 0, EXISTS (SELECT FROM match m WHERE m.tournament_id = t.id)) AS has_matches';
const ORDER =
  'array_position($3::bigint[], t.id), t.has_matches DESC, t.importance DESC, t.tier NULLS LAST, t.name, t.id';

const tournamentsStatement = (name: string, condition = 'true') =>
  prepared(
    name,
    `WITH found AS MATERIALIZED (SELECT t.*, ${HAS_MATCHES} FROM tournament t ${MEASURED} WHERE ${FOUND} AND ${condition}),
   page AS (SELECT t.* FROM found t ORDER BY ${ORDER} LIMIT $4 OFFSET $5)
   SELECT (SELECT count(*)::int FROM found) AS total, count(*)::int AS count, coalesce(string_agg(row_to_json(one)::text, ','), '') AS tournaments
   FROM (SELECT ${TOURNAMENT_FIELDS} FROM page t ${MEASURED} ORDER BY ${ORDER}) one`,
  );
const TOURNAMENTS = tournamentsStatement('tournaments');
const TOURNAMENTS_WITHIN = tournamentsStatement(
  'tournaments within',
  '(t.sport = ANY ($6::text[]) OR t.id = ANY ($7::bigint[]))',
);

/** Lists tournaments. Without `ids`, tournaments with matches come first, and more important ones before less important ones. */
export async function listTournaments(db: Queryable, filter: TournamentFilter): Promise<TournamentPage> {
  const { sport = null, country = null, ids = null, limit, offset, access } = filter;
  const values = [sport, country, ids, limit, offset];
  const { rows } = await db.query<TournamentPage>(
    access === undefined ? TOURNAMENTS(values) : TOURNAMENTS_WITHIN([...values, access.sports, access.tournaments]),
  );
  return firstRow(rows);
}

/** SQL for a table's version. Each change gives a row a higher transaction number, so the sum changes. */
const tableVersion = (table: string) =>
  `(SELECT count(*) || ':' || coalesce(sum(xmin::text::bigint), 0) FROM ${table})`;
const VERSION = prepared(
  'tournaments version',
  `SELECT CASE WHEN NOT EXISTS (SELECT FROM tournament t ${MEASURED} WHERE c.tournament_id IS NULL)
     THEN ${tableVersion('tournament')} || ':' || ${tableVersion('tournament_coverage')} || ':' || (SELECT revision FROM search_refresh) END AS version`,
);

/**
 * Returns a version of the tournament data that the tournament list and the search show. Null while a tournament has not
 * been measured yet. Its matches are then counted for each request, so no version can cover them.
 */
export async function tournamentsVersion(db: Queryable): Promise<string | null> {
  const { rows } = await db.query<{ version: string | null }>(VERSION([]));
  return firstRow(rows).version;
}

export async function findTournament(
  db: Queryable,
  id: number,
): Promise<Omit<TournamentDetail, 'current_season'> | null> {
  const { rows } = await db.query<Tournament>({
    name: 'tournament',
    text: `SELECT ${TOURNAMENT_FIELDS} FROM tournament t ${MEASURED} WHERE t.id = $1`,
    values: [id],
  });
  return rows[0] ?? null;
}

const SEASONS = prepared(
  'seasons of a tournament',
  `SELECT id, season_label, to_char(starts, 'YYYY-MM-DD') AS start_date, to_char(ends, 'YYYY-MM-DD') AS end_date,
     id = (SELECT current_season($1, $2)) AS is_current
   FROM season_dates WHERE tournament_id = $1 ORDER BY sorted_by DESC, id DESC`,
);

/** Reads the seasons of `listSeasons` together with the rest of a page. */
export const seasonsRead = (tournamentId: number, today: string): Read<Season[]> => ({
  statement: SEASONS([tournamentId, today]),
  toValue: (rows: Season[]) => rows,
});

export interface ShownTournament extends Tournament {
  country_name: string | null;
  country_name_ru: string | null;
}

const SHOWN = prepared(
  'tournament of a page',
  `SELECT ${TOURNAMENT_FIELDS}, y.name AS country_name, y.name_ru AS country_name_ru
   FROM tournament t ${MEASURED} LEFT JOIN country y ON y.iso = t.country WHERE t.id = $1`,
);

/** Null for an unknown tournament. */
export const tournamentRead = (id: number): Read<ShownTournament | null> => ({
  statement: SHOWN([id]),
  toValue: (rows: ShownTournament[]) => rows[0] ?? null,
});

/**
 * Lists seasons, newest first.
 * @param today YYYY-MM-DD
 */
export async function listSeasons(db: Queryable, tournamentId: number, today: string): Promise<Season[]> {
  return (await db.query<Season>(SEASONS([tournamentId, today]))).rows;
}

/**
 * SQL for the participant fields. `n` has the present names. If no stored name is valid now, it has the names in the
 * participant row.
 */
const PARTICIPANT_FIELDS = `p.id, p.type, p.sport, ${i18n('n')} AS name_i18n, p.country, p.gender,
  to_char(p.birth_date, 'YYYY-MM-DD') AS birth_date, '/v1/participant/' || p.id || '/image' AS image_url, p.extra`;

const ALIASES = `coalesce((
    SELECT json_agg(json_build_object('name', a.name, 'locale', a.locale) ORDER BY a.locale, a.name)
    FROM (SELECT name, locale FROM participant_alias WHERE participant_id = p.id
          UNION SELECT name, locale FROM participant_search_alias WHERE participant_id = p.id) a
    WHERE a.name IS DISTINCT FROM n.name AND a.name IS DISTINCT FROM n.name_ru), '[]') AS aliases`;

/** Returns the participants with these ids, each once, in the order of the ids. Unknown ids are left out. */
export async function listParticipants(db: Queryable, ids: readonly number[], now: Date): Promise<Participant[]> {
  const { rows } = await db.query<Participant>(
    `SELECT ${PARTICIPANT_FIELDS} FROM (
       SELECT coalesce(g.person_id, g.id) AS id, min(w.position) AS position
       FROM unnest($1::bigint[]) WITH ORDINALITY w (id, position) JOIN participant g ON g.id = w.id GROUP BY 1
     ) wanted JOIN participant p ON p.id = wanted.id CROSS JOIN LATERAL names_at(p.id, $2) n ORDER BY wanted.position`,
    [ids, now],
  );
  return rows;
}

/**
 * Returns the profile with all aliases and former names. A player's profile also has the clubs by season. If the id belongs
 * to a participant known only by name, and the name has been identified as a player's, the player's profile is returned.
 */
export async function findParticipant(db: Queryable, id: number, now: Date): Promise<ParticipantDetail | null> {
  const { rows } = await db.query<ParticipantDetail>({
    name: 'participant',
    text: `SELECT ${PARTICIPANT_FIELDS}, ${ALIASES}, former_names(p.id)
     FROM participant p CROSS JOIN LATERAL names_at(p.id, $2) n
     WHERE p.id = (SELECT coalesce(person_id, id) FROM participant WHERE id = $1)`,
    values: [id, now],
  });
  const [found] = rows;
  if (found === undefined) return null;
  if (found.type !== 'player') return found;
  const clubs = await listPlayerClubs(db, found.id);
  const extra = {
    ...found.extra,
    ...('club' in found.extra && { club_id: await findClubId(db, found) }),
    ...(clubs.length > 0 && { clubs }),
  };
  return { ...found, extra };
}

/** Returns profiles with all aliases, in the given order and with the given relevance. */
export async function participantsById(
  db: Queryable,
  found: readonly { id: number; relevance: number }[],
  now: Date,
): Promise<FoundParticipant[]> {
  if (found.length === 0) return [];
  const { rows } = await db.query<FoundParticipant>(
    `SELECT ${PARTICIPANT_FIELDS}, ${ALIASES}, round(f.relevance::numeric, 4)::float8 AS relevance
     FROM unnest($1::bigint[], $2::float8[]) WITH ORDINALITY AS f (id, relevance, ordinality) JOIN participant p USING (id)
       CROSS JOIN LATERAL names_at(p.id, $3) n
     ORDER BY f.ordinality`,
    [...columns(found, 'id', 'relevance'), now],
  );
  return rows;
}

/** Leaves out the tournaments that a plan does not include. @param access null if all are included */
export async function tournamentsWithin<T extends { id: number }>(
  db: Queryable,
  found: readonly T[],
  access: MatchAccess | null,
): Promise<T[]> {
  if (access === null || found.length === 0) return [...found];
  const { rows } = await db.query<{ id: number }>(
    'SELECT id FROM tournament t WHERE id = ANY ($1::bigint[]) AND (t.sport = ANY ($2::text[]) OR t.id = ANY ($3::bigint[]))',
    [found.map(({ id }) => id), access.sports, access.tournaments],
  );
  const within = new Set(rows.map(({ id }) => id));
  return found.filter(({ id }) => within.has(id));
}

const SEARCH_HITS = prepared(
  'search hits',
  `SELECT coalesce(p.type, 'tournament') AS type, f.id, CASE WHEN p.id IS NULL THEN ${i18n('t')} ELSE ${i18n('n')} END AS name_i18n,
     coalesce(p.sport, t.sport) AS sport, coalesce(p.country, t.country) AS country, coalesce(p.gender, t.gender) AS gender,
     '/v1/participant/' || p.id || '/image' AS image_url, round(f.relevance::numeric, 4)::float8 AS relevance
   FROM unnest($1::bigint[], $2::float8[], $3::boolean[]) WITH ORDINALITY AS f (id, relevance, is_tournament, position)
     LEFT JOIN participant p ON p.id = f.id AND NOT f.is_tournament LEFT JOIN LATERAL names_at(p.id, $4) n ON true
     LEFT JOIN tournament t ON t.id = f.id AND f.is_tournament
   ORDER BY f.position`,
);

/** Returns teams, players and tournaments for the list of hits, in the given order. */
export async function searchHits(
  db: Queryable,
  found: readonly { id: number; relevance: number; isTournament: boolean }[],
  now: Date,
): Promise<SearchHit[]> {
  const { rows } = await db.query<SearchHit>(SEARCH_HITS([...columns(found, 'id', 'relevance', 'isTournament'), now]));
  return rows;
}
