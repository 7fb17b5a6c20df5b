/** Lists leagues with their coverage, for the page /docs/leagues.html. */

import { foldName } from '../db/fold-name.ts';
import { firstRow, prepared, type Queryable } from '../db/postgres.ts';
import type { Read } from '../db/reads.ts';
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
       AND NOT EXISTS (SELECT FROM unnest($4::text[], $5::text[]) AS w (typed, folded)
         WHERE strpos(translate(lower(concat_ws(' ', t.name, t.name_ru, c.name, c.name_ru)), 'ё', 'е'), w.typed) = 0
           AND (w.folded = '' OR strpos(t.key, w.folded) = 0)))
   SELECT (SELECT count(*)::int FROM found) AS total, (SELECT count(DISTINCT country)::int FROM found) AS countries,
     (SELECT coalesce(json_agg(one ORDER BY place), '[]') FROM (SELECT * FROM found ORDER BY place LIMIT $6 OFFSET $7) one) AS leagues`,
);

export async function findLeagues(
  db: Queryable,
  { q, sport, country, depth }: LeagueFilter,
  limit: number,
  offset: number,
): Promise<LeaguePage> {
  const typed = q
    .toLowerCase()
    .replaceAll('ё', 'е')
    .split(/\s+/u)
    .filter((word) => word !== '');
  const { rows } = await db.query<LeaguePage>(
    LEAGUES([sport, country, depth, typed, typed.map(foldName), limit, offset]),
  );
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

/** Matches are looked up for as many leagues as it takes, the most important league first, because of OFFSET 0. */
const TOP_LEAGUES = prepared(
  'top leagues',
  `SELECT t.id, t.name, t.name_ru, c.name AS country_name, c.name_ru AS country_name_ru
   FROM (SELECT * FROM tournament WHERE $1::text IS NULL OR sport = $1
     ORDER BY importance DESC, tier NULLS LAST, name, id OFFSET 0) t JOIN country c ON c.iso = t.country
   WHERE EXISTS (SELECT FROM match m WHERE m.tournament_id = t.id OFFSET 0)
   ORDER BY t.importance DESC, t.tier NULLS LAST, t.name, t.id LIMIT $2`,
);

/** Reads the most important leagues that have matches. */
export const topLeaguesRead = (sport: string | undefined, limit: number): Read<TopLeague[]> => ({
  statement: TOP_LEAGUES([sport ?? null, limit]),
  toValue: (rows: TopLeague[]) => rows,
});
