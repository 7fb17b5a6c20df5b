/** Applies venue updates within one transaction. */
import type { VenueUpdate } from '../wire/feed-update.ts';
import {
  type EntityLookup,
  type EntityResult,
  type Owners,
  recordObservation,
  referenceFaults,
  rejected,
} from './entities.ts';
import { mergeOwned } from './owned-fields.ts';
import { type ParticipantDescriptor, resolveParticipants } from './resolve-participants.ts';
import { resolveVenue } from './resolve-venues.ts';

export async function applyVenueUpdate(lookup: EntityLookup, { provider, venue }: VenueUpdate): Promise<EntityResult> {
  const { sport, home_team, ...described } = venue;
  const errors = referenceFaults(lookup.known, [
    { path: 'venue', ...(sport && { sport }), country: venue.country },
    { path: 'venue.home_team', country: home_team?.country },
  ]);
  if (home_team !== undefined && sport === undefined)
    errors.push({ path: 'venue.sport', code: 'required', detail: 'is required to identify the home team' });
  if (errors.length > 0) return rejected(errors);
  const venueId = await resolveVenue(lookup, { provider, ...described });
  await recordObservation(lookup, 'venue', venueId, provider);
  let changed = lookup.changed.venue.has(venueId);
  if (home_team !== undefined && sport !== undefined) {
    const descriptor: ParticipantDescriptor = { provider, sport, gender: 'men', ...home_team };
    const id = (await resolveParticipants(lookup, [descriptor])).get(descriptor)!;
    const { rows } = await lookup.client.query<{ extra: Record<string, unknown>; provenance: Owners }>(
      'SELECT extra, provenance FROM participant WHERE id = $1 FOR UPDATE',
      [id],
    );
    // Uses the provider's spelling, because a better-ranked provider may later change the stored venue's name.
    const stadium = { stadium: described.name, stadium_capacity: described.capacity, city: described.city };
    const { extra, provenance } = rows[0]!;
    const stored = { stored: extra, owners: provenance };
    const { changes, taken } = mergeOwned(lookup.precedence, stored, { given: stadium, provider }, 'extra.');
    if (Object.keys(changes).length + Object.keys(taken).length > 0)
      await lookup.client.query(
        'UPDATE participant SET extra = extra || $2, provenance = provenance || $3 WHERE id = $1',
        [id, changes, taken],
      );
    changed ||= Object.keys(changes).length > 0;
  }
  return { outcome: changed ? 'accepted' : 'unchanged' };
}
