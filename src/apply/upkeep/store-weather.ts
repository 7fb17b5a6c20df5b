/** Writes the weather that the service itself has requested: blocks, cards and pending changes, without events. */
import type { Queryable } from '../../db/postgres.ts';
import { noBlockChanges } from '../merge/match-blocks.ts';
import { storedMatchChange } from '../merge/match-change.ts';
import { loadBlocks, sameJson } from '../stored/blocks.ts';
import type { ProvenanceDraft } from '../stored/provenance.ts';
import { lockMatches } from '../stored/stored-match.ts';
import { commitMatchChanges, shownMatches } from '../write/commit-match-changes.ts';

/** The provider's name for weather that the service itself requested. */
const WEATHER_PROVIDER = 'open-meteo';
const BLOCK = 'weather';
/** Earlier than any time in a feed, so a feed's weather always replaces ours. */
const BEFORE_ALL = 0;

/**
 * Writes weather into matches that have none from a feed. A final match stays final, because weather is not a correction.
 * @param given JSON with the weather by match; null if there is no longer any
 * @param now ms
 * @returns ids of changed matches
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
    const owner = provenance[BLOCK]?.provider ?? WEATHER_PROVIDER;
    const [before, after] = [stored.get(id)?.get(BLOCK)?.json ?? null, given.get(id)!];
    if (owner !== WEATHER_PROVIDER) return false;
    return before === null || after === null ? before !== after : !sameJson(before, after);
  });
  const changes = changed.map((match) => {
    const { [BLOCK]: _owner, ...others } = match.provenance;
    const provenance: ProvenanceDraft = others;
    const blocks = { ...noBlockChanges(), changed: new Set([BLOCK]) };
    const json = given.get(match.id)!;
    if (json === null) blocks.removed.push(BLOCK);
    else {
      provenance[BLOCK] = { provider: WEATHER_PROVIDER, observedAt: BEFORE_ALL };
      blocks.rows.push({ block: BLOCK, json, source: null });
    }
    return storedMatchChange(match, { provenance }, { blocks });
  });
  return shownMatches(await commitMatchChanges(client, changes, now));
}
