/** The types in which entries are compared with our entities. */

/** An entry as it is compared. */
export interface Entry {
  register_id: string;
  name: string;
  full_name: string | null;
  countries: readonly string[];
  since: string | null;
  /** How many ids the entry has at providers other than the register and Wikidata. An entry without any may be about anything. */
  idCount: number;
}

/**
 * Why an entry is linked or in doubt:
 * reviewed: data/identity/register.csv says so; known_id: a provider's id in the entry is already an id of ours; name: the rules
 * for names; several_entries: more than one entry fits the entity; several_of_ours: the entry fits more than one entity;
 * weak_name: the name alone is not enough; founded_later: the club was founded after our first match; claimed_id: a provider's id in
 * the entry belongs to another entity of ours.
 */
export type Reason =
  | 'reviewed'
  | 'known_id'
  | 'name'
  | 'several_entries'
  | 'several_of_ours'
  | 'weak_name'
  | 'founded_later'
  | 'claimed_id';

export interface Decision {
  register_id: string;
  /** Our id, or null if the entry is in doubt. */
  entity_id: number | null;
  reason: Reason;
  /** Ours that the entry may mean, if it is in doubt or if several of ours claim it. */
  candidates: number[];
}

export const linked = (register_id: string, entity_id: number, reason: Reason): Decision => ({
  register_id,
  entity_id,
  reason,
  candidates: [],
});

export const inDoubt = (register_id: string, reason: Reason, candidates: number[]): Decision => ({
  register_id,
  entity_id: null,
  reason,
  candidates,
});
