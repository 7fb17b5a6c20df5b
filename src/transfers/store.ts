/** Stores transfers from a source. Many are stored in one transaction. */
import { foldName } from '../db/fold-name.ts';
import type { Queryable } from '../db/postgres.ts';
import type { EntityLookup } from '../identity/entities.ts';
import {
  type EntityDeps,
  isReferred,
  type Reference,
  type Referred,
  resolveReferences,
  storeListed,
} from '../identity/index.ts';
import type { ListedTransfer } from './transfer.ts';

export type TransferResult = { outcome: 'changed' | 'unchanged' } | { outcome: 'rejected'; detail: string };

export interface StoredTransfers {
  /** One result for each transfer, in the same order. */
  outcomes: TransferResult[];
  /** Names of players that were added to the catalogue. */
  created: string[];
}

/** A club in the catalogue, or only a name if the club is not in the catalogue. */
interface Club {
  id: number | null;
  name: string;
}

interface Row {
  key: string;
  player_id: number;
  from_id: number | null;
  to_id: number | null;
  from_name: string | null;
  to_name: string | null;
}

/**
 * Stores transfers. An unknown player is created if a birth date or id identifies the person. For an unknown club, only the name is stored.
 * A transfer that is already stored gets the new values. It is found by id or, without an id, by player, day and new club.
 * @param seen keys of this import's earlier transfers, which are not stored twice; this call adds its own keys
 */
export function storeTransfers(
  deps: EntityDeps,
  transfers: readonly ListedTransfer[],
  seen: Set<string>,
): Promise<StoredTransfers> {
  return storeListed(deps, async (lookup) => {
    const players = await resolveReferences(lookup, transfers.map(toReference), true);
    const clubs = await resolveClubs(lookup, transfers);
    const rows = transfers.map((transfer, at) => toRow(transfer, players[at]!, clubs[at]!));
    const repeated = repeatsAmong(transfers, rows, seen);
    const kept = rows.flatMap((row, at) =>
      typeof row === 'string' || repeated.has(at) ? [] : [{ ...transfers[at]!, ...row }],
    );
    const changed = await writeRows(lookup.client, kept);
    const outcomes = rows.map((row, at): TransferResult => {
      if (typeof row === 'string') return { outcome: 'rejected', detail: row };
      if (repeated.has(at)) return { outcome: 'rejected', detail: 'repeats an earlier transfer' };
      return { outcome: changed.has(row.key) ? 'changed' : 'unchanged' };
    });
    const added = players.filter(isReferred).filter(({ created }) => created);
    const created = [...new Map(added.map(({ id, name }) => [id, name])).values()];
    return { outcomes, created };
  });
}

const toReference = ({ player, provider, sport, gender }: ListedTransfer): Reference => ({
  ...player,
  provider,
  sport,
  gender,
  of: 'player',
});

type Clubs = Record<'from' | 'to', Club | null | string>;

/** Finds each transfer's clubs. If there is a fault in a club, its value is a text that says why. */
async function resolveClubs(lookup: EntityLookup, transfers: readonly ListedTransfer[]): Promise<Clubs[]> {
  const references = transfers.flatMap(({ provider, sport, gender, from, to }, at) =>
    (['from', 'to'] as const).flatMap((side) => {
      const who = side === 'from' ? from : to;
      return who === null
        ? []
        : [{ at, side, who, reference: { ...who, provider, sport, gender, of: 'club' } as const }];
    }),
  );
  const found = await resolveReferences(
    lookup,
    references.map(({ reference }) => reference),
    false,
  );
  const clubs = transfers.map((): Clubs => ({ from: null, to: null }));
  for (const [index, { at, side, who }] of references.entries()) clubs[at]![side] = resolveClub(who, found[index]!);
  return clubs;
}

function resolveClub(who: NonNullable<ListedTransfer['from']>, found: Referred): Club | string {
  if (isReferred(found)) return { id: found.id, name: who.name ?? found.name };
  return who.participant_id === undefined && who.name !== undefined ? { id: null, name: who.name } : found.fault;
}

/** @returns the row, or a text with the reason if the transfer is rejected */
function toRow({ id, date }: ListedTransfer, player: Referred, { from, to }: Clubs): Row | string {
  if (!isReferred(player)) return player.fault;
  if (typeof from === 'string') return from;
  if (typeof to === 'string') return to;
  if (from !== null && to !== null && isSameClub(from, to))
    return `${to.name} is both the club before and the club after`;
  const key = id === undefined ? `${player.id}|${date}|${to === null ? '' : foldName(to.name)}` : `id:${id}`;
  const names = { from_name: from?.name ?? null, to_name: to?.name ?? null };
  return { key, player_id: player.id, from_id: from?.id ?? null, to_id: to?.id ?? null, ...names };
}

const isSameClub = (one: Club, other: Club): boolean =>
  one.id === null || other.id === null ? foldName(one.name) === foldName(other.name) : one.id === other.id;

/** @returns positions of transfers that repeat an earlier one in the import, even if a club has another name there */
function repeatsAmong(
  transfers: readonly ListedTransfer[],
  rows: readonly (Row | string)[],
  seen: Set<string>,
): Set<number> {
  const repeated = new Set<number>();
  for (const [at, row] of rows.entries()) {
    if (typeof row === 'string') continue;
    const { player_id, to_id, key } = row;
    const move = to_id === null ? key : `${player_id}|${transfers[at]!.date}|${to_id}`;
    if (seen.has(key) || seen.has(move)) repeated.add(at);
    seen.add(key).add(move);
  }
  return repeated;
}

const VALUES = [
  'player_id',
  'date',
  'type',
  'from_id',
  'to_id',
  'from_name',
  'to_name',
  'loan_until',
  'fee',
  'fee_currency',
];
const list = (prefix: string) => VALUES.map((column) => `${prefix}.${column}`).join(', ');

const WRITE = `INSERT INTO transfer AS t (provider, key, ${VALUES.join(', ')})
  SELECT w.provider, w.key, ${list('w')} FROM json_populate_recordset(NULL::transfer, $1) w ORDER BY w.provider, w.key
  ON CONFLICT (provider, key) DO UPDATE SET ${VALUES.map((column) => `${column} = excluded.${column}`).join(', ')}
    WHERE (${list('t')}) IS DISTINCT FROM (${list('excluded')})
  RETURNING key`;

/** @returns the keys of new and changed transfers */
async function writeRows(client: Queryable, rows: readonly (ListedTransfer & Row)[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const { rows: changed } = await client.query<{ key: string }>(WRITE, [
    JSON.stringify(rows.map(({ player: _, from: __, to: ___, id: ____, ...row }) => row)),
  ]);
  return new Set(changed.map(({ key }) => key));
}
