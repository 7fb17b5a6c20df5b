/**
 * Leadership by a Lease: one replica writes. A leader that cannot renew stops writing after `RENEW_DEADLINE_MS`, the others wait
 * `LEASE_SECONDS` from when they last saw the Lease change, by their own clocks: whatever the clocks say, no two write at a time.
 */
import type { Logger } from 'pino';
import { type Api, isStatus, type KubeObject, LEASES } from './api.ts';

export const LEASE_SECONDS = 15;
export const RENEW_DEADLINE_MS = 10_000;
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

/** The process was not the leader, or no longer, when it was about to write. */
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
  /** Of this process, like no other's. */
  identity: string;
  onChange(leading: boolean): void;
  /** Milliseconds; the wall clock, and one that no one sets. A machine that slept stops the second one. */
  clocks?: { wall(): number; steady(): number };
}

export interface Leader {
  /** May this process write, now? */
  leading(): boolean;
  /** @throws {NotLeader} */
  gate(): void;
  /** Lets the next one begin at once. Call it when nothing of this process writes any more. */
  stop(): Promise<void>;
}

/** Kubernetes' MicroTime. */
const microTime = (ms: number) => new Date(ms).toISOString().replace('Z', '000Z');

export function startLeader(options: LeaderOptions): Leader {
  const { api, logger, namespace, name, identity, onChange } = options;
  const { wall, steady } = options.clocks ?? { wall: () => Date.now(), steady: () => performance.now() };
  /** When the last successful renewal was sent. */
  let renewed: { wall: number; steady: number } | null = null;
  /** The Lease as last seen, and since when it has been like that. */
  let seen: { version: string; since: number } | null = null;
  let told = false;
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  /** By the clock that says more: a process may have been paused, a machine asleep, a clock set. */
  const sinceRenewal = () =>
    renewed === null ? Number.POSITIVE_INFINITY : Math.max(steady() - renewed.steady, Math.abs(wall() - renewed.wall));
  const leading = () => sinceRenewal() < RENEW_DEADLINE_MS;

  function tell(): void {
    const now = leading();
    if (now === told) return;
    told = now;
    logger.info({ identity, leading: now }, now ? 'leading' : 'no longer leading');
    onChange(now);
  }

  async function take(): Promise<void> {
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
      const metadata = { name, namespace };
      await api.create(LEASES, namespace, {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata,
        spec: { ...spec, acquireTime: spec.renewTime, leaseTransitions: 0 },
      });
      renewed = sent;
      return;
    }
    const version = current.metadata.resourceVersion;
    if (seen?.version !== version) seen = { version, since: steady() };
    const mine = current.spec.holderIdentity === identity;
    const free = !current.spec.holderIdentity;
    const expired = steady() - seen.since > (current.spec.leaseDurationSeconds ?? LEASE_SECONDS) * 1_000;
    if (!mine && !free && !expired) {
      renewed = null;
      return;
    }
    await api.replace<Lease>(LEASES, {
      ...current,
      spec: {
        ...spec,
        acquireTime: mine ? current.spec.acquireTime : spec.renewTime,
        leaseTransitions: (current.spec.leaseTransitions ?? 0) + (mine ? 0 : 1),
      },
    });
    renewed = sent;
  }

  async function step(): Promise<void> {
    try {
      await take();
    } catch (error) {
      // Somebody else was faster; whoever leads keeps the time that is left.
      if (!isStatus(error, 409))
        logger.warn({ reason: (error as Error).message }, 'the lease could not be taken or renewed');
    }
    tell();
  }

  function next(): void {
    if (stopping) return;
    running = step().finally(() => {
      if (!stopping) timer = setTimeout(next, RETRY_MS * (0.8 + 0.4 * Math.random()));
    });
  }
  // A request under way may take longer than the lease has left.
  const watch = setInterval(tell, 500);
  next();

  return {
    leading,
    gate() {
      if (!leading()) throw new NotLeader();
    },
    async stop() {
      stopping = true;
      clearTimeout(timer);
      clearInterval(watch);
      await running;
      if (!leading()) return;
      renewed = null;
      try {
        const current = await api.get<Lease>(LEASES, namespace, name);
        if (current.spec.holderIdentity !== identity) return;
        await api.replace<Lease>(LEASES, {
          ...current,
          spec: { ...current.spec, holderIdentity: '', leaseDurationSeconds: 1 },
        });
      } catch (error) {
        logger.warn({ reason: (error as Error).message }, 'the lease could not be released');
      }
    },
  };
}
