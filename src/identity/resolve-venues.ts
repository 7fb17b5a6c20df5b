/** Resolves venues that updates refer to. */
import {
  cacheKey,
  type EntityLookup,
  externalId,
  type Owners,
  recall,
  rememberExternalId,
  replaces,
} from './entities.ts';
import { identifyVenue } from './entity-keys.ts';
import type { Precedence } from './precedence.ts';

export interface VenueDescriptor {
  provider: string;
  name: string;
  country: string;
  id?: string | undefined;
  city?: string | undefined;
  capacity?: number | undefined;
  latitude?: number | undefined;
  longitude?: number | undefined;
}

interface VenueRow {
  id: number;
  name: string;
  city: string | null;
  capacity: number | null;
  latitude: number | null;
  longitude: number | null;
  provenance: Owners;
}

const COLUMNS = 'id, name, city, capacity, latitude, longitude, provenance';

export async function resolveVenue(lookup: EntityLookup, descriptor: VenueDescriptor): Promise<number> {
  const key = cacheKey('venue', descriptor);
  const known = recall(lookup, key);
  if (known !== undefined) return known;
  const { client } = lookup;
  const find = async (where: string, bound: unknown[]) =>
    (await client.query<VenueRow>(`SELECT ${COLUMNS} FROM venue WHERE ${where}`, bound)).rows[0];
  const identity = identifyVenue(descriptor);
  const values = [descriptor.country, identity.key, identity.city_key];
  const findByIdentity = () => find('country = $1 AND key = $2 AND city_key = $3', values);
  const id = await externalId(lookup, 'venue', descriptor);
  const byId = id === undefined ? undefined : await find('id = $1', [id]);
  let row = byId ?? (await findByIdentity());
  if (row === undefined) {
    await client.query(
      'INSERT INTO venue (country, key, city_key, name) VALUES ($1, $2, $3, $4) ON CONFLICT (country, key, city_key) DO NOTHING',
      [...values, descriptor.name],
    );
    row = (await findByIdentity())!;
    lookup.changed.venue.add(row.id);
  }
  await describeVenue(lookup, row, descriptor, byId !== undefined);
  if (byId === undefined) await rememberExternalId(lookup, 'venue', descriptor, row.id);
  lookup.staged.set(key, { entity: 'venue', id: row.id });
  return row.id;
}

/** Returns the venue with the descriptor's values, as far as the provider's rank allows it. Null if nothing changes. */
function merge(
  precedence: Precedence,
  row: VenueRow,
  descriptor: VenueDescriptor,
  byId: boolean,
): { next: VenueRow; owners: Owners } | null {
  const { provider } = descriptor;
  const owners: Owners = {};
  const next = { ...row };
  const take = <F extends 'name' | 'city' | 'capacity' | 'latitude' | 'longitude'>(field: F, value?: VenueRow[F]) => {
    if (value === undefined || value === null) return;
    const owner = row.provenance[field];
    const block = field === 'capacity' ? 'capacity' : 'venue';
    const difference = owner === undefined ? -1 : precedence.rankOf(provider, block) - precedence.rankOf(owner, block);
    // With equal ranks, the name that sorts first wins. A file may spell a name in two ways, and the order of its lines must
    // not matter.
    const wins =
      difference < 0 ||
      (difference === 0 &&
        (typeof value !== 'string' ||
          replaces(precedence, row[field] as string | null, owner, { name: value, provider, byId })));
    if (!wins) return;
    next[field] = value;
    owners[field] = provider;
  };
  take('name', descriptor.name);
  for (const field of ['city', 'capacity', 'latitude', 'longitude'] as const) take(field, descriptor[field]);
  const same = Object.entries(owners).every(
    ([field, owner]) =>
      row.provenance[field] === owner && next[field as keyof VenueRow] === row[field as keyof VenueRow],
  );
  return same ? null : { next, owners };
}

async function describeVenue(
  lookup: EntityLookup,
  found: VenueRow,
  descriptor: VenueDescriptor,
  byId: boolean,
): Promise<void> {
  if (merge(lookup.precedence, found, descriptor, byId) === null) return;
  const { client } = lookup;
  // Compared again under the lock, because a better-ranked provider may have changed the venue since.
  const { rows } = await client.query<VenueRow>(`SELECT ${COLUMNS} FROM venue WHERE id = $1 FOR NO KEY UPDATE`, [
    found.id,
  ]);
  const row = rows[0]!;
  const changes = merge(lookup.precedence, row, descriptor, byId);
  if (changes === null) return;
  const { next, owners } = changes;
  await client.query(
    'UPDATE venue SET name = $2, city = $3, capacity = $4, latitude = $5, longitude = $6, provenance = provenance || $7 WHERE id = $1',
    [row.id, next.name, next.city, next.capacity, next.latitude, next.longitude, owners],
  );
  lookup.changed.venue.add(row.id);
  if (lookup.precedence.isLive(descriptor.provider)) lookup.superseded.venue.add(row.id);
  if (next.name !== row.name || next.city !== row.city || next.capacity !== row.capacity)
    lookup.renamed.venue.add(row.id);
}
