/** Finds and locks the stored matches that updates are about: by the provider's id, else by their sides. */
import type { EntitySession } from '../../identity/entities.ts';
import type { UpdateChange } from '../match-change.ts';
import * as store from '../write/store.ts';
import { deletionTimes, lockForInsertion, matchesByPairing, type Pairing } from './pairing.ts';

/** Sets the stored match of each change, locked. @returns `conflict` if two updates are about one match */
export async function findMatches(
  { client }: EntitySession,
  changes: readonly UpdateChange[],
): Promise<'conflict' | 'found'> {
  const found = new Map<UpdateChange, number>();
  const missing = () => changes.filter((change) => !found.has(change) && !change.isOutdated);
  const findById = async () => {
    for (const [provider, group] of groupBy(missing(), ({ sent }) => sent.provider)) {
      const ids = await store.matchesByExternalId(
        client,
        provider,
        group.map(({ sent }) => sent.match.id),
      );
      for (const change of group) {
        const id = ids.get(change.sent.match.id);
        if (id === undefined) continue;
        found.set(change, id);
        change.isReferenced = true;
      }
    }
  };
  await findById();
  if (missing().length > 0) {
    const unknown = missing();
    for (const [index, at] of await deletionTimes(client, unknown.map(pairing)))
      unknown[index]!.isOutdated = Date.parse(unknown[index]!.sent.observed_at) <= at;
    // From here to the commit no other transaction creates a match of these seasons, or renames what the new ones show.
    await lockForInsertion(
      client,
      missing().map(({ refs }) => refs),
    );
    await findById();
    const unnumbered = missing();
    for (const [index, id] of await matchesByPairing(client, unnumbered.map(pairing)))
      found.set(unnumbered[index]!, id);
  }
  const sides = missing().map(({ refs }) => `${refs.season_id} ${refs.home_id} ${refs.away_id}`);
  if (hasDuplicates([...found.values()]) || hasDuplicates(sides)) return 'conflict';
  const locked = await store.lockMatches(client, [...found.values()]);
  for (const [change, id] of found) {
    change.before = locked.get(id) ?? null;
    // Another transaction has deleted it in between.
    if (change.before === null) change.isReferenced = false;
  }
  return 'found';
}

const pairing = ({ sent, refs }: UpdateChange, index: number): Pairing => ({
  index,
  provider: sent.provider,
  external_id: sent.match.id,
  ...refs,
  scheduled_start: sent.match.scheduled_start ?? null,
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
