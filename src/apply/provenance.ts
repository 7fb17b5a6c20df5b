/** Which provider a group of fields or a block of a match is from, and which provider may replace it. */
import type { Block, Precedence } from '../identity/precedence.ts';
import type { FieldGroup } from './match-state.ts';

/**
 * The provider of each group of fields or block, and when it observed it (ms). With a third part the provider's own value is not
 * shown: it is outranked, does not fit (dependent-groups.ts), or the provider has none and the score follows from others
 * (derived-score.ts). The key of the lead has the order of providers there (lead.ts).
 */
export type Provenance = Record<
  string,
  [provider: string, observedAt: number, hidden?: 'outranked' | 'derived' | 'none' | Hidden | LeadOrder]
>;

/** Live providers of a match, in the order in which they reported it as begun, and the others. */
export interface LeadOrder {
  begun: readonly string[];
  waiting: readonly string[];
}

/** When the provider of an update observed a group of fields or a block of it, ms. */
export type ObservedAt = (name: string) => number;

/** @param times of those that were observed before the rest */
export function toObservedAt(update: { observed_at: string }, times?: ReadonlyMap<string, number>): ObservedAt {
  const observedAt = Date.parse(update.observed_at);
  return (name) => times?.get(name) ?? observedAt;
}

/** The value of a group that does not fit the group that it depends on: see dependent-groups.ts. */
export interface Hidden {
  fields: FieldGroup;
  /** The value of that other group by the same provider; null: it has given none. */
  beside: FieldGroup | null;
}

/** Whether `provider` may replace what `owner` wrote: with a better rank always, with the same rank unless its update is older. */
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
