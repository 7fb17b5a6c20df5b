/** The provider of each group of fields and block of a match, and the rule by which another provider may replace it. */
import type { Block, Precedence } from '../../identity/precedence.ts';
import type { Incident } from '../../wire/match.ts';
import type { FieldGroup } from './match-state.ts';

/**
 * The provider of each group of fields or block, with the time of its observation (ms). An entry with a third part means that the
 * provider's own value is not shown: it is outranked, does not fit (match-fields.ts), or the provider has none and the score follows
 * from others (derived-score.ts). The entry of the lead has the order of providers there (lead.ts); the entries of
 * our own figures have their version instead of a time (own-figures.ts). The entry `correction` has what an operator has
 * corrected by hand; the other entries are as they would be without it (correction-overlay.ts).
 */
export type Provenance = Record<
  string,
  [provider: string, observedAt: number, hidden?: 'outranked' | 'derived' | 'none' | Hidden | LeadOrder | Covered]
>;

/** The key of the corrections in a match's provenance. */
export const CORRECTION = 'correction';

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
export interface Hidden {
  fields: FieldGroup;
  /** The value of that other group by the same provider; null: it has given none. */
  beside: FieldGroup | null;
}

/**
 * Whether `provider` may replace the value of `owner`: with a better rank always, with the same rank unless its update is older.
 */
export function mayWrite(
  { rankOf }: Precedence,
  owner: Provenance[string] | undefined,
  provider: string,
  observedAt: number,
  block: Block,
): boolean {
  if (owner === undefined) return true;
  const [current, currentAt] = owner;
  if (current === provider) return observedAt >= currentAt;
  const difference = rankOf(provider, block) - rankOf(current, block);
  return difference < 0 || (difference === 0 && observedAt >= currentAt);
}
