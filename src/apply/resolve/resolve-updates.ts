/** The first stage for match updates. It finds our ids for the entities that the updates name, and locks the stored matches. */
import type { EntityLookup } from '../../identity/entities.ts';
import { resolveMatchReferences } from '../../identity/index.ts';
import type { MatchUpdate } from '../../wire/feed-update.ts';
import type { MatchApplyOptions } from '../update-outcomes.ts';
import { type Found, findMatches } from './find-matches.ts';
import { tournamentsWithPairings } from './pending-updates.ts';

export interface Resolved extends Found {
  /**
   * True if the update is stored until its match exists. Such an update has no date, and its tournament identifies a match by
   * the pairing.
   */
  readonly isPending: boolean;
}

/** @throws {BatchConflict} if two updates are about one match, or rename an entity at different times */
export async function resolveUpdates(
  lookup: EntityLookup,
  updates: readonly MatchUpdate[],
  { events }: MatchApplyOptions,
): Promise<Resolved[]> {
  const { client } = lookup;
  const identified = await resolveMatchReferences(
    lookup,
    updates.map((update) => ({ update })),
  );
  const found = await findMatches(client, identified);
  const mayWait = ({ update, before, isOutdated }: Found) =>
    !events && update.match.scheduled_start === undefined && before === null && !isOutdated;
  const withPairings = await tournamentsWithPairings(client, [
    ...new Set(found.filter(mayWait).map(({ refs }) => refs.tournament_id)),
  ]);
  return found.map((one) => ({ ...one, isPending: mayWait(one) && withPairings.has(one.refs.tournament_id) }));
}
