/** Whose word is shown: which provider a group of fields or a block of a match is from, and who may write over it. */
import type { Block, Precedence } from '../identity/precedence.ts';
import type { FieldGroup } from './match-state.ts';

/** Which provider a group of fields or a block is from, and when it saw it (ms). With a third part it is not what is shown. */
export type Provenance = Record<string, [provider: string, observedAt: number, hidden?: 'outranked' | Hidden]>;

/** What does not fit what is shown of another group: see `BESIDE`. */
export interface Hidden {
  fields: FieldGroup;
  /** The other group as the same provider has it; null: it has said nothing of it. */
  beside: FieldGroup | null;
}

/** Whether `provider` may write what `owner` wrote: a better rank always, its own and an equal rank's when not older. */
export function mayWrite(
  { rankOf }: Precedence,
  owner: Provenance[string] | undefined,
  provider: string,
  observedAt: number,
  block: Block,
): boolean {
  if (owner === undefined) return true;
  const [holder, heldAt] = owner;
  if (holder === provider) return observedAt >= heldAt;
  const difference = rankOf(provider, block) - rankOf(holder, block);
  return difference < 0 || (difference === 0 && observedAt >= heldAt);
}

/**
 * Notes in `provenance` whose a group is now. An equal that says the `same` confirms it without taking it over, so that two
 * feeds of one match do not take turns as its source.
 */
export function noteOwner(
  { rankOf }: Precedence,
  provenance: Provenance,
  group: string,
  block: Block,
  [provider, observedAt]: Provenance[string],
  same: boolean,
): void {
  const holder = provenance[group]?.[0];
  const confirms = same && holder !== undefined && rankOf(provider, block) === rankOf(holder, block);
  provenance[group] = [confirms ? holder : provider, observedAt];
}
