/** Which subscriptions this dispatcher holds: takes its share of those of its group, renews them, and lets go what is not its own any more. */
import type pg from 'pg';
import type { Logger } from 'pino';
import { Holding, type Moment, moment } from './holding.ts';
import * as leases from './lease-queries.ts';

const CLAIM_AT_ONCE = 500;

export interface HolderDeps {
  pool: pg.Pool;
  logger: Pick<Logger, 'warn' | 'error'>;
  secretKeys: readonly string[];
  /** Of the dispatcher, in the rows that it holds. */
  name: string;
  group: string;
  leaseTtlMs: number;
  /** Repeats of one subscription that are read at once. */
  maxPending: number;
  onLost(holding: Holding): void;
  onClaimed(): void;
}

export interface Holder {
  holdings: ReadonlyMap<number, Holding>;
  /** Somebody else holds it now. */
  lose(holding: Holding): void;
  renew(): Promise<void>;
  /** Sees what has changed, and lets go what is not to be sent any more or is others' share. */
  look(share: number): Promise<void>;
  claim(share: number): Promise<void>;
  letGo(idle: readonly Holding[]): Promise<void>;
}

export function subscriptionHolder(deps: HolderDeps): Holder {
  const { pool, logger, secretKeys, name, group, leaseTtlMs, maxPending, onLost, onClaimed } = deps;
  const holdings = new Map<number, Holding>();

  function lose(holding: Holding): void {
    holding.lost = true;
    holdings.delete(holding.id);
    onLost(holding);
    logger.warn({ subscription: holding.id }, 'a subscription is no longer held');
  }

  async function renew(): Promise<void> {
    const at = moment();
    const all = [...holdings.values()];
    const held = await leases.renew(pool, all, leaseTtlMs);
    for (const holding of all) {
      if (held.has(holding.id)) holding.leasedAt = at;
      else if (holdings.get(holding.id) === holding) lose(holding);
    }
  }

  async function look(share: number): Promise<void> {
    const all = [...holdings.values()];
    const seen =
      all.length === 0
        ? new Map<number, leases.Glimpse>()
        : await leases.look(
            pool,
            all.map(({ id }) => id),
            group,
          );
    let kept = 0;
    const changed: Holding[] = [];
    for (const holding of all) {
      const now = seen.get(holding.id);
      if (now === undefined || now.generation !== holding.generation) {
        lose(holding);
        continue;
      }
      const wanted = now.runnable && holding.health.disabled === null;
      // One more than the share is kept, so that nothing goes to and fro.
      if (wanted) kept += 1;
      holding.leaving = !wanted || kept > share + 1;
      if (now.version !== holding.version || now.plan !== holding.plan) changed.push(holding);
    }
    if (changed.length > 0) await readAgain(changed);
    const idle = all.filter((one) => one.leaving && !one.lost && one.inFlight === 0 && !one.dirty);
    if (idle.length > 0) await letGo(idle);
  }

  async function readAgain(changed: readonly Holding[]): Promise<void> {
    const ids = changed.map(({ id }) => id);
    const rows = new Map((await leases.readHeld(pool, ids)).map((row) => [row.id, row]));
    const pending = await leases.pendingOf(pool, ids, maxPending);
    for (const holding of changed) {
      const row = rows.get(holding.id);
      if (row === undefined || row.secret === '' || holding.lost) continue;
      try {
        holding.read(row, secretKeys);
        holding.awaits(pending.get(holding.id) ?? []);
      } catch (error) {
        refuse(row, error);
        holding.version = row.version;
        holding.leaving = true;
      }
    }
  }

  function refuse({ id }: { id: number }, error: unknown): void {
    logger.error({ err: error, subscription: id }, 'a subscription cannot be read; it is not sent');
  }

  async function letGo(idle: readonly Holding[]): Promise<void> {
    await leases.release(pool, idle);
    for (const holding of idle) {
      if (holdings.get(holding.id) === holding) holdings.delete(holding.id);
      holding.lost = true;
    }
  }

  async function claim(share: number): Promise<void> {
    const room = Math.min(share - holdings.size, CLAIM_AT_ONCE);
    if (room <= 0) return;
    const at: Moment = moment();
    const rows = await leases.claim(pool, name, group, room, leaseTtlMs);
    if (rows.length === 0) return;
    const pending = await leases.pendingOf(
      pool,
      rows.map(({ id }) => id),
      maxPending,
    );
    for (const row of rows) {
      try {
        const holding = new Holding(row, at, secretKeys);
        holding.awaits(pending.get(row.id) ?? []);
        holdings.set(row.id, holding);
      } catch (error) {
        // Left with its lease: tried again when that has ended.
        refuse(row, error);
      }
    }
    onClaimed();
  }

  return { holdings, lose, renew, look, claim, letGo };
}
