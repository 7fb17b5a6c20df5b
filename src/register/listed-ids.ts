/**
 * The reviewed file data/identity/outside-ids.csv: sport, gender, country, name, provider, external_id. It has ids of clubs that the
 * imported registers lack.
 */
import type pg from 'pg';
import { identifyParticipant, storedKey } from '../identity/entity-keys.ts';
import { replaceListedIds } from '../identity/external-ids.ts';
import { dataRows } from '../wire/data-file.ts';

const COLUMNS = ['sport', 'gender', 'country', 'name', 'provider', 'external_id'] as const;

/** Stores the ids of listed clubs that the catalogue has. */
export async function storeListedIds(pool: pg.Pool): Promise<void> {
  const rows = dataRows('identity/outside-ids.csv', COLUMNS).map(({ sport, gender, country, name, ...id }) => ({
    sport,
    gender,
    key: storedKey(identifyParticipant({ type: 'team', sport, gender, country, name })),
    ...id,
  }));
  await replaceListedIds(pool, rows);
}
