/** Ends streams whose key is revoked or expires, or whose plan changes. */
import type { OfferedPlans } from '../accounts/plans/plans.ts';
import type { Queryable } from '../db/postgres.ts';
import type { Principal } from '../http/auth.ts';
import { type Loop, startLoop } from '../runtime/loop.ts';
import type { EndReason } from './end-reason.ts';

/** Interval of the check of keys with open streams: a revocation ends them within 5 s. */
const CHECK_EVERY_MS = 2_000;

export interface WatchedStream {
  readonly principal: Principal;
  dismiss(reason: EndReason): void;
}

/** @returns the plans of the still valid keys, by key id */
async function plansOfKeys(db: Queryable, keyIds: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await db.query<{ id: number; plan: string }>(
    `SELECT api_key.id, account.plan FROM api_key JOIN account ON account.id = api_key.account_id
     WHERE api_key.id = ANY ($1) AND api_key.revoked_at IS NULL AND account.suspended_at IS NULL AND (api_key.expires_at IS NULL OR api_key.expires_at > now())`,
    [keyIds],
  );
  return new Map(rows.map(({ id, plan }) => [id, plan]));
}

const keyOf = ({ principal }: WatchedStream): number | null => ('keyId' in principal ? principal.keyId : null);

/** @returns why the stream has to end; null: it may stay */
function verdict({ principal }: WatchedStream, plan: string | undefined, plans: OfferedPlans): EndReason | null {
  if (plan === undefined) return 'revoked';
  if (!plans.named(plan).stream) return 'plan';
  // Another plan may have other sports and more slots.
  return plan === principal.plan ? null : 'cycle';
}

/** Runs until it is closed. */
export class KeyWatch {
  private readonly pool: Queryable;
  private readonly plans: OfferedPlans;
  private readonly streams = new Map<number, Set<WatchedStream>>();
  private readonly loop: Loop;

  constructor(pool: Queryable, plans: OfferedPlans, checkEveryMs = CHECK_EVERY_MS) {
    this.pool = pool;
    this.plans = plans;
    this.loop = startLoop({
      run: async () => {
        await this.check();
        return checkEveryMs;
      },
      retryMs: checkEveryMs,
      failed: 'checking the keys of streams failed, retrying',
      recovered: 'the keys of streams are checked again',
      logger: { error: () => {}, info: () => {} },
      // Other code reports that Postgres is unavailable; meanwhile no key can be revoked there.
      onError: () => true,
    });
  }

  /** Number of checked keys. */
  get size(): number {
    return this.streams.size;
  }

  add(stream: WatchedStream): void {
    const keyId = keyOf(stream);
    if (keyId === null) return;
    const same = this.streams.get(keyId);
    if (same === undefined) this.streams.set(keyId, new Set([stream]));
    else same.add(stream);
  }

  /** Idempotent. */
  remove(stream: WatchedStream): void {
    const keyId = keyOf(stream);
    if (keyId === null) return;
    const same = this.streams.get(keyId);
    same?.delete(stream);
    if (same?.size === 0) this.streams.delete(keyId);
  }

  /** Does not wait for a check in progress. */
  close(): void {
    void this.loop.stop();
  }

  private async check(): Promise<void> {
    if (this.streams.size === 0) return;
    const ids = [...this.streams.keys()];
    const byKey = await plansOfKeys(this.pool, ids);
    for (const id of ids) {
      for (const stream of this.streams.get(id) ?? []) {
        const reason = verdict(stream, byKey.get(id), this.plans);
        if (reason !== null) stream.dismiss(reason);
      }
    }
  }
}
