/** Finds and locks the stored matches that updates are about: by the provider's id, else by their sides. */
import type { EntitySession } from '../../identity/entities.ts';
import type { Prepared } from '../merge/match-plan.ts';
import * as store from '../write/store.ts';
import { deletionTimes, lockForInsertion, matchesByPairing, type Pairing } from './pairing.ts';

export interface FoundMatches {
  /** The stored matches, locked, by position of the update. */
  stored: Map<number, store.StoredMatch>;
  /** Positions whose provider's id is stored already. */
  known: Set<number>;
  /** Positions of updates that are older than their provider's deletion of the match. */
  outdated: Set<number>;
}

/** @returns `conflict` where two updates are about one match */
export async function findMatches(
  session: EntitySession,
  prepared: readonly Prepared[],
): Promise<FoundMatches | 'conflict'> {
  const { client } = session;
  const found = new Map<number, number>();
  const known = new Set<number>();
  const outdated = new Set<number>();
  const missing = () => [...prepared.entries()].filter(([position]) => !found.has(position) && !outdated.has(position));
  const findById = async () => {
    for (const [provider, group] of groupBy(missing(), ([, { update }]) => update.provider)) {
      const ids = await store.matchesByExternalId(
        client,
        provider,
        group.map(([, { update }]) => update.match.id),
      );
      for (const [position, { update }] of group) {
        const id = ids.get(update.match.id);
        if (id === undefined) continue;
        found.set(position, id);
        known.add(position);
      }
    }
  };
  await findById();
  if (missing().length > 0) {
    for (const [position, at] of await deletionTimes(client, missing().map(pairing)))
      if (Date.parse(prepared[position]!.update.observed_at) <= at) outdated.add(position);
    // From here to the commit no other transaction creates a match of these seasons, or renames what the new ones show.
    await lockForInsertion(
      client,
      missing().map(([, { refs }]) => refs),
    );
    await findById();
    for (const [position, id] of await matchesByPairing(client, missing().map(pairing))) found.set(position, id);
  }
  const pairings = missing().map(([, { refs }]) => `${refs.season_id} ${refs.home_id} ${refs.away_id}`);
  if (hasDuplicates([...found.values()]) || hasDuplicates(pairings)) return 'conflict';
  const locked = await store.lockMatches(client, [...found.values()]);
  const stored = new Map<number, store.StoredMatch>();
  for (const [position, id] of found) {
    const match = locked.get(id);
    if (match !== undefined) stored.set(position, match);
    else known.delete(position);
  }
  return { stored, known, outdated };
}

const pairing = ([index, { update, refs }]: [number, Prepared]): Pairing => ({
  index,
  provider: update.provider,
  external_id: update.match.id,
  ...refs,
  scheduled_start: update.match.scheduled_start ?? null,
});

const hasDuplicates = (keys: readonly (string | number)[]): boolean => new Set(keys).size < keys.length;

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
