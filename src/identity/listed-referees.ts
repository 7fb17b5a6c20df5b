/** Joins stored referees as data/identity/referees.csv says, which a later release may have extended. */
import type { Queryable } from '../db/postgres.ts';
import { storedKey } from './entity-keys.ts';
import { joinPersons, moveAliases } from './joined-participants.ts';
import { readMerges } from './merges.ts';
import { storeStaffNames } from './stored-staff.ts';

interface Listed {
  id: number;
  sport: string;
  country: string;
  name: string;
}

/** @returns the ids of referees who have been joined to another one */
export async function joinListedReferees(client: Queryable): Promise<number[]> {
  const listed = [...readMerges().referees].flatMap(([at, { country, key, name }]) => {
    const [sport = '', alias_country = '', alias = ''] = at.split('|');
    const written = storedKey({ country: alias_country, key: alias });
    return written === storedKey({ country, key }) ? [] : [{ sport, key: written, country, name }];
  });
  const { rows } = await client.query<Listed>(
    `SELECT p.id, w.sport, w.country, w.name FROM json_to_recordset($1) AS w (sport text, key text, country text, name text)
     JOIN participant p ON p.type = 'referee' AND p.sport = w.sport AND p.key = w.key
     WHERE p.person_id IS NULL AND NOT EXISTS (
       SELECT FROM participant_pair x WHERE x.decision IS NOT NULL AND p.id IN (x.known_id, x.other_id))
     ORDER BY p.id`,
    [JSON.stringify(listed)],
  );
  const known = await storeStaffNames(
    client,
    rows.map(({ sport, country, name }) => ({ role: 'referee', sport, country, name, provider: 'touchline' })),
  );
  for (const [index, { id }] of rows.entries()) {
    await joinPersons(client, known[index]!, id);
    await moveAliases(client, known[index]!, id);
  }
  return rows.map(({ id }) => id);
}
