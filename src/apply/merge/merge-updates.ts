/**
 * The third stage for match updates. It loads the stored blocks for the comparison, resolves the people whom the blocks name,
 * and merges each update into its match.
 */
import { FIGURE_BLOCKS } from '../../expected-goals/own-figures.ts';
import type { EntityLookup } from '../../identity/entities.ts';
import { ledBy, parseLead } from '../lead/choose-leader.ts';
import type { Led } from '../lead/lead-updates.ts';
import { resolvePeople } from '../resolve/people.ts';
import { loadBlocksByMatch, type StoredBlocks } from '../stored/blocks.ts';
import { followsFromIncidents } from '../stored/derived-score.ts';
import type { StoredMatch } from '../stored/stored-match.ts';
import type { MatchApplyOptions } from '../update-outcomes.ts';
import { concernsFigures } from './expected-goals.ts';
import { comparedBlocks } from './match-blocks.ts';
import { type Merged, mergeMatch, notMerged } from './merge-match.ts';
import { withWinProbabilities } from './win-probability.ts';

/** @throws {BatchConflict} if the updates rename a player at different times */
export async function mergeUpdates(
  lookup: EntityLookup,
  updates: readonly Led[],
  options: MatchApplyOptions,
): Promise<Merged[]> {
  const { client, precedence } = lookup;
  const loaded = await resolvePeople(lookup, await loadStoredBlocks(lookup, updates), options);
  const merged = loaded.map((update) => {
    const isLate = update.isOutdated || (update.before === null && options.areClaims);
    return isLate || update.isPending ? notMerged(update) : mergeMatch(precedence, update, options);
  });
  return withWinProbabilities(client, merged);
}

/** Returns each update with the stored blocks that it is compared with. */
async function loadStoredBlocks(
  { client, precedence }: EntityLookup,
  updates: readonly Led[],
): Promise<(Led & { readonly storedBlocks: StoredBlocks })[]> {
  const needsIncidents = ({ update, lead }: Led, { provenance }: StoredMatch) =>
    update.match.score === null || followsFromIncidents(ledBy(precedence, lead ?? parseLead(provenance)), provenance);
  const wanted = updates.flatMap((one) => {
    const { update, before } = one;
    if (before === null) return [];
    const figures = concernsFigures(update, before) ? FIGURE_BLOCKS : [];
    const incidents = needsIncidents(one, before) ? ['incidents'] : [];
    return [[before.id, [...comparedBlocks(update), ...figures, ...incidents]] as const];
  });
  const blocks = await loadBlocksByMatch(client, wanted);
  return updates.map((one) => ({ ...one, storedBlocks: (one.before && blocks.get(one.before.id)) ?? new Map() }));
}
