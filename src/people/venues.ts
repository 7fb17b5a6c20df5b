/** Reads venues: the list, and one venue with its teams and matches. */
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import { foldName } from '../db/fold-name.ts';
import { firstRow, prepared, type Queryable, wireTimeSql } from '../db/postgres.ts';
import { mergeRows } from '../identity/merges.ts';
import { soundOf } from '../identity/player-names.ts';
import type { MatchAccess } from '../wire/access.ts';
import { listedEventsSql, withinSql, withinValues } from './listed-events.ts';
import type { venueDetail, venueItem } from './schema.ts';

export type VenueItem = z.infer<typeof venueItem>;
export type VenueDetail = z.infer<typeof venueDetail>;

export interface VenueFilter {
  q?: string | undefined;
  country?: string | undefined;
  limit: number;
  offset: number;
}

interface VenueKey {
  id: number;
  country: string;
  key: string;
  city_key: string;
}
const KEYS = prepared(
  'venue keys',
  'SELECT id, country, key, city_key FROM venue WHERE $1::text IS NULL OR country = $1',
);

/** How many texts of venues are remembered with their sound, which takes longer to compute than all the rest of a search. */
const MOST_SOUNDS = 20_000;
const sounds = new LRUCache<string, string>({ max: MOST_SOUNDS });

/** Returns the sound of a venue's name and city. Each word begins with a space. */
function soundOfVenue({ key, city_key }: VenueKey): string {
  const text = ` ${key} ${city_key}`;
  const sound = sounds.get(text) ?? soundOf(text);
  sounds.set(text, sound);
  return sound;
}

/** Returns the venues in which each word begins a word of the name, the city or a listed alias. @param words folded */
async function findByWords(db: Queryable, words: readonly string[], country: string | null): Promise<number[]> {
  const beginnings = words.map((word) => ` ${soundOf(word)}`);
  const aliased = new Set(venuesByAlias(words).map((one) => `${one.country} ${one.key}`));
  const { rows } = await db.query<VenueKey>(KEYS([country]));
  const isFound = (venue: VenueKey) => {
    const sound = soundOfVenue(venue);
    return beginnings.every((word) => sound.includes(word)) || aliased.has(`${venue.country} ${venue.key}`);
  };
  return rows.filter(isFound).map(({ id }) => id);
}

const VENUES = prepared(
  'venues',
  `WITH counted AS MATERIALIZED (SELECT venue_id, count(*)::int AS events FROM match WHERE venue_id IS NOT NULL GROUP BY venue_id),
   found AS MATERIALIZED (
     SELECT v.id, v.name, v.city, v.country, v.capacity, coalesce(c.events, 0) AS events
     FROM venue v LEFT JOIN counted c ON c.venue_id = v.id
     WHERE ($1::text IS NULL OR v.country = $1) AND ($2::bigint[] IS NULL OR v.id = ANY ($2))
   ), page AS (SELECT * FROM found ORDER BY events DESC, name, id LIMIT $3 OFFSET $4)
   SELECT (SELECT count(*)::int FROM found) AS total,
     coalesce((SELECT json_agg(p.* ORDER BY p.events DESC, p.name, p.id) FROM page p), '[]') AS venues`,
);

/** Lists venues, most matches first. */
export async function listVenues(
  db: Queryable,
  { q, country, limit, offset }: VenueFilter,
): Promise<{ total: number; venues: VenueItem[] }> {
  const words = q === undefined ? null : foldName(q).split(' ');
  // A query without a letter or digit finds nothing.
  if (words?.[0] === '') return { total: 0, venues: [] };
  const found = words === null ? null : await findByWords(db, words, country ?? null);
  if (found?.length === 0) return { total: 0, venues: [] };
  const { rows } = await db.query<{ total: number; venues: VenueItem[] }>(
    VENUES([country ?? null, found, limit, offset]),
  );
  return firstRow(rows);
}

interface ListedAlias {
  country: string;
  key: string;
  alias: string;
  folded: string;
}
let listed: ListedAlias[] | undefined;

/** The other names of venues in the reviewed list. */
function aliases(): ListedAlias[] {
  listed ??= mergeRows('venues.csv').map(({ country, name, alias }) => {
    return { country, key: foldName(name), alias, folded: ` ${foldName(alias)}` };
  });
  return listed;
}

const venuesByAlias = (words: readonly string[]) =>
  aliases().filter(({ folded }) => words.every((word) => folded.includes(` ${word}`)));

const VERSION = prepared(
  'version of a venue',
  `SELECT v.xmin || ':' || (SELECT count(*) || ':' || coalesce(sum(m.version), 0) FROM match m WHERE m.venue_id = v.id) AS version
   FROM venue v WHERE v.id = $1`,
);

/** Returns a version of what the catalogue knows about a venue and its matches. Null for an unknown venue. */
export async function venueVersion(db: Queryable, id: number): Promise<string | null> {
  return (await db.query<{ version: string }>(VERSION([id]))).rows[0]?.version ?? null;
}

const TENANTS = 20;

const VENUE = prepared(
  'venue',
  `WITH own AS MATERIALIZED (
     SELECT m.id, m.scheduled_start, m.status = 'finished' AS is_over, m.home_id, m.neutral FROM match m WHERE m.venue_id = $1 AND ${withinSql(2)}
   ), tenant AS (
     SELECT o.home_id, count(*)::int AS matches, min(o.scheduled_start) AS first, max(o.scheduled_start) AS last
     FROM own o WHERE o.neutral IS NOT TRUE GROUP BY o.home_id
   ), shown AS (
     SELECT t.*, p.sport FROM tenant t
       -- OFFSET 0 makes Postgres look up each team, instead of reading all participants.
       CROSS JOIN LATERAL (SELECT sport, key, country FROM participant WHERE id = t.home_id OFFSET 0) p JOIN venue v ON v.id = $1
     WHERE p.key NOT LIKE '%|national team %' OR p.country = v.country ORDER BY t.matches DESC, t.last DESC, t.home_id LIMIT ${TENANTS}
   )
   SELECT v.id, v.name, v.key, v.city, v.country, v.capacity, v.latitude, v.longitude, v.timezone,
     (SELECT count(*)::int FROM own) AS events,
     ${wireTimeSql('(SELECT min(scheduled_start) FROM own)')} AS first_match, ${wireTimeSql('(SELECT max(scheduled_start) FROM own)')} AS last_match,
     coalesce((
       SELECT json_agg(json_build_object('team_id', s.home_id, 'team_name', n.name, 'team_name_ru', n.name_ru, 'sport', s.sport, 'matches', s.matches,
         'first_match', ${wireTimeSql('s.first')}, 'last_match', ${wireTimeSql('s.last')}) ORDER BY s.matches DESC, s.last DESC, s.home_id)
       FROM shown s CROSS JOIN LATERAL names_at(s.home_id, s.last) n), '[]') AS tenants,
     ${listedEventsSql('own')}
   FROM venue v WHERE v.id = $1`,
);

/** Returns a venue with the matches that the plan includes. Null for an unknown venue. */
export async function findVenue(db: Queryable, id: number, access: MatchAccess | null): Promise<VenueDetail | null> {
  const { rows } = await db.query<Omit<VenueDetail, 'aliases'> & { key: string }>(VENUE([id, ...withinValues(access)]));
  const [found] = rows;
  if (found === undefined) return null;
  const { key, ...venue } = found;
  const other = aliases().filter((one) => one.country === venue.country && one.key === key && one.alias !== venue.name);
  return { ...venue, aliases: [...new Set(other.map(({ alias }) => alias))] };
}
