/** Finds or creates what updates refer to: by the provider's id, else by identity, else new. Names follow the best-ranked provider. */
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { foldName } from '../db/fold.ts';
import type { Queryable } from '../db/postgres.ts';
import { identifyParticipant, identifyTournament, identifyVenue, isIdentified } from './identity.ts';
import { isLive, rankOf } from './precedence.ts';
import type { Fault } from './state.ts';

export interface ParticipantDescriptor {
  provider: string;
  type: 'team' | 'player';
  sport: string;
  gender: string;
  name: string;
  id?: string | undefined;
  name_ru?: string | undefined;
  country?: string | undefined;
  birth_date?: string | undefined;
}

export interface TournamentDescriptor {
  provider: string;
  sport: string;
  country: string;
  gender: string;
  name: string;
  id?: string | undefined;
  name_ru?: string | undefined;
}

export interface SeasonDescriptor {
  label: string;
  start_date?: string | undefined;
  end_date?: string | undefined;
}

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

/** What a process remembers of entities, so that a known reference needs no query. Filled after commit only. */
export interface EntityCache {
  ids: LRUCache<string, number>;
  sports: Set<string>;
  countries: Set<string>;
}

const CACHE_ENTRIES = 200_000;
const caches = new WeakMap<pg.Pool, EntityCache>();

export async function entityCache(pool: pg.Pool): Promise<EntityCache> {
  const held = caches.get(pool);
  if (held) return held;
  const sports = await pool.query<{ slug: string }>('SELECT slug FROM sport');
  const countries = await pool.query<{ iso: string }>('SELECT iso FROM country');
  const cache: EntityCache = {
    ids: new LRUCache({ max: CACHE_ENTRIES }),
    sports: new Set(sports.rows.map((row) => row.slug)),
    countries: new Set(countries.rows.map((row) => row.iso)),
  };
  caches.set(pool, cache);
  return cache;
}

/** Forgets everything, after a merge. */
export const forgetEntities = (pool: pg.Pool) => caches.delete(pool);

/** One transaction's view of entities: staged ids reach the cache when it commits. */
export interface EntitySession {
  client: Queryable;
  cache: EntityCache;
  staged: Map<string, number>;
  /** Tournaments and participants that this transaction has made. */
  created: Set<number>;
  /** How many venues were made or changed. */
  changedVenues: number;
  /** Entities whose shown names have changed: their matches' cards are to be rendered anew. */
  renamed: { tournament: Set<number>; participant: Set<number>; venue: Set<number> };
}

export const entitySession = (client: Queryable, cache: EntityCache): EntitySession => ({
  client,
  cache,
  staged: new Map(),
  created: new Set(),
  changedVenues: 0,
  renamed: { tournament: new Set(), participant: new Set(), venue: new Set() },
});

export function commitEntities(session: EntitySession): void {
  for (const [key, id] of session.staged) session.cache.ids.set(key, id);
}

const cacheKey = (entity: string, descriptor: object) => `${entity}${JSON.stringify(descriptor)}`;
const recall = (session: EntitySession, key: string) => session.staged.get(key) ?? session.cache.ids.get(key);

/**
 * Whether `name` by `provider` replaces the shown one: the better rank, a live feed's rename of its own id, else the smaller
 * text, since a file may spell a name in two ways and the order of its lines must not matter.
 */
function replaces(
  shown: string | null,
  owner: string | undefined,
  name: string,
  provider: string,
  byId: boolean,
): boolean {
  if (shown === name) return false;
  if (shown === null || owner === undefined) return true;
  const difference = rankOf(provider, 'name') - rankOf(owner, 'name');
  if (difference !== 0) return difference < 0;
  return byId && provider === owner && isLive(provider) ? true : name < shown;
}

type Owners = Record<string, string>;

export function referenceFaults(
  cache: EntityCache,
  references: { path: string; sport?: string; country?: string | undefined }[],
): Fault[] {
  const faults: Fault[] = [];
  for (const { path, sport, country } of references) {
    if (sport !== undefined && !cache.sports.has(sport)) {
      faults.push({
        path: `${path}.sport`,
        code: 'unknown_sport',
        detail: `known sports: ${[...cache.sports].join(', ')}`,
      });
    }
    if (country !== undefined && !cache.countries.has(country)) {
      faults.push({
        path: `${path}.country`,
        code: 'unknown_country',
        detail: `${country} is not a known country code`,
      });
    }
  }
  return faults;
}

async function externalId(
  session: EntitySession,
  entity: string,
  descriptor: { provider: string; id?: string | undefined },
) {
  if (descriptor.id === undefined) return undefined;
  const { rows } = await session.client.query<{ entity_id: number }>(
    'SELECT entity_id FROM external_ref WHERE entity = $1 AND provider = $2 AND external_id = $3',
    [entity, descriptor.provider, descriptor.id],
  );
  return rows[0]?.entity_id;
}

async function rememberExternalId(
  session: EntitySession,
  entity: string,
  descriptor: { provider: string; id?: string | undefined },
  id: number,
) {
  if (descriptor.id === undefined) return;
  await session.client.query(
    'INSERT INTO external_ref (entity, provider, external_id, entity_id) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
    [entity, descriptor.provider, descriptor.id, id],
  );
}

interface NamedRow {
  id: number;
  name: string;
  name_ru: string | null;
  country?: string | null;
  provenance: Owners;
}

export async function resolveTournament(session: EntitySession, descriptor: TournamentDescriptor): Promise<number> {
  const key = cacheKey('tournament', descriptor);
  const known = recall(session, key);
  if (known !== undefined) return known;
  const byId = await externalId(session, 'tournament', descriptor);
  const identity = identifyTournament(descriptor);
  const where = byId !== undefined ? 'id = $1' : 'sport = $1 AND country = $2 AND gender = $3 AND key = $4';
  const values = byId !== undefined ? [byId] : [descriptor.sport, identity.country, identity.gender, identity.key];
  const find = async () =>
    (
      await session.client.query<NamedRow>(
        `SELECT id, name, name_ru, provenance FROM tournament WHERE ${where}`,
        values,
      )
    ).rows[0];
  let row = await find();
  if (row === undefined) {
    await session.client.query(
      `INSERT INTO tournament (sport, country, gender, key, name, name_ru, provenance)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (sport, country, gender, key) DO NOTHING`,
      [
        ...values,
        identity.name,
        descriptor.name_ru ?? null,
        { name: descriptor.provider, ...(descriptor.name_ru && { name_ru: descriptor.provider }) },
      ],
    );
    row = (await find())!;
    session.created.add(row.id);
  }
  await rename(session, 'tournament', row, { ...descriptor, name: identity.name }, byId !== undefined);
  await rememberExternalId(session, 'tournament', descriptor, row.id);
  session.staged.set(key, row.id);
  return row.id;
}

/** Gives the entity the provider's names, and a player its country, where they win. */
async function rename(
  session: EntitySession,
  entity: 'tournament' | 'participant',
  row: NamedRow,
  given: { provider: string; name: string; name_ru?: string | undefined; type?: string; country?: string | undefined },
  byId: boolean,
): Promise<void> {
  const { provider } = given;
  const changes: Record<string, string> = {};
  const owners: Owners = {};
  const fields =
    entity === 'participant' && given.type === 'player'
      ? (['name', 'name_ru', 'country'] as const)
      : (['name', 'name_ru'] as const);
  for (const field of fields) {
    const value = given[field];
    if (value === undefined) continue;
    const owner = row.provenance[field];
    const better = owner !== undefined && rankOf(provider, 'name') < rankOf(owner, 'name');
    if (replaces(row[field] ?? null, owner, value, provider, byId)) changes[field] = value;
    if (field in changes || (row[field] === value && better)) owners[field] = provider;
  }
  if (Object.keys(owners).length === 0) return;
  const columns = Object.keys(changes).map((column, index) => `${column} = $${index + 3}, `);
  await session.client.query(`UPDATE ${entity} SET ${columns.join('')} provenance = provenance || $2 WHERE id = $1`, [
    row.id,
    owners,
    ...Object.values(changes),
  ]);
  if (changes.name !== undefined || changes.name_ru !== undefined) session.renamed[entity].add(row.id);
}

export async function resolveSeason(
  session: EntitySession,
  tournamentId: number,
  season: SeasonDescriptor,
): Promise<number> {
  const key = cacheKey('season', { tournamentId, ...season });
  const known = recall(session, key);
  if (known !== undefined) return known;
  const { rows } = await session.client.query<{ id: number }>(
    `INSERT INTO season AS s (tournament_id, season_label, start_date, end_date) VALUES ($1, $2, $3, $4)
     ON CONFLICT (tournament_id, season_label) DO UPDATE
       SET start_date = coalesce(excluded.start_date, s.start_date), end_date = coalesce(excluded.end_date, s.end_date)
     RETURNING id`,
    [tournamentId, season.label, season.start_date ?? null, season.end_date ?? null],
  );
  const id = rows[0]!.id;
  session.staged.set(key, id);
  return id;
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

export async function resolveVenue(session: EntitySession, descriptor: VenueDescriptor): Promise<number> {
  const key = cacheKey('venue', descriptor);
  const known = recall(session, key);
  if (known !== undefined) return known;
  const byId = await externalId(session, 'venue', descriptor);
  const identity = identifyVenue(descriptor);
  const where = byId !== undefined ? 'id = $1' : 'country = $1 AND key = $2 AND city_key = $3';
  const values = byId !== undefined ? [byId] : [descriptor.country, identity.key, identity.city_key];
  const find = async () =>
    (
      await session.client.query<VenueRow>(
        `SELECT id, name, city, capacity, latitude, longitude, provenance FROM venue WHERE ${where}`,
        values,
      )
    ).rows[0];
  let row = await find();
  if (row === undefined) {
    await session.client.query(
      'INSERT INTO venue (country, key, city_key, name) VALUES ($1, $2, $3, $4) ON CONFLICT (country, key, city_key) DO NOTHING',
      [...values, descriptor.name],
    );
    row = (await find())!;
    session.changedVenues += 1;
  }
  await describeVenue(session, row, descriptor, byId !== undefined);
  await rememberExternalId(session, 'venue', descriptor, row.id);
  session.staged.set(key, row.id);
  return row.id;
}

async function describeVenue(
  session: EntitySession,
  row: VenueRow,
  descriptor: VenueDescriptor,
  byId: boolean,
): Promise<void> {
  const { provider } = descriptor;
  const owners: Owners = {};
  const next = { ...row };
  const take = <F extends 'name' | 'city' | 'capacity' | 'latitude' | 'longitude'>(
    field: F,
    value: VenueRow[F] | undefined,
  ) => {
    if (value === undefined || value === null) return;
    const owner = row.provenance[field];
    const wins =
      owner === undefined ||
      (field === 'name'
        ? replaces(row.name, owner, String(value), provider, byId)
        : rankOf(provider, 'venue') <= rankOf(owner, 'venue'));
    if (!wins) return;
    next[field] = value;
    owners[field] = provider;
  };
  take('name', descriptor.name);
  for (const field of ['city', 'capacity', 'latitude', 'longitude'] as const) take(field, descriptor[field]);
  if (
    Object.entries(owners).every(
      ([field, owner]) =>
        row.provenance[field] === owner && next[field as keyof VenueRow] === row[field as keyof VenueRow],
    )
  )
    return;
  await session.client.query(
    'UPDATE venue SET name = $2, city = $3, capacity = $4, latitude = $5, longitude = $6, provenance = provenance || $7 WHERE id = $1',
    [row.id, next.name, next.city, next.capacity, next.latitude, next.longitude, owners],
  );
  session.changedVenues += 1;
  if (next.name !== row.name || next.city !== row.city || next.capacity !== row.capacity)
    session.renamed.venue.add(row.id);
}

export const participantKey = (descriptor: ParticipantDescriptor) => cacheKey('participant', descriptor);

/**
 * Resolves many participants in a few statements.
 * @returns ids by `participantKey`; a player of whom nothing but a name is known is not there.
 */
export async function resolveParticipants(
  session: EntitySession,
  descriptors: readonly ParticipantDescriptor[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const open = new Map<string, ParticipantDescriptor>();
  for (const descriptor of descriptors) {
    if (descriptor.type === 'player' && !isIdentified(descriptor)) continue;
    const key = participantKey(descriptor);
    const known = recall(session, key);
    if (known !== undefined) found.set(key, known);
    else open.set(key, descriptor);
  }
  if (open.size === 0) return found;
  const rows = await findOrCreate(
    session,
    [...open].map(([key, descriptor]) => ({ cache_key: key, descriptor, identity: identifyParticipant(descriptor) })),
  );
  await storeNames(session, rows);
  for (const { cache_key, row } of rows) {
    found.set(cache_key, row.id);
    session.staged.set(cache_key, row.id);
  }
  return found;
}

interface Wanted {
  cache_key: string;
  descriptor: ParticipantDescriptor;
  identity: ReturnType<typeof identifyParticipant>;
}
interface Resolved extends Wanted {
  row: NamedRow;
  byId: boolean;
}

const wantedJson = (wanted: readonly Wanted[]) =>
  JSON.stringify(
    wanted.map(({ cache_key, descriptor, identity }) => ({
      cache_key,
      provider: descriptor.provider,
      external_id: descriptor.id ?? null,
      type: descriptor.type,
      sport: descriptor.sport,
      gender: descriptor.gender,
      country: identity.country ?? descriptor.country ?? null,
      // A team's country is part of who it is; a player's is not.
      key: `${identity.country ?? ''}|${identity.key}`,
      name: identity.name,
      name_ru: descriptor.name_ru ?? null,
      birth_date: descriptor.birth_date ?? null,
    })),
  );
const WANTED = `json_to_recordset($1) AS w (cache_key text, provider text, external_id text, type text, sport text, gender text,
  country text, key text, name text, name_ru text, birth_date date)`;

async function findOrCreate(session: EntitySession, wanted: Wanted[]): Promise<Resolved[]> {
  const { client } = session;
  const resolved: Resolved[] = [];
  const byKey = new Map(wanted.map((entry) => [entry.cache_key, entry]));
  const collect = async (sql: string, byId: boolean) => {
    const { rows } = await client.query<NamedRow & { cache_key: string }>(sql, [wantedJson([...byKey.values()])]);
    for (const row of rows) {
      const entry = byKey.get(row.cache_key);
      if (entry === undefined) continue;
      resolved.push({ ...entry, row, byId });
      byKey.delete(row.cache_key);
    }
  };
  await collect(
    `SELECT w.cache_key, p.id, p.name, p.name_ru, p.country, p.provenance FROM ${WANTED}
     JOIN external_ref e ON e.entity = 'participant' AND e.provider = w.provider AND e.external_id = w.external_id
     JOIN participant p ON p.id = e.entity_id`,
    true,
  );
  const byIdentity = `SELECT w.cache_key, p.id, p.name, p.name_ru, p.country, p.provenance FROM ${WANTED}
     JOIN participant p ON p.type = w.type AND p.sport = w.sport AND p.gender = w.gender AND p.key = w.key`;
  if (byKey.size > 0) await collect(byIdentity, false);
  if (byKey.size > 0) {
    // Sorted, so that two transactions that create the same ones wait for each other instead of locking up.
    const made = await client.query<{ id: number }>(
      `INSERT INTO participant (type, sport, gender, key, country, name, birth_date, provenance)
       SELECT type, sport, gender, key, min(country), min(name), max(birth_date), json_build_object('name', min(provider), 'country', min(provider), 'birth_date', min(provider))
       FROM ${WANTED} GROUP BY type, sport, gender, key ORDER BY type, sport, gender, key
       ON CONFLICT (type, sport, gender, key) DO NOTHING RETURNING id`,
      [wantedJson([...byKey.values()])],
    );
    for (const { id } of made.rows) session.created.add(id);
    await collect(byIdentity, false);
  }
  return resolved;
}

/** Aliases, provider's ids and shown names of what was resolved. */
async function storeNames(session: EntitySession, rows: readonly Resolved[]): Promise<void> {
  const { client } = session;
  const ids = rows.filter(({ descriptor, byId }) => descriptor.id !== undefined && !byId);
  if (ids.length > 0) {
    await client.query(
      `INSERT INTO external_ref (entity, provider, external_id, entity_id)
       SELECT 'participant', r.provider, r.external_id, r.id FROM json_to_recordset($1) AS r (provider text, external_id text, id bigint)
       ORDER BY 2, 3 ON CONFLICT DO NOTHING`,
      [
        JSON.stringify(
          ids.map(({ descriptor, row }) => ({ provider: descriptor.provider, external_id: descriptor.id, id: row.id })),
        ),
      ],
    );
  }
  const aliases = rows.flatMap(({ descriptor, identity, row }) => [
    { id: row.id, name: descriptor.name, locale: 'en', provider: descriptor.provider },
    ...(identity.name === descriptor.name
      ? []
      : [{ id: row.id, name: identity.name, locale: 'en', provider: 'touchline' }]),
    ...(descriptor.name_ru === undefined
      ? []
      : [{ id: row.id, name: descriptor.name_ru, locale: 'ru', provider: descriptor.provider }]),
  ]);
  await storeAliases(client, aliases);
  for (const { row, identity, descriptor, byId } of rows)
    await rename(session, 'participant', row, { ...descriptor, name: identity.name }, byId);
}

export async function storeAliases(
  client: Queryable,
  aliases: readonly { id: number; name: string; locale: string; provider: string }[],
): Promise<number> {
  if (aliases.length === 0) return 0;
  const keyed = aliases.map((alias) => ({ ...alias, key: foldName(alias.name) })).filter((alias) => alias.key !== '');
  const { rowCount } = await client.query(
    `INSERT INTO participant_alias (participant_id, key, name, locale, provider)
     SELECT r.id, r.key, r.name, r.locale, r.provider FROM json_to_recordset($1) AS r (id bigint, key text, name text, locale text, provider text)
     ORDER BY 1, 3 ON CONFLICT DO NOTHING`,
    [JSON.stringify(keyed)],
  );
  return rowCount ?? 0;
}
