/**
 * Code for all kinds of entities: the cache of known references, external ids, and names. An entity is found by the
 * provider's id or, if that id is unknown, by identity. Otherwise it is created. The best-ranked provider gives the name.
 */
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { MatchChanges } from '../db/notices.ts';
import type { Queryable } from '../db/postgres.ts';
import type { Fault } from '../wire/fault.ts';
import type { Precedence } from './precedence.ts';

/** The entities that a process has already resolved, so that a repeated reference needs no query. Filled only after a commit. */
export interface KnownEntities {
  ids: LRUCache<string, number>;
  sports: Set<string>;
  countries: Set<string>;
}

const CACHE_ENTRIES = 200_000;
/** Maximum time until every process sees that an entity has been renamed. */
const CACHE_MS = 10 * 60_000;

/**
 * The entity cache of a process. Each role, job or command that applies updates to a database creates one, and passes it to
 * each call.
 */
export class EntityCache {
  #known: KnownEntities | null = null;

  /** Reads sports and countries and stores the attributions, unless an earlier call has done so. */
  async load(pool: pg.Pool, { attributions }: Precedence): Promise<KnownEntities> {
    if (this.#known !== null) return this.#known;
    const sports = await pool.query<{ slug: string }>('SELECT slug FROM sport ORDER BY id');
    const countries = await pool.query<{ iso: string }>('SELECT iso FROM country');
    // Cards must name the sources in the form that the licences require.
    await pool.query(
      `INSERT INTO source_attribution AS s SELECT * FROM json_to_recordset($1) AS r (provider text, attribution text) ORDER BY provider
       ON CONFLICT (provider) DO UPDATE SET attribution = excluded.attribution WHERE s.attribution <> excluded.attribution`,
      [JSON.stringify(attributions)],
    );
    this.#known = {
      ids: new LRUCache({ max: CACHE_ENTRIES, ttl: CACHE_MS, ttlResolution: 1_000 }),
      sports: new Set(sports.rows.map((row) => row.slug)),
      countries: new Set(countries.rows.map((row) => row.iso)),
    };
    return this.#known;
  }

  /** From now on, empties the cache whenever participants are joined or split. @returns a function that stops this */
  follow(changes: Pick<MatchChanges, 'onJoined'>): () => void {
    return changes.onJoined(() => this.clear());
  }

  /** Empties the cache after entities have been merged. Transactions in progress do not fill it again. */
  clear(): void {
    this.#known = null;
  }
}

/** A period, in days, in which a participant's name has changed. Null means that the period is open at that end. */
export interface ChangedPeriod {
  participant_id: number;
  from: string | null;
  to: string | null;
}

type EntityName = 'tournament' | 'participant' | 'venue';
type IdsByEntity = Record<EntityName, Set<number>>;
export const noIds = (): IdsByEntity => ({ tournament: new Set(), participant: new Set(), venue: new Set() });

/**
 * Thrown if a batch's updates must be applied one by one, because two are about the same match, or rename an entity at
 * different times. The transaction is rolled back.
 */
export class BatchConflict extends Error {}

/**
 * Thrown if the provider has already reported newer values for the entity. The update then changes nothing, and the
 * transaction is rolled back.
 */
export class OutdatedUpdate extends Error {}

/** A transaction's view of entities. Staged ids reach the cache when the transaction commits. */
export interface EntityLookup {
  client: Queryable;
  known: KnownEntities;
  staged: Map<string, { entity: EntityName | 'season'; id: number }>;
  /** Entities that this transaction has created or changed. */
  changed: IdsByEntity;
  /** Entities whose display names have changed. Their matches' cards must be re-rendered. */
  renamed: IdsByEntity;
  /** Periods in which a former name has changed. The cards of matches on these days must be re-rendered. */
  renamedIn: ChangedPeriod[];
  /** Entities that a live feed has changed. Cached references to them may be outdated. */
  superseded: IdsByEntity;
  observedAt: ObservedAt;
  precedence: Precedence;
}

/**
 * When a live feed observed the transaction's updates, in ms, or `various` if the times differ. Null for an import, whose files
 * have no order in time.
 */
export type ObservedAt = number | 'various' | null;

export const entityLookup = (
  client: Queryable,
  known: KnownEntities,
  observedAt: ObservedAt,
  precedence: Precedence,
): EntityLookup => ({
  client,
  observedAt,
  precedence,
  known,
  staged: new Map(),
  changed: noIds(),
  renamed: noIds(),
  renamedIn: [],
  superseded: noIds(),
});

/** True if cards must be re-rendered, because this transaction has changed names that they show. */
export const hasRenames = ({ renamed, renamedIn }: EntityLookup): boolean =>
  renamedIn.length > 0 || Object.values(renamed).some((ids) => ids.size > 0);

export function commitEntities({ known, staged, superseded }: EntityLookup): void {
  for (const [entity, ids] of Object.entries(superseded)) {
    if (ids.size === 0) continue;
    // References to a changed entity must be resolved again. If it has a former name, the name may change back.
    const prefix = `${entity}{`;
    for (const [key, id] of known.ids.entries()) if (ids.has(id) && key.startsWith(prefix)) known.ids.delete(key);
  }
  for (const [key, { id }] of staged) known.ids.set(key, id);
}

export const cacheKey = (entity: EntityName | 'season', descriptor: object) => `${entity}${JSON.stringify(descriptor)}`;
export const recall = (lookup: EntityLookup, key: string) => lookup.staged.get(key)?.id ?? lookup.known.ids.get(key);

/**
 * True if `name` by `provider` replaces the current name. The better rank wins. With equal ranks, a live feed may rename its
 * own entity by id. Otherwise the name that sorts first wins. A file may spell a name in two ways, and the order of
 * its lines must not matter.
 */
export function replaces(
  { rankOf, isLive }: Precedence,
  shown: string | null,
  owner: string | undefined,
  { name, provider, byId }: { name: string; provider: string; byId: boolean },
): boolean {
  if (shown === name) return false;
  if (shown === null || owner === undefined) return true;
  const difference = rankOf(provider, 'name') - rankOf(owner, 'name');
  if (difference !== 0) return difference < 0;
  return byId && provider === owner && isLive(provider) ? true : name < shown;
}

/** Field -> the provider that gave the value. */
export type Owners = Record<string, string>;

/** The outcome of updating an entity. */
export interface EntityResult {
  outcome: 'accepted' | 'unchanged' | 'rejected';
  errors?: Fault[];
}

export const rejected = (errors: Fault[]) => ({ outcome: 'rejected' as const, errors });

export function referenceFaults(
  known: Pick<KnownEntities, 'sports' | 'countries'>,
  references: { path: string; sport?: string; country?: string | undefined }[],
): Fault[] {
  const faults: Fault[] = [];
  for (const { path, sport, country } of references) {
    if (sport !== undefined && !known.sports.has(sport)) {
      faults.push({
        path: `${path}.sport`,
        code: 'unknown_sport',
        detail: `known sports: ${[...known.sports].join(', ')}`,
      });
    }
    if (country !== undefined && !known.countries.has(country)) {
      faults.push({
        path: `${path}.country`,
        code: 'unknown_country',
        detail: `${country} is not a known country code`,
      });
    }
  }
  return faults;
}

/** A provider numbers teams and players separately, as most sources do. */
export type ReferredEntity = 'tournament' | 'venue' | 'team' | 'player' | 'match';

interface Identified {
  provider: string;
  id?: string | undefined;
}

/** Returns our id for a provider's id, if known. */
export async function externalId(
  { client }: EntityLookup,
  entity: ReferredEntity,
  { provider, id }: Identified,
): Promise<number | undefined> {
  if (id === undefined) return undefined;
  const { rows } = await client.query<{ entity_id: number }>(
    'SELECT entity_id FROM external_ref WHERE entity = $1 AND provider = $2 AND external_id = $3',
    [entity, provider, id],
  );
  return rows[0]?.entity_id;
}

export async function rememberExternalId(
  { client }: EntityLookup,
  entity: ReferredEntity,
  { provider, id }: Identified,
  entityId: number,
): Promise<void> {
  if (id === undefined) return;
  await client.query(
    'INSERT INTO external_ref (entity, provider, external_id, entity_id) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
    [entity, provider, id, entityId],
  );
}

export interface NamedRow {
  id: number;
  name: string;
  name_ru: string | null;
  country?: string | null;
  /** YYYY-MM-DD */
  birth_date?: string | null;
  provenance: Owners;
}

interface Names {
  provider: string;
  name: string;
  name_ru?: string | undefined;
  type?: string;
  country?: string | undefined;
  birth_date?: string | undefined;
}

const NAMES = ['name', 'name_ru'] as const;
const PERSON = ['name', 'name_ru', 'country', 'birth_date'] as const;

/** The `provenance` key for the time at which an entity was last renamed, in ms. */
const NAMED_AT = 'named_at';

function nameChanges(
  precedence: Precedence,
  row: NamedRow,
  given: Names,
  byId: boolean,
): { changes: Record<string, string>; owners: Owners } {
  const { provider } = given;
  const changes: Record<string, string> = {};
  const owners: Owners = {};
  for (const field of given.type === 'player' ? PERSON : NAMES) {
    const value = given[field];
    if (value === undefined) continue;
    const owner = row.provenance[field];
    // A name from the search lists has no owner, so any provider that gives it becomes the owner.
    const better = owner === undefined || precedence.rankOf(provider, 'name') < precedence.rankOf(owner, 'name');
    if (replaces(precedence, row[field] ?? null, owner, { name: value, provider, byId })) changes[field] = value;
    if (field in changes || (row[field] === value && better)) owners[field] = provider;
  }
  return { changes, owners };
}

/** Columns in a NamedRow. */
export const NAMED = {
  tournament: 'id, name, name_ru, provenance',
  participant: 'id, name, name_ru, country, birth_date::text, provenance',
} as const;

/**
 * Takes over a provider's names for an entity, and a player's country and birth date, if the provider's rank allows it.
 * @throws {BatchConflict} if the result would depend on the order of the updates
 * @returns false if the same live feed has already given a newer name; a later update may then give the former name again
 */
export async function rename(
  lookup: EntityLookup,
  entity: 'tournament' | 'participant',
  row: NamedRow,
  given: Names,
  byId: boolean,
): Promise<boolean> {
  if (Object.keys(nameChanges(lookup.precedence, row, given, byId).owners).length === 0) return true;
  const { client, observedAt } = lookup;
  if (observedAt === 'various') throw new BatchConflict(`${entity} ${row.id} is renamed at various times`);
  // Compared again under the lock, because another provider may have given a better name in the meantime.
  const { rows } = await client.query<NamedRow>(
    `SELECT ${NAMED[entity]} FROM ${entity} WHERE id = $1 FOR NO KEY UPDATE`,
    [row.id],
  );
  const { provenance } = rows[0]!;
  const { changes, owners } = nameChanges(lookup.precedence, rows[0]!, given, byId);
  if (Object.keys(owners).length === 0) return true;
  const isOutdated =
    observedAt !== null && provenance.name === given.provider && observedAt < Number(provenance[NAMED_AT] ?? 0);
  if (isOutdated) return false;
  if (observedAt !== null && changes.name !== undefined) owners[NAMED_AT] = String(observedAt);
  await updateOwned(client, entity, row.id, changes, owners);
  if (Object.keys(changes).length === 0) return true;
  lookup.changed[entity].add(row.id);
  if (lookup.precedence.isLive(given.provider)) lookup.superseded[entity].add(row.id);
  if (changes.name !== undefined || changes.name_ru !== undefined) lookup.renamed[entity].add(row.id);
  return true;
}

/** Writes an entity's changed columns, and the provider that each of them now belongs to. */
export async function updateOwned(
  client: Queryable,
  entity: EntityName,
  id: number,
  changes: Record<string, unknown>,
  owners: Owners,
): Promise<void> {
  const columns = Object.keys(changes).map((column, index) => `${column} = $${index + 3}, `);
  const values = [id, owners, ...Object.values(changes)];
  await client.query(`UPDATE ${entity} SET ${columns.join('')} provenance = provenance || $2 WHERE id = $1`, values);
}

/**
 * Records when a live feed observed an update about an entity itself.
 * @throws {OutdatedUpdate} if the feed has already sent a newer one
 */
export async function recordObservation(
  lookup: EntityLookup,
  entity: EntityName,
  id: number,
  provider: string,
): Promise<void> {
  const { observedAt } = lookup;
  if (observedAt === null) return;
  if (observedAt === 'various') throw new Error('live updates of entities are applied one by one');
  const { rowCount } = await lookup.client.query(
    `UPDATE ${entity} SET provenance = provenance || jsonb_build_object($2::text, $3::text)
     WHERE id = $1 AND coalesce((provenance ->> $2)::bigint, 0) <= $3::bigint`,
    [id, `seen by ${provider}`, String(observedAt)],
  );
  if (rowCount === 0) throw new OutdatedUpdate(`${provider} has sent a newer update of ${entity} ${id}`);
}
