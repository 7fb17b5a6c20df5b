/** Who may hold a stream open: one of the account's places, for as long as the key is good and the plan the same. */
import type { Logger } from 'pino';
import { connectionLimit, planNamed } from '../accounts/plans.ts';
import type { Queryable } from '../db/postgres.ts';
import type { Principal } from '../http/auth.ts';
import { Problem } from '../http/errors.ts';
import type { LiveConnection, Owner } from './connection.ts';
import type { EndReason } from './end-reason.ts';
import { LEASE_TTL_MS, type Lease, type LeaseHolder, type LeaseLoss, openLeases } from './leases.ts';
import type { StreamMetrics } from './metrics.ts';
import { plansOfKeys } from './queries.ts';

/** Keys that hold streams open are looked at this often: a revocation ends them within 5 s. */
export const KEYS_EVERY_MS = 2_000;

/** The place of one connection; a class for its size. */
export class Place implements Owner, LeaseHolder {
  lease: Lease | null = null;
  #connection: Pick<LiveConnection, 'end'> | null = null;
  #dismissed: EndReason | null = null;

  readonly principal: Principal;
  private readonly onLeave: (place: Place) => void;

  constructor(principal: Principal, onLeave: (place: Place) => void) {
    this.principal = principal;
    this.onLeave = onLeave;
  }

  opened(connection: Pick<LiveConnection, 'end'>): void {
    this.#connection = connection;
    if (this.#dismissed !== null) connection.end(this.#dismissed);
  }

  dismiss(reason: EndReason): void {
    this.#dismissed ??= reason;
    this.#connection?.end(reason);
  }

  lost(why: LeaseLoss): void {
    this.dismiss(why);
  }

  /** May be called again. */
  left(): void {
    this.lease?.release();
    this.onLeave(this);
  }
}

export interface Admission {
  /** @throws {Problem} too_many_connections, key_revoked */
  admit(principal: Principal, client: string | undefined): Promise<Place>;
  /** Entries held: 0 when nobody is there. */
  held(): number;
  /** From now on whoever comes is sent on to another process at once: nobody is counted or refused. */
  drain(): void;
  close(): Promise<void>;
}

export interface AdmissionOptions {
  pool: Queryable;
  logger: Pick<Logger, 'warn' | 'info'>;
  ttlMs?: number;
  renewalMs?: number;
  keysEveryMs?: number;
  metrics?: Pick<StreamMetrics, 'refused'>;
}

export function openAdmission({
  pool,
  logger,
  ttlMs = LEASE_TTL_MS,
  renewalMs,
  keysEveryMs = KEYS_EVERY_MS,
  metrics,
}: AdmissionOptions): Admission {
  const leases = openLeases({ pool, logger, ttlMs, renewalMs });
  const watched = new Map<number, Set<Place>>();
  let looking = false;
  let draining = false;

  function watch(place: Place): void {
    const { principal } = place;
    if (principal.kind === 'session') return;
    const same = watched.get(principal.keyId);
    if (same === undefined) watched.set(principal.keyId, new Set([place]));
    else same.add(place);
  }

  function unwatch(place: Place): void {
    const { principal } = place;
    if (principal.kind === 'session') return;
    const same = watched.get(principal.keyId);
    same?.delete(place);
    if (same?.size === 0) watched.delete(principal.keyId);
  }

  function judge(place: Place, plan: string | undefined): void {
    if (plan === undefined) place.dismiss('revoked');
    else if (!planNamed(plan).stream) place.dismiss('plan');
    // Another plan may give other sports and more places.
    else if (place.principal.kind !== 'session' && plan !== place.principal.plan) place.dismiss('cycle');
  }

  async function look(): Promise<void> {
    if (looking || watched.size === 0) return;
    looking = true;
    try {
      const ids = [...watched.keys()];
      const plans = await plansOfKeys(pool, ids);
      for (const id of ids) for (const one of watched.get(id) ?? []) judge(one, plans.get(id));
    } catch {
      // While the database is away nobody can revoke a key in it.
    }
    looking = false;
  }
  const timer = setInterval(() => void look(), keysEveryMs);
  timer.unref();

  function refusal(why: 'full' | 'revoked', slots: number): Problem {
    if (why === 'revoked') return new Problem('key_revoked');
    return new Problem('too_many_connections', `There may be ${slots} streams at a time.`, {
      headers: { 'Retry-After': String(Math.ceil(ttlMs / 1_000)) },
    });
  }

  return {
    async admit(principal, client = '') {
      const place = new Place(principal, unwatch);
      if (draining) return place;
      const limit = connectionLimit(principal);
      const keyId = principal.kind === 'session' ? null : principal.keyId;
      const lease = await leases.take({ ...limit, client: client === '' ? null : client, keyId }, place);
      if (typeof lease === 'string') {
        const problem = refusal(lease, limit.slots);
        metrics?.refused(problem.code);
        throw problem;
      }
      place.lease = lease;
      watch(place);
      return place;
    },

    held: () => leases.held() + watched.size,

    drain() {
      draining = true;
    },

    async close() {
      clearInterval(timer);
      await leases.close();
    },
  };
}
