/** Who may hold a stream open: one of the account's places, for as long as the key is good and the plan the same. */
import type { Logger } from 'pino';
import { connectionLimit, planNamed } from '../accounts/plans.ts';
import type { Queryable } from '../db/postgres.ts';
import type { KeyPrincipal, Principal } from '../http/auth.ts';
import { Problem } from '../http/errors.ts';
import type { EndReason, LiveConnection } from './hub.ts';
import { LEASE_TTL_MS, openLeases } from './leases.ts';
import { plansOfKeys } from './queries.ts';

/** Keys that hold streams open are looked at this often: a revocation ends them within 5 s. */
export const KEYS_EVERY_MS = 2_000;

/** The place of one connection. */
export interface Place {
  /** For the hub: how the connection is ended when it may no longer stay. */
  opened(connection: Pick<LiveConnection, 'end'>): void;
  /** May be called again. */
  leave(): void;
}

export interface Admission {
  /** @throws {Problem} too_many_connections, key_revoked */
  admit(principal: Principal, client: string | undefined): Promise<Place>;
  /** Entries held: 0 when nobody is there. */
  held(): number;
  close(): Promise<void>;
}

export interface AdmissionOptions {
  pool: Queryable;
  logger: Pick<Logger, 'warn' | 'info'>;
  ttlMs?: number;
  renewalMs?: number;
  keysEveryMs?: number;
}

interface Watched {
  principal: KeyPrincipal;
  dismiss(reason: EndReason): void;
}

export function openAdmission({
  pool,
  logger,
  ttlMs = LEASE_TTL_MS,
  renewalMs,
  keysEveryMs = KEYS_EVERY_MS,
}: AdmissionOptions): Admission {
  const leases = openLeases({ pool, logger, ttlMs, renewalMs });
  const watched = new Map<number, Set<Watched>>();
  let looking = false;

  function watch(one: Watched): () => void {
    const { keyId } = one.principal;
    const same = watched.get(keyId) ?? new Set();
    watched.set(keyId, same.add(one));
    return () => {
      same.delete(one);
      if (same.size === 0 && watched.get(keyId) === same) watched.delete(keyId);
    };
  }

  function judge({ principal, dismiss }: Watched, plan: string | undefined): void {
    if (plan === undefined) dismiss('revoked');
    else if (!planNamed(plan).stream) dismiss('plan');
    // Another plan may give other sports and more places.
    else if (plan !== principal.plan) dismiss('cycle');
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
      let connection: Pick<LiveConnection, 'end'> | null = null;
      let dismissed: EndReason | null = null;
      const dismiss = (reason: EndReason) => {
        dismissed ??= reason;
        connection?.end(reason);
      };
      const limit = connectionLimit(principal);
      const key = principal.kind === 'session' ? null : principal;
      const lease = await leases.take(
        { ...limit, client: client === '' ? null : client, keyId: key?.keyId ?? null },
        dismiss,
      );
      if (typeof lease === 'string') throw refusal(lease, limit.slots);
      const unwatch = key === null ? () => {} : watch({ principal: key, dismiss });
      return {
        opened(opened) {
          connection = opened;
          if (dismissed !== null) opened.end(dismissed);
        },
        leave() {
          unwatch();
          lease.release();
        },
      };
    },

    held: () => leases.held() + watched.size,

    async close() {
      clearInterval(timer);
      await leases.close();
    },
  };
}
