/** Writes the weather that the service itself has asked for: blocks, cards and pending changes, without events. */
import type { Queryable } from '../../db/postgres.ts';
import { wireTime } from '../../wire/time.ts';
import { sameJson } from '../merge/same-json.ts';
import { renderCards } from '../write/render-cards.ts';
import {
  addPendingChanges,
  deleteBlocks,
  loadBlocks,
  lockMatches,
  updateMatches,
  writeBlocks,
} from '../write/store.ts';

/** The provider of the weather that no feed has given. */
const WEATHER_PROVIDER = 'open-meteo';
const BLOCK = 'weather';
/** Older than anything that a feed can observe: its weather replaces ours, whenever it arrives. */
const BEFORE_ALL = 0;

/**
 * Weather that a feed has given stays. A match that is final stays so: its weather is no correction.
 * @param given JSON of the weather by match; null: there is none any more. @param now ms
 * @returns ids of the matches that have changed
 */
export async function storeWeather(
  client: Queryable,
  given: ReadonlyMap<number, string | null>,
  now: number,
): Promise<number[]> {
  const ids = [...given.keys()];
  const locked = await lockMatches(client, ids);
  const stored = await loadBlocks(client, ids, [BLOCK]);
  const changed = [...locked.values()].filter(({ id, provenance }) => {
    const owner = provenance[BLOCK]?.[0] ?? WEATHER_PROVIDER;
    const [before, after] = [stored.get(id)?.get(BLOCK)?.json ?? null, given.get(id)!];
    if (owner !== WEATHER_PROVIDER) return false;
    return before === null || after === null ? before !== after : !sameJson(before, after);
  });
  if (changed.length === 0) return [];
  const at = wireTime(now);
  await updateMatches(
    client,
    changed.map((match) => {
      const { [BLOCK]: _owner, ...provenance } = match.provenance;
      if (given.get(match.id) !== null) provenance[BLOCK] = [WEATHER_PROVIDER, BEFORE_ALL];
      return { ...match, provenance, version: match.version + 1, detail_at: at, updated_at: at };
    }),
  );
  const rows = changed.map(({ id }) => ({ match_id: id, block: BLOCK, json: given.get(id)!, source: null }));
  await writeBlocks(
    client,
    rows.filter(({ json }) => json !== null),
  );
  await deleteBlocks(
    client,
    rows.filter(({ json }) => json === null),
  );
  const changedIds = changed.map(({ id }) => id);
  await renderCards(client, changedIds);
  await addPendingChanges(
    client,
    changedIds.map((match_id) => ({ match_id, tombstone: null })),
  );
  return changedIds;
}
