/** Applies updates of venues within one transaction. */
import { type EntitySession, type Owners, recordObservation, referenceFaults } from '../../identity/entities.ts';
import { type ParticipantDescriptor, resolveParticipants } from '../../identity/resolve-participants.ts';
import { resolveVenue } from '../../identity/resolve-venues.ts';
import type { VenueUpdate } from '../../wire/feed-update.ts';
import { type Outcome, rejected } from '../interface.ts';
import { mergeOwned } from './owned-fields.ts';

export async function applyVenueUpdate(
  session: EntitySession,
  { provider, venue }: VenueUpdate,
): Promise<Outcome | 'outdated'> {
  const { sport, home_team, ...described } = venue;
  const errors = referenceFaults(session.cache, [
    { path: 'venue', ...(sport && { sport }), country: venue.country },
    { path: 'venue.home_team', country: home_team?.country },
  ]);
  if (home_team !== undefined && sport === undefined)
    errors.push({ path: 'venue.sport', code: 'required', detail: 'is required to identify the home team' });
  if (errors.length > 0) return rejected(errors);
  const venueId = await resolveVenue(session, { provider, ...described });
  if (!(await recordObservation(session, 'venue', venueId, provider))) return 'outdated';
  let changed = session.changed.venue.has(venueId);
  if (home_team !== undefined && sport !== undefined) {
    const descriptor: ParticipantDescriptor = { provider, sport, gender: 'men', ...home_team };
    const id = (await resolveParticipants(session, [descriptor])).get(descriptor)!;
    const { rows } = await session.client.query<{ extra: Record<string, unknown>; provenance: Owners }>(
      'SELECT extra, provenance FROM participant WHERE id = $1 FOR UPDATE',
      [id],
    );
    // The provider's own spelling: the name of the stored venue may change with the next provider.
    const stadium = { stadium: described.name, stadium_capacity: described.capacity, city: described.city };
    const { extra, provenance } = rows[0]!;
    const { changes, taken } = mergeOwned(session.precedence, extra, provenance, stadium, provider, 'extra.');
    if (Object.keys(changes).length + Object.keys(taken).length > 0)
      await session.client.query(
        'UPDATE participant SET extra = extra || $2, provenance = provenance || $3 WHERE id = $1',
        [id, changes, taken],
      );
    changed ||= Object.keys(changes).length > 0;
  }
  return { outcome: changed ? 'accepted' : 'unchanged' };
}
