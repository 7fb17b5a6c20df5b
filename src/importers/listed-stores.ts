/** Passes an import's rankings and transfers to the store, except those dated too far ahead. */
import type { ApplyDeps } from '../apply/index.ts';
import { BUILT_IN } from '../identity/precedence.ts';
import { type Snapshot, type StoredSnapshot, storeSnapshot } from '../rankings/index.ts';
import { type StoredTransfers, storeTransfers } from '../transfers/index.ts';
import { DAY_MS, utcDay } from '../wire/time.ts';
import type { TransferItem } from './importer.ts';

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
