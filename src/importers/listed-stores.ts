/** Passes an import's rankings, transfers and entries of registers to the store, except those dated too far ahead. */
import type { ApplyDeps } from '../apply/index.ts';
import { BUILT_IN } from '../identity/precedence.ts';
import { type Snapshot, type StoredSnapshot, storeSnapshot } from '../rankings/index.ts';
import { storeEntries } from '../register/index.ts';
import { type StoredTransfers, storeTransfers } from '../transfers/index.ts';
import { DAY_MS, utcDay } from '../wire/time.ts';
import type { EntryItem, TransferItem } from './importer.ts';

/** How far ahead a ranking's date may be, because it may come from an eastern time zone. */
const AHEAD_MS = DAY_MS;

/** Stores a ranking, or rejects all entries if the ranking's day is in the future. */
export async function storeRanking(
  { pool, clock, config, entities }: ApplyDeps,
  snapshot: Snapshot,
): Promise<StoredSnapshot> {
  const { published_at, entries } = snapshot;
  if (published_at <= utcDay(clock.now() + AHEAD_MS))
    return storeSnapshot({ pool, entities, precedence: config?.precedence ?? BUILT_IN }, snapshot);
  const rejected = entries.map((_, at) => ({ at, detail: `the day ${published_at} is in the future` }));
  return { changed: 0, unchanged: 0, rejected, created: [] };
}

/**
 * How far ahead a transfer may be dated. Transfers are agreed months before they take place; later dates are mistakes.
 */
const AGREED_AHEAD_MS = 366 * DAY_MS;

/** @param seen see `storeTransfers` */
export async function storeTransferItems(
  { pool, clock, config, entities }: ApplyDeps,
  items: readonly TransferItem[],
  seen: Set<string>,
): Promise<StoredTransfers> {
  const latest = utcDay(clock.now() + AGREED_AHEAD_MS);
  const timely = items.filter(({ transfer }) => transfer.date <= latest);
  const deps = { pool, entities, precedence: config?.precedence ?? BUILT_IN };
  const stored = await storeTransfers(
    deps,
    timely.map(({ transfer }) => transfer),
    seen,
  );
  let next = 0;
  const outcomes = items.map(({ transfer: { date } }) =>
    date <= latest
      ? stored.outcomes[next++]!
      : { outcome: 'rejected' as const, detail: `the date ${date} is more than a year in the future` },
  );
  return { outcomes, created: stored.created };
}

/** The outcome of an item. */
export type ItemResult = StoredTransfers['outcomes'][number];

export async function storeEntryItems(
  { pool, clock }: Pick<ApplyDeps, 'pool' | 'clock'>,
  items: readonly EntryItem[],
): Promise<ItemResult[]> {
  const latest = utcDay(clock.now() + AHEAD_MS);
  const seen = new Set<string>();
  const outcomes = items.map(({ entry: { entity, register_id, since } }): ItemResult => {
    const key = `${entity} ${register_id}`;
    if (seen.has(key)) return { outcome: 'rejected', detail: `repeats the id ${register_id} of an earlier row` };
    seen.add(key);
    return since === null || since <= latest
      ? { outcome: 'unchanged' }
      : { outcome: 'rejected', detail: `the date ${since} is in the future` };
  });
  const stored = [...items.entries()].filter(([index]) => outcomes[index]?.outcome !== 'rejected');
  const changed = await storeEntries(
    pool,
    stored.map(([, { entry }]) => entry),
  );
  for (const at of changed) outcomes[stored[at]![0]] = { outcome: 'changed' };
  return outcomes;
}
