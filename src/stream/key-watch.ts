/** Ends streams if the key is revoked, expires or loses its scope, or the plan changes. */
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { mayStreamSql } from '../accounts/keys/index.ts';
import type { OfferedPlans, Plan } from '../accounts/plans/index.ts';
import type { Queryable } from '../db/postgres.ts';
import type { Principal } from '../http/index.ts';
import { startChecks } from '../runtime/loop.ts';
import type { EndReason } from './end-reason.ts';

/** How often keys with open streams are checked. */
const CHECK_EVERY_MS = 2_000;
/** A revocation ends a key's streams within this time (spec: 5 s), if Postgres answers a check within 3 s. */
const REVOKED_WITHIN_MS = 5_000;

export interface WatchedStream {
  readonly principal: Principal;
  /** The plan as it was when the stream was admitted. */
  readonly plan: Plan;
  dismiss(reason: EndReason): void;
}

/** @returns the plan for each key that is still valid, by key id */
async function plansOfKeys(db: Queryable, keyIds: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await db.query<{ id: number; plan: string }>(
    `SELECT api_key.id, account.plan FROM api_key JOIN account ON account.id = api_key.account_id
     WHERE api_key.id = ANY ($1) AND account.suspended_at IS NULL AND ${mayStreamSql('api_key')}`,
    [keyIds],
  );
  return new Map(rows.map(({ id, plan }) => [id, plan]));
}

const keyOf = ({ principal }: WatchedStream): number | null => ('keyId' in principal ? principal.keyId : null);

/** Returns whether streams get the same under both plans. The rest of a plan concerns each request, not open streams. */
const haveSameStreams = (a: Plan, b: Plan): boolean =>
  a === b ||
  (a.connections === b.connections &&
    a.publishableConnections === b.publishableConnections &&
    isDeepStrictEqual(a.access, b.access));

/** @returns why the stream has to end, or null if it may stay open */
function verdict(
  { principal, plan: before }: WatchedStream,
  plan: string | undefined,
  plans: OfferedPlans,
): EndReason | null {
  if (plan === undefined) return 'revoked';
  // This process may not have read the plan yet, if it has just been declared.
  if (!plans.has(plan)) return null;
  const now = plans.named(plan);
  if (!now.stream) return 'plan';
  // After a change of plan, the client reconnects, since the new plan may have different sports and slots.
  return plan === principal.plan && haveSameStreams(before, now) ? null : 'cycle';
}

/**
 * Checks keys until it is closed. If Postgres does not answer, streams stay open, because no key can be revoked
 * meanwhile, and clients could not reconnect.
 */
export class KeyWatch<S extends WatchedStream = WatchedStream> {
  private readonly db: Queryable;
  private readonly plans: OfferedPlans;
  private readonly streams = new Map<number, Set<S>>();
  private readonly checks: { stop(): void };

  /** @param db connection that answers soon even if the pool is busy (see promptQueries) */
  constructor(
    db: Queryable,
    plans: OfferedPlans,
    logger: Pick<Logger, 'error' | 'info'>,
    checkEveryMs = CHECK_EVERY_MS,
  ) {
    this.db = db;
    this.plans = plans;
    this.checks = startChecks({
      everyMs: checkEveryMs,
      check: () => this.check(),
      reportAfterMs: REVOKED_WITHIN_MS,
      failed: 'the keys of open streams cannot be checked: revoked keys keep their streams until Postgres answers',
      recovered: 'the keys of open streams are checked again',
      logger,
    });
  }

  /** Number of keys that are checked. */
  get size(): number {
    return this.streams.size;
  }

  add(stream: S): void {
    const keyId = keyOf(stream);
    if (keyId === null) return;
    const same = this.streams.get(keyId);
    if (same === undefined) this.streams.set(keyId, new Set([stream]));
    else same.add(stream);
  }

  /** Returns the account's streams. */
  streamsOfAccount(accountId: number): S[] {
    const found: S[] = [];
    for (const same of this.streams.values())
      for (const stream of same) if (stream.principal.accountId === accountId) found.push(stream);
    return found;
  }

  /** Idempotent. */
  remove(stream: S): void {
    const keyId = keyOf(stream);
    if (keyId === null) return;
    const same = this.streams.get(keyId);
    same?.delete(stream);
    if (same?.size === 0) this.streams.delete(keyId);
  }

  /** Stops the checks. Does not wait for a check in progress. */
  close(): void {
    this.checks.stop();
  }

  private async check(): Promise<void> {
    if (this.streams.size === 0) return;
    const ids = [...this.streams.keys()];
    const byKey = await plansOfKeys(this.db, ids);
    for (const id of ids) {
      for (const stream of this.streams.get(id) ?? []) {
        const reason = verdict(stream, byKey.get(id), this.plans);
        if (reason !== null) stream.dismiss(reason);
      }
    }
  }
}
