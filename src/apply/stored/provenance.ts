/**
 * The provider of each group of fields and block of a match, its stored form, and the rule by which another provider may replace
 * the value.
 */
import type { Block, Precedence } from '../../identity/precedence.ts';
import type { Incident } from '../../wire/match.ts';
import type { FieldGroup } from './match-state.ts';

/** The provider that has given a group of fields or a block. */
export interface Entry {
  readonly provider: string;
  /** ms; of our own figures their version (own-figures.ts), of the lead the receipt of its last update (lead/choose-leader.ts). */
  readonly observedAt: number;
  /**
   * Why the provider's own value is not shown: it is outranked, the provider has none and the score follows from others
   * (score.ts), or it does not fit (match-fields.ts).
   */
  readonly hidden?: 'outranked' | 'derived' | 'none' | HiddenValue;
  /** In the entry `lead` alone: the order of providers. */
  readonly order?: LeadOrder;
  /** In the entry `correction` alone: what an operator has corrected by hand. The other entries are as they would be without it. */
  readonly covered?: Covered;
}

/** The entries of a match by group of fields, block, or a key of their own. */
export type Provenance = Readonly<Record<string, Entry>>;
/** A provenance while it is merged. */
export type ProvenanceDraft = Record<string, Entry>;

/** The key of the lead in a match's provenance. */
export const LEAD = 'lead';
/** The key of the corrections in a match's provenance. */
export const CORRECTION = 'correction';

// ---- the stored form: only this part knows the positions

/** The third part is `hidden`, `order` or `covered`. */
type StoredEntry = [provider: string, observedAt: number, third?: unknown];
export type StoredProvenance = Record<string, StoredEntry>;

const THIRD: Readonly<Record<string, 'order' | 'covered'>> = { [LEAD]: 'order', [CORRECTION]: 'covered' };

/** Returns the provenance of a row. Runs for every update: a loop over keys takes 1 µs, one over entries 3. */
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

/** Returns the SQL of the time of an entry. @param provenance the column */
export const observedAtSql = (provenance: string, group: string) => `(${provenance} #>> '{${group},1}')::bigint`;
/** Returns the SQL of the start that providers give, where a corrected one covers it. */
export const coveredStartSql = (provenance: string) =>
  `(${provenance} #>> '{${CORRECTION},2,below,scheduled_start}')::timestamptz`;
/** Returns the SQL of the rows with the `provider` of what a match shows. */
export const shownProvidersSql = (provenance: string) =>
  `SELECT DISTINCT value ->> 0 AS provider FROM jsonb_each(${provenance}) WHERE value -> 2 IS NULL OR key = '${CORRECTION}'`;
/** Returns the SQL of the rows with each provider, as JSON text, that has reported the match as begun. */
export const begunProvidersSql = (provenance: string) => `jsonb_path_query(${provenance}, '$.${LEAD}[2].begun[*]')`;

/** Returns the providers of what a match shows, as one text. */
export function shownProviders(provenance: Provenance): string {
  const shown = new Set<string>();
  for (const group in provenance) {
    const entry = provenance[group];
    if (entry !== undefined && entry.hidden === undefined && group !== LEAD) shown.add(entry.provider);
  }
  return [...shown].sort().join();
}

type Player = Pick<Incident, 'player_name' | 'player_participant_id'>;
/** Players by the id of their incident. */
export type IncidentPlayers = Readonly<Record<string, Player>>;

/** The sum of the corrections by hand of a match that stand: see correction-overlay.ts. */
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

/** Live providers of a match, in the order in which they reported it as begun, and the others. */
export interface LeadOrder {
  begun: readonly string[];
  waiting: readonly string[];
}

/** When the provider of an update observed a group of fields or a block of it, ms. */
export type ObservedAt = (name: string) => number;

/** Returns the times of an update. @param times of groups and blocks that were observed before the rest */
export function toObservedAt(update: { observed_at: string }, times?: ReadonlyMap<string, number>): ObservedAt {
  const observedAt = Date.parse(update.observed_at);
  return (name) => times?.get(name) ?? observedAt;
}

/** The value of a group that does not fit the group that it depends on: see match-fields.ts. */
export interface HiddenValue {
  fields: FieldGroup;
  /** The value of that other group by the same provider; null: it has given none. */
  beside: FieldGroup | null;
}

/**
 * Whether `provider` may replace the value of `owner`: with a better rank always, with the same rank unless its update is older.
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
