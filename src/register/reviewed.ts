/**
 * The reviewed file data/identity/register.csv: entity, wikidata, sport, gender, country, name. The entry with that id at
 * Wikidata means the entity with that name. An empty name says that the entry is nothing of ours.
 */
import { identifyParticipant, identifyTournament, storedKey } from '../identity/entity-keys.ts';
import { dataRows } from '../wire/data-file.ts';
import type { RegisterEntity } from './entries.ts';

/** The meaning of an entry: the identity of one of our entities, or null if it is none of ours. */
export interface ReviewedEntry {
  entity: RegisterEntity;
  /** The entry's id at Wikidata. */
  wikidata: string;
  ours: { sport: string; gender: string; country: string; key: string } | null;
}

const COLUMNS = ['entity', 'wikidata', 'sport', 'gender', 'country', 'name'] as const;

export const reviewedEntries = (): ReviewedEntry[] => dataRows('identity/register.csv', COLUMNS).map(toReviewed);

function toReviewed(row: Record<(typeof COLUMNS)[number], string>): ReviewedEntry {
  const { wikidata, name, sport, gender, country } = row;
  const entity = row.entity === 'team' ? 'team' : 'tournament';
  if (name === '') return { entity, wikidata, ours: null };
  const key =
    entity === 'team'
      ? storedKey(identifyParticipant({ type: 'team', sport, gender, country, name }))
      : identifyTournament({ sport, gender, country, name }).key;
  return { entity, wikidata, ours: { sport, gender, country, key } };
}
