/**
 * Participant names. Search finds participants by aliases. Former names are names that teams had in the past, such as those
 * of former states and renamed clubs. The reviewed list of former names is data/identity/former-names.csv, with the columns
 * sport, gender, country, team, name, name_ru, valid_from, valid_to. `team` is any name by which identity finds the team. *
 * stands for any sport or gender. Days are inclusive; an empty day means that the period is open. A team has the listed names
 * from its creation until a provider gives new ones.
 */
import { isDeepStrictEqual } from 'node:util';
import { foldName } from '../db/fold-name.ts';
import type { Queryable } from '../db/postgres.ts';
import type { FormerName } from '../wire/former-names.ts';
import type { ChangedPeriod } from './entities.ts';
import { identifyParticipant, storedKey } from './entity-keys.ts';
import { type MergeRow, mergeRows } from './merges.ts';

/**
 * Stores aliases by which search finds participants.
 * @returns how many aliases are new
 */
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

/** The provider id with which names from the list are stored. */
export const LIST_PROVIDER = 'touchline';
const ANY = '*';
/** A row for any sport looks up its team in this sport, because a national team's identity is the same in every sport. */
const SOME_SPORT = 'football';

export interface GivenNames {
  provider: string;
  /** Oldest first. */
  names: readonly FormerName[];
}

export interface TeamKey {
  sport: string;
  gender: string;
  /** The team's stored key. */
  key: string;
}

const listKey = ({ sport, gender, key }: TeamKey) => `${sport}|${gender}|${key}`;

/** The parsed list: names by `listKey`, and the stored keys of the listed teams. */
interface FormerNameList {
  names: ReadonlyMap<string, FormerName[]>;
  keys: readonly string[];
}
let list: FormerNameList | undefined;

function readList(): FormerNameList {
  if (list) return list;
  const names = new Map<string, FormerName[]>();
  const keys = new Set<string>();
  for (const row of mergeRows('former-names.csv')) {
    const { country, team: name, sport, gender } = row;
    const key = storedKey(
      identifyParticipant({ type: 'team', sport: sport === ANY ? SOME_SPORT : sport, country, name }),
    );
    keys.add(key);
    const at = listKey({ sport, gender, key });
    names.set(at, [...(names.get(at) ?? []), toFormerName(row)]);
  }
  list = { names, keys: [...keys] };
  return list;
}

const toFormerName = ({ name, name_ru, valid_from, valid_to }: MergeRow<'former-names.csv'>): FormerName => ({
  name,
  name_ru: name_ru || null,
  from: valid_from || null,
  to: valid_to || null,
});

/** Returns names with the oldest first, as they are stored. */
export const inOrder = (names: readonly FormerName[]): FormerName[] =>
  names.toSorted((a, b) => ((a.from ?? '') < (b.from ?? '') ? -1 : 1));

/** Returns a team's listed names. Most teams have none. */
export function listedFormerNames({ sport, gender, key }: TeamKey): GivenNames {
  const { names } = readList();
  const rows = [sport, ANY].flatMap((sport) =>
    [gender, ANY].flatMap((gender) => names.get(listKey({ sport, gender, key })) ?? []),
  );
  return { provider: LIST_PROVIDER, names: inOrder(rows) };
}

/**
 * Updates teams whose stored names differ from the list, which a later release may have changed. A team whose names come from
 * a provider stays as it is.
 * @returns the periods in which a name has changed
 */
export async function applyListedNames(client: Queryable): Promise<ChangedPeriod[]> {
  const { rows } = await client.query<TeamKey & { id: number; former_names: FormerName[] }>(
    `SELECT id, sport, gender, key, former_names(id) FROM participant
     WHERE type = 'team' AND (key = ANY ($1) OR id IN (SELECT participant_id FROM participant_name)) AND NOT provenance ? 'former_names'`,
    [readList().keys],
  );
  const lists = new Map(rows.map((row) => [row.id, listedFormerNames(row)]));
  const outdated = rows.filter((row) => !isDeepStrictEqual(row.former_names, lists.get(row.id)!.names));
  if (outdated.length === 0) return [];
  const locked = await client.query<{ id: number }>(
    "SELECT id FROM participant WHERE id = ANY ($1) AND NOT provenance ? 'former_names' ORDER BY id FOR UPDATE",
    [outdated.map(({ id }) => id)],
  );
  return storeFormerNames(client, new Map(locked.rows.map(({ id }) => [id, lists.get(id)!])));
}

/** Returns the folded former names by id, for participants that have any. */
export async function formerKeys(client: Queryable, ids: readonly number[]): Promise<Map<number, Set<string>>> {
  const { rows } = await client.query<{ id: number; names: string[] }>(
    `SELECT participant_id AS id, array_remove(array_agg(name) || array_agg(name_ru), NULL) AS names FROM participant_name
     WHERE participant_id = ANY ($1) GROUP BY participant_id`,
    [ids],
  );
  return new Map(rows.map(({ id, names }) => [id, new Set(names.map(foldName))]));
}

const GIVEN = `SELECT participant_id, coalesce("from", '-infinity') AS valid_from, coalesce("to", 'infinity') AS valid_to, name, name_ru
  FROM json_to_recordset($1) AS r (participant_id bigint, "from" date, "to" date, name text, name_ru text)`;
const PERIOD = `participant_id, nullif(valid_from, '-infinity')::text AS "from", nullif(valid_to, 'infinity')::text AS "to"`;

/**
 * Replaces participants' former names. The caller has locked or just created the rows. Search finds participants by their
 * former names, too.
 * @param lists lists by participant id
 * @returns the periods in which a name has changed
 */
export async function storeFormerNames(
  client: Queryable,
  lists: ReadonlyMap<number, GivenNames>,
): Promise<ChangedPeriod[]> {
  if (lists.size === 0) return [];
  const rows = [...lists].flatMap(([participant_id, { provider, names }]) =>
    names.map((name) => ({ participant_id, provider, ...name })),
  );
  const removed = await client.query<ChangedPeriod>(
    `DELETE FROM participant_name n WHERE participant_id = ANY ($2) AND NOT EXISTS (
       SELECT FROM (${GIVEN}) g WHERE g.participant_id = n.participant_id AND g.valid_from = n.valid_from AND g.valid_to = n.valid_to
         AND g.name = n.name AND g.name_ru IS NOT DISTINCT FROM n.name_ru) RETURNING ${PERIOD}`,
    [JSON.stringify(rows), [...lists.keys()]],
  );
  const added = await client.query<ChangedPeriod>(
    `INSERT INTO participant_name (participant_id, valid_from, valid_to, name, name_ru) ${GIVEN} ORDER BY 1, 2
     ON CONFLICT DO NOTHING RETURNING ${PERIOD}`,
    [JSON.stringify(rows)],
  );
  await storeAliases(
    client,
    rows.flatMap(({ participant_id: id, provider, name, name_ru }) => [
      { id, name, locale: 'en', provider },
      ...(name_ru === null ? [] : [{ id, name: name_ru, locale: 'ru', provider }]),
    ]),
  );
  return [...removed.rows, ...added.rows];
}
