/** Finds our ids for rows that name entities by a provider's id, or by what is known about them. */
import { prepared, type Queryable } from '../db/postgres.ts';
import { findByProviderIds, listProviders } from '../identity/external-ids.ts';
import type { MatchAccess } from '../wire/access.ts';
import { grouped } from '../wire/grouped.ts';
import { decideRow, resolvedById, unresolved } from './decide-row.ts';
import { type Asked, findByNames, findClaimants, findPlayersOfClubs, memberKey } from './lookups.ts';
import type { Resolution, Row } from './schema.ts';

/** @returns one answer for each row, in the same order */
export async function resolveRows(
  db: Queryable,
  rows: readonly Row[],
  access: MatchAccess | null,
): Promise<Resolution[]> {
  const resolved = new Map<number, Resolution>();
  for (const [at, known] of await findByIds(db, rows, access)) resolved.set(at, resolvedById(rows[at]!, known));
  const asked = [...rows.entries()].flatMap(([at, row]): Asked[] =>
    resolved.has(at) || row.name === undefined ? [] : [{ at, row: { ...row, name: row.name } }],
  );
  for (const [at, resolution] of await resolveNames(db, asked, access)) resolved.set(at, resolution);
  const findOpen = () => [...rows.entries()].filter(([at]) => !resolved.has(at));
  const claimants = await findClaimants(db, findOpen().flatMap(askedId));
  for (const [at, candidates] of grouped(claimants, (one) => one.at))
    resolved.set(at, unresolved(rows[at]!, 'several', candidates));
  const open = findOpen();
  const providers = await readProviders(db, new Set(open.map(([, { type }]) => type)));
  for (const [at, row] of open)
    resolved.set(at, unresolved(row, providers.has(`${row.type} ${row.provider}`) ? 'unknown_id' : 'unknown_provider'));
  return rows.map((_, at) => resolved.get(at)!);
}

const askedId = ([at, { type, provider, external_id }]: [number, Row]) =>
  provider === undefined || external_id === undefined ? [] : [{ at, entity: type, provider, external_id }];

type Known = Pick<Resolution, 'type'> & { id: number; name: string };

const NAMES = prepared(
  'names of resolved ids',
  `SELECT 'tournament' AS type, id, name FROM tournament WHERE id = ANY ($1::bigint[])
   UNION ALL SELECT type, id, name FROM participant WHERE id = ANY ($2::bigint[])`,
);

/** @returns what the rows' ids mean, by position; unknown ids are left out */
async function findByIds(db: Queryable, rows: readonly Row[], access: MatchAccess | null): Promise<Map<number, Known>> {
  const given = [...rows.entries()].flatMap(askedId);
  const ids = await findByProviderIds(
    db,
    given.map(({ entity, provider, external_id }) => ({ entity, provider, external_id })),
    access,
  );
  if (ids.size === 0) return new Map();
  const found = [...ids].map(([index, id]) => ({ at: given[index]!.at, type: given[index]!.entity, id }));
  const selectIds = (isTournament: boolean) =>
    found.filter(({ type }) => (type === 'tournament') === isTournament).map(({ id }) => id);
  const { rows: named } = await db.query<Known>(NAMES([selectIds(true), selectIds(false)]));
  const names = new Map(named.map((one) => [`${one.type} ${one.id}`, one]));
  return new Map(
    found.flatMap(({ at, type, id }): [number, Known][] => {
      const known = names.get(`${type} ${id}`);
      return known === undefined ? [] : [[at, known]];
    }),
  );
}

async function resolveNames(
  db: Queryable,
  asked: readonly Asked[],
  access: MatchAccess | null,
): Promise<Map<number, Resolution>> {
  if (asked.length === 0) return new Map();
  const found = grouped(await findByNames(db, asked, access), ({ at }) => at);
  const members = await findPlayersOfClubs(
    db,
    asked.flatMap(({ at, row: { club } }) =>
      club === undefined ? [] : [{ at, club, players: [...new Set((found.get(at) ?? []).map(({ id }) => id))] }],
    ),
  );
  return new Map(
    asked.map(({ at, row }) => [
      at,
      decideRow(row, found.get(at) ?? [], (player) => members.has(memberKey(at, player))),
    ]),
  );
}

/** @returns each type and provider as a text, for the types that are asked for */
async function readProviders(db: Queryable, types: ReadonlySet<Row['type']>): Promise<Set<string>> {
  const known = new Set<string>();
  for (const type of types) for (const provider of await listProviders(db, type)) known.add(`${type} ${provider}`);
  return known;
}
