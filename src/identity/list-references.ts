/**
 * Finds the participants that a list (a ranking, transfers) refers to by our id, by the provider's id, or by name. Unlike a
 * match update, a list has no news about participants, so it does not rename them. A name alone matches if exactly one
 * participant has it. It is never enough to create a participant.
 */
import type pg from 'pg';
import { foldName } from '../db/fold-name.ts';
import { transaction } from '../db/postgres.ts';
import { COUNTRIES } from '../wire/countries.ts';
import { commitEntities, type EntityCache, type EntityLookup, entityLookup, rememberExternalId } from './entities.ts';
import { IS_NAMED_ONLY, identifyParticipant, isIdentified, isNationalTeam } from './entity-keys.ts';
import { nationTeam } from './merges.ts';
import type { Precedence } from './precedence.ts';
import { findParticipants, type ParticipantDescriptor, resolveParticipants } from './resolve-participants.ts';

/** The participant that a list entry means. */
export interface ListedParticipant {
  /** Our id. */
  participant_id?: number | undefined;
  /** The provider's id. */
  id?: string | undefined;
  name?: string | undefined;
  /** Our country code. */
  country?: string | undefined;
  birth_date?: string | undefined;
}

export interface Reference extends ListedParticipant {
  provider: string;
  sport: string;
  gender: string;
  /** The kind of participant. `nation` means the national team of the country with that name or country code. */
  of: 'nation' | 'club' | 'player';
}

export interface EntityDeps {
  pool: pg.Pool;
  entities: EntityCache;
  precedence: Precedence;
}

/** Stores what a list says about entities, in one transaction. After the commit, later calls find the entities in the cache. */
export async function storeListed<T>(
  { pool, entities, precedence }: EntityDeps,
  store: (lookup: EntityLookup) => Promise<T>,
): Promise<T> {
  const known = await entities.load(pool, precedence);
  const { lookup, result } = await transaction(pool, async (client) => {
    const lookup = entityLookup(client, known, null, precedence);
    return { lookup, result: await store(lookup) };
  });
  commitEntities(lookup);
  return result;
}

/** A participant, or the reason why there is none. */
export type Referred = { id: number; name: string; created: boolean } | { fault: string };

export const isReferred = (found: Referred): found is Extract<Referred, { id: number }> => 'id' in found;

interface Row {
  at: number;
  id: number;
  name: string;
}

/**
 * Resolves a list's references.
 * @param create true to create a participant that is unknown but identified (a nation; a club with a country; a player with a
 * birth date or the provider's id)
 * @returns results in the same order as the references
 */
export async function resolveReferences(
  lookup: EntityLookup,
  references: readonly Reference[],
  create: boolean,
): Promise<Referred[]> {
  const found = new Map<number, Referred>();
  const open = () => [...references.entries()].filter(([at]) => !found.has(at));
  const take = (rows: readonly Row[]) => {
    for (const { at, id, name } of rows) if (!found.has(at)) found.set(at, { id, name, created: false });
  };
  for (const [at, referred] of await byOurId(lookup, open())) found.set(at, referred);
  take(await byProviderId(lookup, open()));
  const described = new Map<number, ParticipantDescriptor>();
  for (const [at, reference] of open()) {
    const descriptor = describe(reference);
    if (typeof descriptor === 'string') found.set(at, { fault: descriptor });
    else described.set(at, descriptor);
  }
  take(await byIdentity(lookup, described));
  const unnamed = open();
  const named = await byName(lookup, unnamed);
  for (const [at, reference] of unnamed) {
    const rows = named.get(at);
    if (rows) found.set(at, nameResult(reference, rows, create));
  }
  await createMissing(lookup, described, found, create);
  return references.map((reference, at) => found.get(at) ?? { fault: `${referenceLabel(reference)} is not known` });
}

const referenceLabel = ({ of, name, country, id }: Reference) =>
  `the ${of === 'nation' ? 'national team' : of} ${name ?? id ?? ''}${country ? ` (${country})` : ''}`;
const typeOf = ({ of }: Reference) => (of === 'player' ? 'player' : 'team');

async function byOurId(
  { client }: EntityLookup,
  open: readonly (readonly [number, Reference])[],
): Promise<Map<number, Referred>> {
  const wanted = open.filter(([, { participant_id }]) => participant_id !== undefined);
  if (wanted.length === 0) return new Map();
  const { rows } = await client.query<Omit<Row, 'at'> & { given: number; type: string; sport: string; gender: string }>(
    `SELECT g.id AS given, p.id, p.name, p.type, p.sport, p.gender FROM participant g JOIN participant p ON p.id = coalesce(g.person_id, g.id)
     WHERE g.id = ANY ($1)`,
    [wanted.map(([, { participant_id }]) => participant_id)],
  );
  const known = new Map(rows.map((row) => [row.given, row]));
  return new Map(
    wanted.map(([at, reference]): [number, Referred] => {
      const row = known.get(reference.participant_id!);
      if (!row) return [at, { fault: `there is no participant ${reference.participant_id}` }];
      const type = typeOf(reference);
      if (row.type === type && row.sport === reference.sport && row.gender === reference.gender)
        return [at, { id: row.id, name: row.name, created: false }];
      const expected = `${type} (${reference.sport}, ${reference.gender})`;
      return [
        at,
        {
          fault: `participant ${row.id} is the ${row.type} ${row.name} (${row.sport}, ${row.gender}), not a ${expected}`,
        },
      ];
    }),
  );
}

async function byProviderId({ client }: EntityLookup, open: readonly (readonly [number, Reference])[]): Promise<Row[]> {
  const wanted = open.filter(([, { id }]) => id !== undefined);
  if (wanted.length === 0) return [];
  const { rows } = await client.query<Row>(
    `SELECT w.at, p.id, p.name FROM json_to_recordset($1) AS w (at int, type text, provider text, id text, sport text)
     JOIN external_ref e ON e.entity = w.type AND e.provider = w.provider AND e.external_id = w.id
     JOIN participant g ON g.id = e.entity_id AND g.sport = w.sport JOIN participant p ON p.id = coalesce(g.person_id, g.id)`,
    [
      JSON.stringify(
        wanted.map(([at, one]) => ({ at, type: typeOf(one), provider: one.provider, id: one.id, sport: one.sport })),
      ),
    ],
  );
  return rows;
}

/**
 * Returns a reference's descriptor, or a text with the fault. A name alone also gives a descriptor, for which `isComplete` is
 * false.
 */
function describe(reference: Reference): ParticipantDescriptor | string {
  const { provider, sport, gender, of, id, name, country, birth_date } = reference;
  const base = { provider, sport, gender, type: typeOf(reference) } as const;
  if (of === 'nation') {
    const nation = findNation(reference);
    return typeof nation === 'string' ? nation : { ...base, name: nation.name, country: nation.country };
  }
  if (name === undefined)
    return id === undefined
      ? 'the name is missing'
      : `the ${of} ${id} of ${provider} is not known: import the file of its ${of}s as well`;
  const descriptor = { ...base, id, name, country, birth_date };
  if (of === 'club' && isNationalTeam(identifyParticipant(descriptor)))
    return `${name} (${country ?? 'no country'}) is a national team, not a club: give the country in whose league the club plays`;
  return descriptor;
}

function findNation({ name, country }: Reference): { name: string; country: string } | string {
  if (name === undefined) {
    const own = country === undefined ? undefined : nationNamedAs(country);
    return own ?? (country ? `${country} is not a country` : 'the name is missing');
  }
  const nation = nationTeam(name);
  if (!nation) return `${name} is not the name of a country; its other names are in data/identity/nations.csv`;
  if (country !== undefined && country !== 'INT' && country !== nation.country)
    return `${name} is the team of ${nation.country}, not of ${country}`;
  return nation;
}

const COUNTRY_NAMES = new Map(COUNTRIES.map(({ iso, name }) => [iso, name]));
const nationNamedAs = (country: string) =>
  country === 'INT' ? undefined : nationTeam(COUNTRY_NAMES.get(country) ?? '');

/** True if the descriptor fits only one participant. */
const isComplete = (descriptor: ParticipantDescriptor): boolean =>
  descriptor.type === 'player' ? isIdentified(descriptor) : identifyParticipant(descriptor).country !== null;

async function byIdentity(lookup: EntityLookup, described: ReadonlyMap<number, ParticipantDescriptor>): Promise<Row[]> {
  const complete = [...described].filter(([, descriptor]) => isComplete(descriptor));
  if (complete.length === 0) return [];
  const ids = await findParticipants(
    lookup,
    complete.map(([, descriptor]) => descriptor),
  );
  const rows = complete.flatMap(([at, descriptor]) => {
    const id = ids.get(descriptor);
    return id === undefined ? [] : [{ at, id, name: descriptor.name, descriptor }];
  });
  for (const { id, descriptor } of rows) await rememberExternalId(lookup, descriptor.type, descriptor, id);
  return rows;
}

/** Finds participants that have exactly this name among their names. A national team is not found as a club. */
async function byName(
  { client }: EntityLookup,
  open: readonly (readonly [number, Reference])[],
): Promise<Map<number, Row[]>> {
  const wanted = open.filter(([, { of, name, id, birth_date }]) => {
    return name !== undefined && (of === 'club' || (of === 'player' && id === undefined && birth_date === undefined));
  });
  if (wanted.length === 0) return new Map();
  const { rows } = await client.query<Row>(
    `SELECT DISTINCT w.at, p.id, p.name
     FROM json_to_recordset($1) AS w (at int, type text, sport text, gender text, country text, key text)
     JOIN participant_alias a ON string_to_array(a.key, ' ') @> string_to_array(w.key, ' ') AND a.key = w.key
     JOIN participant p ON p.id = a.participant_id AND p.type = w.type AND p.sport = w.sport AND p.gender = w.gender
       AND (w.country IS NULL OR p.country = w.country) AND split_part(p.key, '|', 2) NOT LIKE 'national team %' AND NOT p.${IS_NAMED_ONLY}
     ORDER BY w.at, p.id`,
    [
      JSON.stringify(
        wanted.map(([at, one]) => ({
          at,
          type: typeOf(one),
          sport: one.sport,
          gender: one.gender,
          country: one.country ?? null,
          key: foldName(one.name!),
        })),
      ),
    ],
  );
  return new Map(
    wanted.flatMap(([at, reference]): [number, Row[]][] => {
      const named = rows.filter((row) => row.at === at);
      const isCreatable = reference.of === 'club' && reference.country !== undefined;
      return named.length === 0 && isCreatable ? [] : [[at, named]];
    }),
  );
}

function nameResult(reference: Reference, rows: readonly Row[], create: boolean): Referred {
  const [only] = rows;
  if (rows.length === 1) return { id: only!.id, name: only!.name, created: false };
  const label = referenceLabel(reference);
  if (rows.length > 1)
    return {
      fault: `${label} may be ${rows.map(({ id }) => id).join(' or ')}: say which in the column participant_id`,
    };
  const needed = reference.of === 'player' ? 'its birth_date or id' : 'its country';
  return {
    fault: create ? `${label} is not known, and without ${needed} it cannot be created` : `${label} is not known`,
  };
}

async function createMissing(
  lookup: EntityLookup,
  described: ReadonlyMap<number, ParticipantDescriptor>,
  found: Map<number, Referred>,
  create: boolean,
): Promise<void> {
  const missing = [...described].filter(([at]) => !found.has(at));
  if (missing.length === 0 || !create) return;
  const ids = await resolveParticipants(
    lookup,
    missing.map(([, descriptor]) => descriptor),
  );
  for (const [at, descriptor] of missing) {
    const id = ids.get(descriptor);
    if (id !== undefined) found.set(at, { id, name: descriptor.name, created: lookup.changed.participant.has(id) });
  }
}
