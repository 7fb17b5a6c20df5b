/** Merges an entity's fields. Each field belongs to the best-ranked provider that has given it. */
import { isDeepStrictEqual } from 'node:util';
import type { Owners } from './entities.ts';
import type { Precedence } from './precedence.ts';

export const isOutranked = ({ rankOf }: Precedence, owner: string | undefined, provider: string): boolean =>
  owner !== undefined && rankOf(owner) < rankOf(provider);

/**
 * Merges the given fields into the stored ones if the provider's rank allows it. An undefined field is left unchanged.
 * @param prefix prepended to the fields' keys in `owners`
 * @returns the fields that differ, and the fields that now belong to the provider
 */
export function mergeOwned(
  precedence: Precedence,
  { stored, owners }: { stored: Record<string, unknown>; owners: Owners },
  { given, provider }: { given: Record<string, unknown>; provider: string },
  prefix = '',
): { changes: Record<string, unknown>; taken: Owners } {
  const changes: Record<string, unknown> = {};
  const taken: Owners = {};
  for (const [field, value] of Object.entries(given)) {
    const owner = owners[prefix + field];
    if (value === undefined || isOutranked(precedence, owner, provider)) continue;
    if (!isDeepStrictEqual(stored[field] ?? null, value ?? null)) changes[field] = value;
    if (owner !== provider) taken[prefix + field] = provider;
  }
  return { changes, taken };
}
