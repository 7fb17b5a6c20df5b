/** Resolves the teams and players that updates refer to. A few statements resolve many references. */
import { foldName } from '../db/fold-name.ts';
import type { Queryable } from '../db/postgres.ts';
import { cacheKey, type EntityLookup, NAMED, type NamedRow, recall, rename } from './entities.ts';
import { identifyParticipant, isIdentified, isNationalTeam, storedKey } from './entity-keys.ts';
import { formerKeys, listedFormerNames, storeAliases, storeFormerNames } from './participant-names.ts';
import { storedBirthDate } from './person-key.ts';
import { listedRussianName } from './russian-names.ts';

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
  /** True if a line-up in the same update lists another player with this identity. */
  hasTwin?: boolean;
  /** True if the names are current. A side may have the name that it had at the time of the match. */
  isPresent?: boolean;
}

const participantKey = (descriptor: ParticipantDescriptor) => cacheKey('participant', descriptor);

/**
 * Resolves many participants in a few statements.
 * @returns ids by descriptor; a player with only a name has no id
 */
export async function resolveParticipants(
  lookup: EntityLookup,
  descriptors: readonly ParticipantDescriptor[],
): Promise<Map<ParticipantDescriptor, number>> {
  const found = new Map<ParticipantDescriptor, number>();
  const open = new Map<string, ParticipantDescriptor[]>();
  for (const descriptor of descriptors) {
    if (descriptor.type === 'player' && !isIdentified(descriptor)) continue;
    const key = participantKey(descriptor);
    const known = recall(lookup, key);
    if (known !== undefined) found.set(descriptor, known);
    else if (open.get(key)?.push(descriptor) === undefined) open.set(key, [descriptor]);
  }
  if (open.size === 0) return found;
  const rows = await findOrCreate(
    lookup,
    [...open].map(([key, [descriptor]]) => ({
      cache_key: key,
      descriptor: withBirthDate(descriptor!),
      identity: identifyParticipant(descriptor!),
    })),
  );
  const outdated = await storeNames(lookup, rows);
  for (const { cache_key, row } of rows) {
    for (const descriptor of open.get(cache_key)!) found.set(descriptor, row.id);
    if (!outdated.has(cache_key)) lookup.staged.set(cache_key, { entity: 'participant', id: row.id });
  }
  return found;
}

const withBirthDate = (descriptor: ParticipantDescriptor): ParticipantDescriptor =>
  descriptor.birth_date ? { ...descriptor, birth_date: storedBirthDate(descriptor) ?? undefined } : descriptor;

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
      key: storedKey(identity),
      name: identity.name,
      is_former: isListedFormer(descriptor, identity),
      name_ru: listedNameRu(descriptor, identity),
      birth_date: descriptor.birth_date ?? null,
    })),
  );

/**
 * True if a reference uses one of the team's listed former names. For a team created from such a reference, no provider has
 * given a current name yet.
 */
const isListedFormer = ({ type, name, ...descriptor }: ParticipantDescriptor, identity: Wanted['identity']) =>
  type === 'team' &&
  listedFormerNames({ ...descriptor, key: storedKey(identity) }).names.some(
    (former) => foldName(former.name) === foldName(name),
  );

/**
 * Returns the Russian name that a new participant has until a provider gives one. A card that is rendered without it would be
 * rendered again when the lists are applied.
 */
const listedNameRu = ({ type, sport, gender }: ParticipantDescriptor, identity: Wanted['identity']) =>
  type === 'team' ? listedRussianName({ sport, gender, key: storedKey(identity) }) : null;

const WANTED = `json_to_recordset($1) AS w (cache_key text, provider text, external_id text, type text, sport text, gender text,
  country text, key text, name text, is_former boolean, name_ru text, birth_date date)`;

const FOUND = NAMED.participant.replaceAll(/(^|, )/g, '$1p.');
/** If an operator has joined a participant to another one, the other's id is used. */
const JOINED = 'JOIN participant p ON p.id = coalesce(g.person_id, g.id)';
const BY_IDENTITY = `SELECT w.cache_key, ${FOUND} FROM ${WANTED}
     JOIN participant g ON g.type = w.type AND g.sport = w.sport AND g.gender = w.gender AND g.key = w.key ${JOINED}`;

/**
 * Finds participants by identity. Does not create or rename any.
 * @returns ids of existing participants, by descriptor
 */
export async function findParticipants(
  { client }: EntityLookup,
  descriptors: readonly ParticipantDescriptor[],
): Promise<Map<ParticipantDescriptor, number>> {
  const wanted = descriptors.map((descriptor, index) => ({
    cache_key: `${index}`,
    descriptor,
    identity: identifyParticipant(descriptor),
  }));
  const { rows } = await client.query<{ cache_key: string; id: number }>(BY_IDENTITY, [wantedJson(wanted)]);
  return new Map(rows.map(({ cache_key, id }) => [descriptors[Number(cache_key)]!, id]));
}

async function findOrCreate(lookup: EntityLookup, wanted: Wanted[]): Promise<Resolved[]> {
  const { client } = lookup;
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
    // A team id is looked up only within its sport, because some providers number each sport's teams from 1.
    `SELECT w.cache_key, ${FOUND} FROM ${WANTED}
     JOIN external_ref e ON e.entity = w.type AND e.provider = w.provider AND e.external_id = w.external_id
     JOIN participant g ON g.id = e.entity_id AND g.sport = w.sport ${JOINED}`,
    true,
  );
  if (byKey.size > 0) await collect(BY_IDENTITY, false);
  if (byKey.size > 0) {
    // Sorted by key, so that two transactions that create the same participants wait for each other instead of deadlocking.
    const made = await client.query<{ id: number }>(
      `INSERT INTO participant (type, sport, gender, key, country, name, name_ru, birth_date, provenance)
       SELECT type, sport, gender, key, min(country), coalesce(min(name) FILTER (WHERE NOT is_former), min(name)), min(name_ru), max(birth_date),
         jsonb_strip_nulls(jsonb_build_object('name', min(provider) FILTER (WHERE NOT is_former), 'country', min(provider) FILTER (WHERE country IS NOT NULL), 'birth_date', min(provider) FILTER (WHERE birth_date IS NOT NULL)))
       FROM ${WANTED} GROUP BY type, sport, gender, key ORDER BY type, sport, gender, key
       ON CONFLICT (type, sport, gender, key) DO NOTHING RETURNING id`,
      [wantedJson([...byKey.values()])],
    );
    const created = new Set(made.rows.map(({ id }) => id));
    for (const id of created) lookup.changed.participant.add(id);
    await collect(BY_IDENTITY, false);
    await storeListedNames(
      client,
      resolved.filter(({ row }) => created.has(row.id)),
    );
  }
  return resolved;
}

/** Stores the former names from former-names.csv for new participants. */
async function storeListedNames(client: Queryable, created: readonly Resolved[]): Promise<void> {
  const listed = created
    .filter(({ descriptor }) => descriptor.type === 'team')
    .map(
      ({ row, descriptor, identity }) =>
        [row.id, listedFormerNames({ ...descriptor, key: storedKey(identity) })] as const,
    );
  await storeFormerNames(client, new Map(listed.filter(([, { names }]) => names.length > 0)));
}

/**
 * Stores the resolved participants' aliases, external ids and names.
 * @returns cache keys of references with outdated names
 */
async function storeNames(lookup: EntityLookup, rows: readonly Resolved[]): Promise<Set<string>> {
  const { client } = lookup;
  const ids = rows.filter(({ descriptor, byId }) => descriptor.id !== undefined && !byId);
  if (ids.length > 0) {
    await client.query(
      `INSERT INTO external_ref (entity, provider, external_id, entity_id)
       SELECT r.type, r.provider, r.external_id, r.id FROM json_to_recordset($1) AS r (type text, provider text, external_id text, id bigint)
       ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING`,
      [
        JSON.stringify(
          ids.map(({ descriptor: { type, provider, id }, row }) => ({ type, provider, external_id: id, id: row.id })),
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
  // In id order, so that two transactions that rename the same participants wait for each other instead of deadlocking.
  const outdated = new Set<string>();
  const former = await formerKeys(
    client,
    rows.map(({ row }) => row.id),
  );
  for (const resolved of rows.toSorted((a, b) => a.row.id - b.row.id)) {
    const { cache_key, row, identity, descriptor, byId } = resolved;
    if (bearsFormerName(resolved, former.get(row.id))) continue;
    const isSettled = await rename(lookup, 'participant', row, { ...descriptor, name: identity.name }, byId);
    if (!isSettled) outdated.add(cache_key);
  }
  return outdated;
}

/**
 * True if the reference has a team's former name, or a Russian name from that time. Such a reference says nothing about the
 * current names. An update about the team itself has the current names.
 */
function bearsFormerName({ descriptor, identity }: Resolved, former: ReadonlySet<string> | undefined): boolean {
  if (former === undefined) return false;
  const { name, name_ru, isPresent } = descriptor;
  const isCanonical = identity.name === name;
  if (former.has(foldName(name))) return !(isPresent && isCanonical);
  return !isCanonical && isNationalTeam(identity) && name_ru !== undefined && former.has(foldName(name_ru));
}
