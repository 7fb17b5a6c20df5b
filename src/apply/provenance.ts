/** Which provider a group of fields or a block of a match is from, and which provider may replace it. */
import type { Block, Precedence } from '../identity/precedence.ts';
import type { FieldGroup } from './match-state.ts';

/** The provider of each group of fields or block, and when it observed it (ms). With a third part its value is stored but not shown. */
export type Provenance = Record<string, [provider: string, observedAt: number, hidden?: 'outranked' | Hidden]>;

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

/**
 * Records in `provenance` the provider of a group. A provider of equal rank with the `same` value confirms it without taking it over,
 * so that two feeds of one match do not take turns as its source.
 */
export function recordOwner(
  { rankOf }: Precedence,
  provenance: Provenance,
  group: string,
  block: Block,
  [provider, observedAt]: Provenance[string],
  same: boolean,
): void {
  const current = provenance[group]?.[0];
  const confirms = same && current !== undefined && rankOf(provider, block) === rankOf(current, block);
  provenance[group] = [confirms ? current : provider, observedAt];
}
