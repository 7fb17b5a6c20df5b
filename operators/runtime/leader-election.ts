/**
 * Leader election by a Kubernetes Lease, so that only one replica writes. A leader that cannot renew the Lease stops
 * writing after `RENEW_DEADLINE_MS`. A standby takes over only after it has not seen the Lease change for
 * `LEASE_SECONDS`. Each replica measures these times by its own clocks, so two replicas never write at the same time,
 * even if a clock is wrong.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import { type Loop, startLoop } from '../../src/runtime/loop.ts';
import { errorMessage } from '../../src/runtime/unknown-values.ts';
import { type Api, isStatus, type KubeObject, LEASES } from './kube-api.ts';

const LEASE_SECONDS = 15;
const RENEW_DEADLINE_MS = 10_000;
const RETRY_MS = 2_000;

export interface Lease extends KubeObject {
  spec: {
    holderIdentity?: string;
    leaseDurationSeconds?: number;
    acquireTime?: string;
    renewTime?: string;
    leaseTransitions?: number;
  };
}

/** Thrown if the process is not the leader, or no longer is, and so must not write. */
export class NotLeader extends Error {
  constructor() {
    super('not the leader');
  }
}

export interface LeaderOptions {
  api: Api;
  logger: Logger;
  namespace: string;
  name: string;
  /** A name that only this process has. */
  identity: string;
  onChange(leading: boolean): void;
  /**
   * The wall clock, and a steady clock, both in milliseconds. The steady clock cannot be set, but it stands still while
   * a machine sleeps.
   */
  clocks?: { wall(): number; steady(): number };
}

export interface Leader {
  /** Returns whether this process may write now. */
  leading(): boolean;
  /** Throws unless this process may write now. @throws {NotLeader} */
  gate(): void;
  /**
   * Releases the Lease, so that the next replica becomes the leader at once. Call it only when this process has ended
   * all its writes.
   */
  stop(): Promise<void>;
}

/** Formats a time as a Kubernetes MicroTime. */
const microTime = (ms: number) => new Date(ms).toISOString().replace('Z', '000Z');
const CLOCKS = { wall: () => Date.now(), steady: () => performance.now() };
/** How often the deadline is checked. A renewal request may take longer than the lease is valid. */
const WATCH_MS = 500;

class LeaseLeader implements Leader {
  readonly #options: LeaderOptions;
  readonly #clocks: { wall(): number; steady(): number };
  readonly #watch: NodeJS.Timeout;
  readonly #loop: Loop;
  /** When the last successful renewal was sent. Null if there was none. */
  #renewed: { wall: number; steady: number } | null = null;
  /** The Lease as last seen, and since when it has not changed. */
  #seen: { version: string; since: number } | null = null;
  /** The value last passed to `onChange`. */
  #reported = false;
  #failing = false;

  constructor(options: LeaderOptions) {
    this.#options = options;
    this.#clocks = options.clocks ?? CLOCKS;
    this.#watch = setInterval(() => this.#report(), WATCH_MS);
    this.#loop = startLoop({
      run: () => this.#run(),
      retryMs: RETRY_MS,
      failed: 'leader election failed, retrying',
      recovered: 'leader election works again',
      logger: options.logger,
    });
  }

  leading(): boolean {
    return this.#sinceRenewal() < RENEW_DEADLINE_MS;
  }

  gate(): void {
    if (!this.leading()) throw new NotLeader();
  }

  async stop(): Promise<void> {
    clearInterval(this.#watch);
    await this.#loop.stop();
    if (!this.leading()) return;
    this.#renewed = null;
    const { api, logger, namespace, name, identity } = this.#options;
    try {
      const current = await api.get<Lease>(LEASES, namespace, name);
      if (current.spec.holderIdentity !== identity) return;
      await api.replace<Lease>(LEASES, {
        ...current,
        spec: { ...current.spec, holderIdentity: '', leaseDurationSeconds: 1 },
      });
    } catch (error) {
      logger.warn({ reason: errorMessage(error) }, 'releasing the lease failed, it will expire');
    }
  }

  /**
   * Returns the time by the clock that has advanced more, because the process may have been paused, the machine may
   * have slept, or a clock may have been set.
   */
  #sinceRenewal(): number {
    if (this.#renewed === null) return Number.POSITIVE_INFINITY;
    const { wall, steady } = this.#clocks;
    return Math.max(steady() - this.#renewed.steady, Math.abs(wall() - this.#renewed.wall));
  }

  #report(): void {
    const leading = this.leading();
    if (leading === this.#reported) return;
    this.#reported = leading;
    const { logger, identity, onChange } = this.#options;
    logger.info({ identity, leading }, leading ? 'leading' : 'no longer leading');
    onChange(leading);
  }

  /** @returns milliseconds until the next run, partly random, so that two replicas do not run at the same moment */
  async #run(): Promise<number> {
    try {
      await this.#acquire();
      this.#failing = false;
    } catch (error) {
      // 409 means that the Lease has been changed in between. A leader remains the leader until its
      // deadline.
      if (!isStatus(error, 409)) this.#failed(errorMessage(error));
    }
    this.#report();
    return RETRY_MS * (0.8 + 0.4 * Math.random());
  }

  #failed(reason: string): void {
    if (!this.#failing) this.#options.logger.warn({ reason }, 'lease request failed, retrying');
    this.#failing = true;
  }

  /** Renews the Lease, or takes it over if it is free or has expired. */
  async #acquire(): Promise<void> {
    const { api, namespace, name, identity } = this.#options;
    const { wall, steady } = this.#clocks;
    const sent = { wall: wall(), steady: steady() };
    const spec = {
      holderIdentity: identity,
      leaseDurationSeconds: LEASE_SECONDS,
      renewTime: microTime(sent.wall),
    };
    let current: Lease;
    try {
      current = await api.get<Lease>(LEASES, namespace, name);
    } catch (error) {
      if (!isStatus(error, 404)) throw error;
      await api.create(LEASES, namespace, {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name, namespace },
        spec: { ...spec, acquireTime: spec.renewTime, leaseTransitions: 0 },
      });
      this.#renewed = sent;
      return;
    }
    const version = current.metadata.resourceVersion;
    if (this.#seen?.version !== version) this.#seen = { version, since: steady() };
    const isOwn = current.spec.holderIdentity === identity;
    const isFree = !current.spec.holderIdentity;
    const isExpired = steady() - this.#seen.since > (current.spec.leaseDurationSeconds ?? LEASE_SECONDS) * 1_000;
    if (!isOwn && !isFree && !isExpired) {
      this.#renewed = null;
      return;
    }
    await api.replace<Lease>(LEASES, {
      ...current,
      spec: {
        ...spec,
        acquireTime: isOwn ? current.spec.acquireTime : spec.renewTime,
        leaseTransitions: (current.spec.leaseTransitions ?? 0) + (isOwn ? 0 : 1),
      },
    });
    this.#renewed = sent;
  }
}

export const startLeader = (options: LeaderOptions): Leader => new LeaseLeader(options);

/** Returns a pool through which a former leader cannot write, however long it has been paused. */
export const gatedPool = (pool: pg.Pool, gate: () => void): pg.Pool =>
  new Proxy(pool, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== 'query' && name !== 'connect') return value;
      return (...args: unknown[]) => {
        gate();
        return value.apply(target, args);
      };
    },
  });
