/** Lists leagues: for /leagues the leagues that have matches, for /docs/leagues.html all leagues with their coverage. */

import { foldName } from '../db/fold-name.ts';
import { firstRow, prepared, type Queryable } from '../db/postgres.ts';
import type { Read } from '../db/reads.ts';
import type { Lang } from '../http/index.ts';
import { DAY_MS } from '../wire/time.ts';
import type { Coverage, Depth } from './schema.ts';

export interface League {
  id: number;
  sport: string;
  country: string;
  country_name: string;
  country_name_ru: string | null;
  name: string;
  name_ru: string | null;
  gender: string;
  tier: number | null;
  /** Null if the league has not been measured yet. */
  events: number | null;
  depth: Depth;
  blocks: Coverage['blocks'] | null;
  last_match_id: number | null;
}

export interface LeagueFilter {
  /** Search words, which are compared with the names of league and country in both languages. */
  q: string;
  /** A sport's slug, or empty for all sports. An unknown slug finds no league. */
  sport: string;
  country: string;
  depth: string;
}

export interface LeaguePage {
  total: number;
  countries: number;
  leagues: League[];
}

const NOT_MEASURED: Depth = 'none';

/**
 * Returns a condition for the leagues whose names, or whose country's names, contain all words.
 * @param first number of the parameter with the words as typed; the next parameter has them folded
 */
const hasWords = (
  first: number,
) => `NOT EXISTS (SELECT FROM unnest($${first}::text[], $${first + 1}::text[]) AS w (typed, folded)
  WHERE strpos(translate(lower(concat_ws(' ', t.name, t.name_ru, c.name, c.name_ru)), 'ё', 'е'), w.typed) = 0
    AND (w.folded = '' OR strpos(t.key, w.folded) = 0))`;

/** Returns the words of a search as typed, and folded. */
function searchWords(q: string): [typed: string[], folded: string[]] {
  const typed = q
    .toLowerCase()
    .replaceAll('ё', 'е')
    .split(/\s+/u)
    .filter((word) => word !== '');
  return [typed, typed.map(foldName)];
}

const LEAGUES = prepared(
  'leagues page',
  `WITH found AS MATERIALIZED (
     SELECT t.id, t.sport, t.country, c.name AS country_name, c.name_ru AS country_name_ru, t.name, t.name_ru, t.gender, t.tier, k.events,
       coalesce(k.depth, '${NOT_MEASURED}') AS depth,
       k.coverage -> 'blocks' AS blocks, k.last_match_id,
       row_number() OVER (ORDER BY s.id, (c.iso = 'INT') DESC, c.name, c.iso, t.tier NULLS LAST, t.importance DESC, t.name, t.id) AS place
     FROM tournament t JOIN sport s ON s.slug = t.sport JOIN country c ON c.iso = t.country
       LEFT JOIN tournament_coverage k ON k.tournament_id = t.id
     WHERE ($1 = '' OR t.sport = $1) AND ($2 = '' OR t.country = $2) AND ($3 = '' OR coalesce(k.depth, '${NOT_MEASURED}') = $3)
       AND ${hasWords(4)})
   SELECT (SELECT count(*)::int FROM found) AS total, (SELECT count(DISTINCT country)::int FROM found) AS countries,
     (SELECT coalesce(json_agg(one ORDER BY place), '[]') FROM (SELECT * FROM found ORDER BY place LIMIT $6 OFFSET $7) one) AS leagues`,
);

export async function findLeagues(
  db: Queryable,
  { q, sport, country, depth }: LeagueFilter,
  limit: number,
  offset: number,
): Promise<LeaguePage> {
  const { rows } = await db.query<LeaguePage>(LEAGUES([sport, country, depth, ...searchWords(q), limit, offset]));
  return firstRow(rows);
}

export interface Choices {
  sports: { value: string; name: string; name_ru: string | null }[];
  countries: { value: string; name: string; name_ru: string | null }[];
  /** Time of the oldest measurement. Null if no league has been measured. */
  measured_at: string | null;
}

/** Returns the sports and countries that have a league. */
export async function leagueChoices(db: Queryable): Promise<Choices> {
  const { rows } = await db.query<Choices>({
    name: 'league choices',
    text: `SELECT
      (SELECT coalesce(json_agg(json_build_object('value', slug, 'name', name, 'name_ru', name_ru) ORDER BY id), '[]')
        FROM sport WHERE slug IN (SELECT sport FROM tournament)) AS sports,
      (SELECT coalesce(json_agg(json_build_object('value', iso, 'name', name, 'name_ru', name_ru) ORDER BY iso = 'INT' DESC, name), '[]')
        FROM country WHERE iso IN (SELECT country FROM tournament)) AS countries,
      (SELECT min(coverage ->> 'measured_at') FROM tournament_coverage) AS measured_at`,
  });
  return firstRow(rows);
}

/** A league as a form offers it, such as "Premier League, England". */
export interface NamedLeague {
  id: number;
  name: string;
}

/** Returns the leagues with these ids by name. */
export async function readLeagueNames(db: Queryable, ids: readonly number[]): Promise<NamedLeague[]> {
  const { rows } = await db.query<NamedLeague>(
    `SELECT t.id, t.name || ', ' || c.name AS name FROM tournament t JOIN country c ON c.iso = t.country
     WHERE t.id = ANY ($1) ORDER BY 2`,
    [ids],
  );
  return rows;
}

export interface TopLeague {
  id: number;
  name: string;
  name_ru: string | null;
  country_name: string;
  country_name_ru: string | null;
}

/** A demo league whose last match is older is not in menus: the demo was switched off, and its matches are invented. */
const DEMO_SHOWN_MS = DAY_MS;
const demoSince = (now: number): Date => new Date(now - DEMO_SHOWN_MS);

/** SQL for whether a tournament `t` has matches, in the demo's leagues new ones. @param since number of the parameter */
const isPlayed = (since: number): string => `EXISTS (SELECT FROM match m
     WHERE m.tournament_id = t.id AND (NOT t.demo OR m.scheduled_start > $${since}) OFFSET 0)`;

/** Matches are looked up for as many leagues as it takes, the most important league first, because of OFFSET 0. */
const TOP_LEAGUES = prepared(
  'top leagues',
  `SELECT t.id, t.name, t.name_ru, c.name AS country_name, c.name_ru AS country_name_ru
   FROM (SELECT * FROM tournament WHERE $1::text IS NULL OR sport = $1
     ORDER BY importance DESC, tier NULLS LAST, name, id OFFSET 0) t JOIN country c ON c.iso = t.country
   WHERE ${isPlayed(3)}
   ORDER BY t.importance DESC, t.tier NULLS LAST, t.name, t.id LIMIT $2`,
);

/** Reads the most important leagues that have matches. @param now ms since 1970 */
export const topLeaguesRead = (sport: string | undefined, limit: number, now: number): Read<TopLeague[]> => ({
  statement: TOP_LEAGUES([sport ?? null, limit, demoSince(now)]),
  toValue: (rows: TopLeague[]) => rows,
});

/** A league that has matches. */
export interface PlayedLeague extends TopLeague {
  sport: string;
  country: string;
  gender: string;
}

export interface PlayedLeagues {
  /** Number of leagues that fit the search, on all pages. */
  total: number;
  /** One page of these leagues: international ones first, then by country. The most important league of a country comes first. */
  leagues: PlayedLeague[];
  /** The most important leagues of each sport, by sport id. */
  top: PlayedLeague[];
  /** All sports that have leagues with matches, by sport id. They do not depend on the search. */
  sports: { sport: string; count: number }[];
}

const PLAYED_FIELDS = 'id, sport, country, country_name, country_name_ru, name, name_ru, gender';

const PLAYED_LEAGUES = prepared(
  'played leagues',
  `WITH played AS MATERIALIZED (
     SELECT t.id, t.sport, s.id AS sport_id, t.country, c.name AS country_name, c.name_ru AS country_name_ru, t.name, t.name_ru, t.gender,
       t.tier, t.importance, ${hasWords(3)} AS fits
     FROM tournament t JOIN sport s ON s.slug = t.sport JOIN country c ON c.iso = t.country
     WHERE ${isPlayed(9)}),
   found AS MATERIALIZED (
     SELECT *, row_number() OVER (PARTITION BY sport_id ORDER BY importance DESC, tier NULLS LAST, name, id) AS rank,
       row_number() OVER (ORDER BY country <> 'INT', CASE WHEN $5 THEN coalesce(country_name_ru, country_name) ELSE country_name END, country,
         importance DESC, tier NULLS LAST, name, id) AS place
     FROM played WHERE fits AND ($1 = '' OR sport = $1) AND ($2 = '' OR country = $2))
   SELECT (SELECT count(*)::int FROM found) AS total,
     (SELECT coalesce(json_agg(one ORDER BY place), '[]')
       FROM (SELECT ${PLAYED_FIELDS}, place FROM found ORDER BY place LIMIT $6 OFFSET $7) one) AS leagues,
     (SELECT coalesce(json_agg(one ORDER BY sport_id, rank), '[]')
       FROM (SELECT ${PLAYED_FIELDS}, sport_id, rank FROM found WHERE rank <= $8) one) AS top,
     (SELECT coalesce(json_agg(json_build_object('sport', sport, 'count', count) ORDER BY sport_id), '[]')
       FROM (SELECT sport, sport_id, count(*)::int AS count FROM played GROUP BY 1, 2) one) AS sports`,
);

/**
 * Finds leagues that have matches.
 * @param limits the page of the list, and how many of the most important leagues of a sport are returned besides
 * @param now ms since 1970
 */
export async function findPlayedLeagues(
  db: Queryable,
  { q, sport, country }: Omit<LeagueFilter, 'depth'>,
  lang: Lang,
  { limit, offset, top }: { limit: number; offset: number; top: number },
  now: number,
): Promise<PlayedLeagues> {
  const values = [sport, country, ...searchWords(q), lang === 'ru', limit, offset, top, demoSince(now)];
  const { rows } = await db.query<PlayedLeagues>(PLAYED_LEAGUES(values));
  return firstRow(rows);
}
