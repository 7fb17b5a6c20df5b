/** Reads the clubs of the catalogue and the entries of a register, and decides which mean the same. */
import { prepared, type Queryable } from '../db/postgres.ts';
import { type ClubName, readClubName } from './club-names.ts';
import type { Decision, Entry } from './decision.ts';
import { decideClubs } from './match-clubs.ts';

/** SQL for the number of ids in an entry that say what it is about. The ids of the register and of Wikidata do not. */
const ID_COUNT = `(SELECT count(*)::int FROM jsonb_object_keys(e.ids) k WHERE k NOT IN (e.register, 'wikidata'))`;
export const ENTRY = `e.register_id, e.name, e.full_name, e.countries, e.since::text, ${ID_COUNT} AS "idCount"`;

interface Row {
  id: number;
  country: string;
  key: string;
  name: string;
  names: string[];
  founded: number | null;
  first: number | null;
}

/**
 * Registers do not say whether a team is for women. Women's teams often have the club's name, so only men's clubs are compared, and
 * entries whose ids say that the team is for women are left out.
 */
const GENDER = 'men';
const FOR_WOMEN = '%-frauen%';

const CLUBS = `SELECT p.id, p.country, p.key, p.name, CASE jsonb_typeof(p.extra -> 'founded') WHEN 'number' THEN (p.extra -> 'founded')::float8 END AS founded,
    ARRAY(SELECT DISTINCT a.key FROM participant_alias a WHERE a.participant_id = p.id AND a.locale = 'en') AS names,
    (SELECT min(first)::int FROM (SELECT extract(year FROM min(m.scheduled_start)) AS first FROM match m WHERE m.home_id = p.id
       UNION ALL SELECT extract(year FROM min(m.scheduled_start)) FROM match m WHERE m.away_id = p.id) played) AS first
  FROM participant p WHERE p.type = 'team' AND p.sport = $1 AND p.gender = $2 AND p.person_id IS NULL AND p.country IS NOT NULL
    AND p.key NOT LIKE '%|national team %' ORDER BY p.id`;

/** @param known decisions that stand; the entries and clubs in them are not compared */
export async function decideStoredClubs(
  db: Queryable,
  register: string,
  sport: string,
  known: readonly Decision[],
): Promise<Decision[]> {
  const { rows } = await db.query<Row>(CLUBS, [sport, GENDER]);
  const taken = new Set(known.map(({ entity_id }) => entity_id));
  const decided = new Set(known.map(({ register_id }) => register_id));
  const entries = await db.query<Entry>(
    prepared(
      'register entries of teams',
      `SELECT ${ENTRY} FROM register_entry e WHERE e.register = $1 AND e.entity = 'team' AND e.countries <> '{}'
         AND e.ids::text NOT LIKE $2 ORDER BY e.register_id`,
    )([register, FOR_WOMEN]),
  );
  const clubs = rows
    .filter(({ id }) => !taken.has(id))
    .map(({ name, names, ...row }) => ({
      ...row,
      sport,
      gender: GENDER,
      names: names.map((folded): ClubName => readClubName(folded)),
      until: dissolvedIn(name),
    }));
  return decideClubs(
    entries.rows.filter(({ register_id }) => !decided.has(register_id)),
    clubs,
  );
}

/** Reads the year from a name such as "SC Tasmania 1900 Berlin (-1973)", as our sources write dissolved clubs. */
function dissolvedIn(name: string): number | null {
  const year = /\(-(\d{4})\)/u.exec(name)?.[1];
  return year === undefined ? null : Number(year);
}
