/** Finds, creates and links the participants that stand for referees and coaches. */
import type { Queryable } from '../db/postgres.ts';
import { storedKey } from './entity-keys.ts';
import { storeAliases } from './participant-names.ts';
import { identifyStaff, STAFF_GENDER, type StaffRole } from './staff-names.ts';

/** A name of a referee or coach, as a source writes it. */
export interface StaffName {
  role: StaffRole;
  sport: string;
  /** The country of the competitions, or INT. */
  country: string;
  name: string;
  /** The Russian name, if the source gives one. */
  name_ru?: string | null;
  /** The provider that gives the name. */
  provider: string;
}

/** The source for names from the reviewed list. */
const LIST_PROVIDER = 'touchline';
const INTERNATIONAL = 'INT';

const WANTED = 'json_to_recordset($1) AS w (type text, sport text, key text, name text, country text)';
/** `$2` is the gender of staff. If the participant has been joined to a person, `person` is that person. */
const FIND = `SELECT w.type, w.sport, w.key, p.id, coalesce(p.person_id, p.id) AS person FROM ${WANTED}
  JOIN participant p ON p.type = w.type AND p.sport = w.sport AND p.gender = $2 AND p.key = w.key`;

interface Found {
  type: string;
  sport: string;
  key: string;
  id: number;
  person: number;
}

const staffKey = ({ type, sport, key }: Pick<Found, 'type' | 'sport' | 'key'>) => `${type}|${sport}|${key}`;

/**
 * Finds or creates the participants for these names, and stores the spellings as aliases.
 * @returns the participants' ids, in the same order
 */
export async function storeStaffNames(client: Queryable, names: readonly StaffName[]): Promise<number[]> {
  const given = names.map(({ role, ...name }) => {
    const identity = identifyStaff(role, name);
    const country = identity.country === INTERNATIONAL ? null : identity.country;
    return { type: role, sport: name.sport, key: storedKey(identity), name: identity.name, country, written: name };
  });
  const wanted = new Map(given.map(({ written: _, ...one }) => [staffKey(one), one]));
  const found = new Map<string, Found>();
  const find = async () => {
    const missing = [...wanted].flatMap(([key, one]) => (found.has(key) ? [] : [one]));
    if (missing.length === 0) return [];
    const { rows } = await client.query<Found>(FIND, [JSON.stringify(missing), STAFF_GENDER]);
    for (const row of rows) found.set(staffKey(row), row);
    return missing.filter((one) => !found.has(staffKey(one)));
  };
  const missing = await find();
  if (missing.length > 0) {
    // Sorted by key, so that two transactions that create the same participants wait for each other instead of deadlocking.
    await client.query(
      `INSERT INTO participant (type, sport, gender, key, name, country)
       SELECT type, sport, $2, key, name, country FROM ${WANTED} ORDER BY type, sport, key
       ON CONFLICT (type, sport, gender, key) DO NOTHING`,
      [JSON.stringify(missing), STAFF_GENDER],
    );
    await find();
  }
  await storeSpellings(
    client,
    given.map((one) => ({ ...one, id: found.get(staffKey(one))!.person })),
  );
  return given.map((one) => found.get(staffKey(one))!.id);
}

/**
 * Stores the spellings. If sources write a name in several ways, the spelling with accents and full stops is shown, which
 * sorts last. The same holds for Russian names.
 */
async function storeSpellings(
  client: Queryable,
  named: readonly { id: number; name: string; written: Omit<StaffName, 'role'> }[],
): Promise<void> {
  const added = await storeAliases(
    client,
    named.flatMap(({ id, name, written }) => [
      { id, name: written.name, locale: 'en', provider: written.provider },
      ...(written.name_ru ? [{ id, name: written.name_ru, locale: 'ru', provider: written.provider }] : []),
      ...(name === written.name ? [] : [{ id, name, locale: 'en', provider: LIST_PROVIDER }]),
    ]),
  );
  if (added === 0) return;
  await client.query(
    `WITH locked AS (SELECT id FROM participant WHERE id = ANY ($2) AND type IN ('referee', 'coach') ORDER BY id FOR NO KEY UPDATE)
     UPDATE participant p SET name = greatest(p.name COLLATE "C", w.name), name_ru = greatest(p.name_ru COLLATE "C", w.name_ru)
     FROM locked JOIN (
       SELECT id, max(name COLLATE "C") AS name, max(name_ru COLLATE "C") AS name_ru
       FROM json_to_recordset($1) AS r (id bigint, name text, name_ru text) GROUP BY id) w USING (id)
     WHERE p.id = locked.id AND (p.name COLLATE "C" < w.name OR coalesce(p.name_ru, '') COLLATE "C" < w.name_ru)`,
    [
      JSON.stringify(named.map(({ id, name, written }) => ({ id, name, name_ru: written.name_ru }))),
      named.map(({ id }) => id),
    ],
  );
}
