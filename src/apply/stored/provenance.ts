/**
 * Records which provider gave each field group and block in a match, converts the record to and from the stored form, and
 * decides when another provider may replace a value.
 */
import type { Block, Precedence } from '../../identity/precedence.ts';
import type { Incident } from '../../wire/match.ts';
import type { FieldGroup } from './match-state.ts';

/** The provider that has given a field group or a block. */
export interface Entry {
  readonly provider: string;
  /**
   * ms. For our figures, this is the figures' version (own-figures.ts). For the lead, this is the time of receipt of the last
   * update (lead/choose-leader.ts).
   */
  readonly observedAt: number;
  /**
   * Why the provider's value is not shown. A better-ranked provider gives a value (`outranked`), the score follows from
   * the incidents (`derived`, see derived-score.ts), the provider gave no value (`none`), or the value does not fit
   * (match-fields.ts).
   */
  readonly hidden?: 'outranked' | 'derived' | 'none' | HiddenValue;
  /** The provider order. Only in the `lead` entry. */
  readonly order?: LeadOrder;
  /**
   * What an operator has corrected by hand. Only in the `correction` entry. The other entries are as they would be without
   * corrections.
   */
  readonly covered?: Covered;
}

/** A match's entries, by field group, block, or a key of their own. */
export type Provenance = Readonly<Record<string, Entry>>;
/** A provenance that may be changed while an update is merged. */
export type ProvenanceDraft = Record<string, Entry>;

/** The lead's key in a match's provenance. */
export const LEAD = 'lead';
/** The corrections' key in a match's provenance. */
export const CORRECTION = 'correction';

// ---- the stored form; only this section knows the positions in an entry

/** The third element is `hidden`, `order` or `covered`. */
type StoredEntry = [provider: string, observedAt: number, third?: unknown];
export type StoredProvenance = Record<string, StoredEntry>;

const THIRD: Readonly<Record<string, 'order' | 'covered'>> = { [LEAD]: 'order', [CORRECTION]: 'covered' };

/** Returns a row's provenance. Runs for every update. A loop over keys takes 1 µs, and a loop over entries 3. */
export function readProvenance(stored: StoredProvenance): Provenance {
  const read: ProvenanceDraft = {};
  for (const group in stored) {
    const entry = stored[group];
    if (entry === undefined) continue;
    const [provider, observedAt, third] = entry;
    read[group] =
      third === undefined ? { provider, observedAt } : { provider, observedAt, [THIRD[group] ?? 'hidden']: third };
  }
  return read;
}

/** Returns the provenance as it is written into a row. */
export function storedProvenance(provenance: Provenance): StoredProvenance {
  const stored: StoredProvenance = {};
  for (const [group, { provider, observedAt, hidden, order, covered }] of Object.entries(provenance)) {
    const third = hidden ?? order ?? covered;
    stored[group] = third === undefined ? [provider, observedAt] : [provider, observedAt, third];
  }
  return stored;
}

/** Returns the SQL for an entry's time. @param provenance the column */
export const observedAtSql = (provenance: string, group: string) => `(${provenance} #>> '{${group},1}')::bigint`;
/** Returns the SQL for the providers' start if a corrected start hides it. */
export const coveredStartSql = (provenance: string) =>
  `(${provenance} #>> '{${CORRECTION},2,below,scheduled_start}')::timestamptz`;
/** Returns the SQL that selects each `provider` whose values a match shows. */
export const shownProvidersSql = (provenance: string) =>
  `SELECT DISTINCT value ->> 0 AS provider FROM jsonb_each(${provenance}) WHERE value -> 2 IS NULL OR key = '${CORRECTION}'`;
/** Returns the SQL that selects, as JSON text, the providers that have reported the match as begun. */
export const begunProvidersSql = (provenance: string) => `jsonb_path_query(${provenance}, '$.${LEAD}[2].begun[*]')`;

/** Returns the providers whose values a match shows, joined into one text. */
export function shownProviders(provenance: Provenance): string {
  const shown = new Set<string>();
  for (const group in provenance) {
    const entry = provenance[group];
    if (entry !== undefined && entry.hidden === undefined && group !== LEAD) shown.add(entry.provider);
  }
  return [...shown].sort().join();
}

type Player = Pick<Incident, 'player_name' | 'player_participant_id'>;
/** Players by incident id. */
export type IncidentPlayers = Readonly<Record<string, Player>>;

/** A match's standing corrections by hand, combined; see correction-overlay.ts. */
export interface Correction {
  fields: FieldGroup;
  /** Corrected scorers. */
  players: IncidentPlayers;
}

/** A correction with the values that it covers. */
export interface Covered extends Correction {
  below: FieldGroup;
  playersBelow: IncidentPlayers;
}

/**
 * A match's live providers. `begun` has those that have reported the match as begun, in the order of their reports. `waiting`
 * has the rest.
 */
export interface LeadOrder {
  begun: readonly string[];
  waiting: readonly string[];
}

/** When an update's provider observed a field group or a block, ms. */
export type ObservedAt = (name: string) => number;

/** Returns an update's times. @param times the times of groups and blocks that were observed before the rest */
export function toObservedAt(update: { observed_at: string }, times?: ReadonlyMap<string, number>): ObservedAt {
  const observedAt = Date.parse(update.observed_at);
  return (name) => times?.get(name) ?? observedAt;
}

/** The value of a dependent group that is hidden because it does not fit its main group; see match-fields.ts. */
export interface HiddenValue {
  fields: FieldGroup;
  /** The same provider's value for the main group. Null if the provider has given none. */
  beside: FieldGroup | null;
}

/**
 * True if `provider` may replace the value from `owner`. A better-ranked provider always may. An equally ranked one may,
 * unless its update is older.
 */
export function mayWrite(
  { rankOf }: Precedence,
  owner: Entry | undefined,
  provider: string,
  observedAt: number,
  block: Block,
): boolean {
  if (owner === undefined) return true;
  if (owner.provider === provider) return observedAt >= owner.observedAt;
  const difference = rankOf(provider, block) - rankOf(owner.provider, block);
  return difference < 0 || (difference === 0 && observedAt >= owner.observedAt);
}
