/**
 * How many streams one account holds open, over all processes: each holds a slot, a row that is renewed and otherwise expires. Without
 * Postgres the connections of this process stay, and new ones are admitted by what it counts itself.
 */
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Queryable } from '../db/postgres.ts';
import { claimSlots, dropExpiredSlots, releaseSlots, renewSlots, type SlotAnswer, type SlotClaim } from './queries.ts';

/** A slot of a process that has died is free again after this time. */
export const LEASE_TTL_MS = 30_000;
/** Slots are renewed this often; so long may a connection stay that has lost its slot to another process. */
export const LEASE_RENEWAL_MS = 10_000;
/** Postgres that takes longer to answer counts as away. */
const PATIENCE_MS = 2_000;
/** Claims in one statement. */
const BATCH_CLAIMS = 1_000;
/** A free slot may be lost to another process this often before none counts as free. */
const MAX_TRIES = 20;
/** Renewals between two looks for rows that nobody holds any more. */
const SWEEP_EVERY = 30;

export type LeaseRequest = Omit<SlotClaim, 'holder'>;

/** Why a connection has to go: its client has come back, there are too many now that Postgres counts again, the key is no longer good. */
export type LeaseLoss = 'replaced' | 'full' | 'revoked';

/** The connection that has a lease. */
export interface LeaseHolder {
  /** It has to end: called at most once, and there is nothing left to release then. */
  lost(why: LeaseLoss): void;
}

export interface Lease {
  /** May be called again. */
  release(): void;
}

export interface Leases {
  /** @returns the lease, or why there is none */
  take(request: LeaseRequest, connection: LeaseHolder): Promise<Lease | 'full' | 'revoked'>;
  /** Leases held, and claims and releases under way. */
  held(): number;
  /** Gives all slots back. */
  close(): Promise<void>;
}

export interface LeaseOptions {
  pool: Queryable;
  logger: Pick<Logger, 'warn' | 'info'>;
  ttlMs?: number | undefined;
  renewalMs?: number | undefined;
  patienceMs?: number | undefined;
}

/** A class for its size: there is one for each connection. */
class Holding implements SlotClaim, Lease {
  readonly subject: string;
  readonly slots: number;
  readonly client: string | null;
  readonly keyId: number | null;
  /** null: counted by this process alone, until Postgres is back. */
  slot: number | null = null;
  released = false;

  readonly holder: string;
  readonly connection: LeaseHolder;
  private readonly giveBack: (holding: Holding) => void;

  constructor(
    { subject, slots, client, keyId }: LeaseRequest,
    holder: string,
    connection: LeaseHolder,
    giveBack: (holding: Holding) => void,
  ) {
    this.holder = holder;
    this.connection = connection;
    this.giveBack = giveBack;
    this.subject = subject;
    this.slots = slots;
    this.client = client;
    this.keyId = keyId;
  }

  release(): void {
    this.giveBack(this);
  }
}

type Outcome = 'taken' | 'full' | 'revoked';

interface Claim {
  holding: Holding;
  tries: number;
  settle: (outcome: Outcome) => void;
}

export function openLeases(options: LeaseOptions): Leases {
  const { pool, logger, ttlMs = LEASE_TTL_MS, renewalMs = LEASE_RENEWAL_MS, patienceMs = PATIENCE_MS } = options;
  const processName = randomBytes(9).toString('base64url');
  let connections = 0;
  const holdings = new Map<string, Set<Holding>>();
  let claims: Claim[] = [];
  let releases: Holding[] = [];
  let renewalDue = false;
  let renewals = 0;
  let away = false;
  let closed = false;
  let working = false;
  let work: Promise<void> = Promise.resolve();

  const held = () => [...holdings.values()].flatMap((same) => [...same]);
  const sameClient = (one: SlotClaim, other: SlotClaim) => one.client !== null && one.client === other.client;

  function keep(holding: Holding): void {
    const same = holdings.get(holding.subject);
    if (same === undefined) holdings.set(holding.subject, new Set([holding]));
    else same.add(holding);
  }

  /** @returns whether it was held */
  function drop(holding: Holding): boolean {
    const same = holdings.get(holding.subject);
    if (same === undefined || !same.delete(holding)) return false;
    if (same.size === 0) holdings.delete(holding.subject);
    holding.released = true;
    return true;
  }

  function lose(holding: Holding, why: LeaseLoss): void {
    if (drop(holding)) holding.connection.lost(why);
  }

  function release(holding: Holding): void {
    if (!drop(holding) || away) return;
    releases.push(holding);
    wake();
  }

  // ---- one statement at a time; what comes in the meantime goes into the next

  function wake(): void {
    if (working) return;
    working = true;
    work = run();
  }

  async function run(): Promise<void> {
    while (renewalDue || releases.length > 0 || claims.length > 0) {
      try {
        await step();
        if (away) logger.info('streams are counted over all processes again');
        away = false;
      } catch (error) {
        countAlone(error);
      }
    }
    working = false;
  }

  async function step(): Promise<void> {
    if (releases.length > 0) {
      const gone = releases;
      releases = [];
      await inTime(releaseSlots(pool, gone));
    } else if (renewalDue) {
      renewalDue = false;
      await renew();
    } else await claim(nextClaims());
  }

  async function inTime<T>(answer: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${patienceMs} ms`)), patienceMs);
    });
    answer.catch(() => {});
    return Promise.race([answer, tooLong]).finally(() => clearTimeout(timer));
  }

  function countAlone(error: unknown): void {
    if (!away) logger.warn({ err: error }, 'streams are counted by this process alone');
    away = true;
    // Rows that are not renewed expire.
    releases = [];
    const waiting = claims;
    claims = [];
    for (const one of waiting) settleAlone(one);
  }

  // ---- claims

  /** Of one client one claim at a time: the second is to find the first one's slot. */
  function nextClaims(): Claim[] {
    const named = new Set<string>();
    const batch: Claim[] = [];
    const later: Claim[] = [];
    for (const one of claims) {
      const { subject, client } = one.holding;
      const name = client === null ? null : JSON.stringify([subject, client]);
      if (batch.length === BATCH_CLAIMS || (name !== null && named.has(name))) later.push(one);
      else batch.push(one);
      if (name !== null) named.add(name);
    }
    claims = later;
    return batch;
  }

  async function claim(batch: readonly Claim[]): Promise<void> {
    let answers: Map<string, SlotAnswer>;
    try {
      const rows = await inTime(
        claimSlots(
          pool,
          batch.map(({ holding }) => holding),
          ttlMs,
        ),
      );
      answers = new Map(rows.map((row) => [row.holder, row]));
    } catch (error) {
      claims.unshift(...batch);
      throw error;
    }
    for (const one of batch) answer(one, answers.get(one.holding.holder)!);
  }

  function answer(one: Claim, { permitted, tried, slot }: SlotAnswer): void {
    if (!permitted) settle(one, 'revoked');
    else if (slot !== null) {
      one.holding.slot = slot;
      settle(one, 'taken');
    } else if (tried !== null && one.tries < MAX_TRIES) claims.push({ ...one, tries: one.tries + 1 });
    else settle(one, 'full');
  }

  function settle({ holding, settle: tell }: Claim, outcome: Outcome): void {
    if (outcome === 'taken' && holding.released) releases.push(holding);
    else if (outcome === 'taken') {
      // The client's connection of before makes room at once.
      for (const other of holdings.get(holding.subject) ?? []) {
        if (other !== holding && sameClient(other, holding)) lose(other, 'replaced');
      }
      keep(holding);
    }
    tell(outcome);
  }

  function settleAlone(one: Claim): void {
    const { holding } = one;
    const others = [...(holdings.get(holding.subject) ?? [])].filter(
      (other) => other !== holding && !sameClient(other, holding),
    );
    settle(one, others.length < holding.slots ? 'taken' : 'full');
  }

  // ---- renewal

  async function renew(): Promise<void> {
    const before = held();
    const placed = before.filter((holding): holding is Holding & { slot: number } => holding.slot !== null);
    if (placed.length > 0 || away) {
      const kept = await inTime(renewSlots(pool, placed, ttlMs));
      for (const holding of placed) if (!kept.has(holding.holder)) lose(holding, 'replaced');
    }
    for (const holding of before) {
      if (holding.slot !== null || holding.released) continue;
      const settle = (outcome: Outcome) => {
        if (outcome !== 'taken') lose(holding, outcome);
      };
      claims.push({ holding, tries: 0, settle });
    }
    renewals += 1;
    if (renewals % SWEEP_EVERY === 0) await inTime(dropExpiredSlots(pool));
  }
  const timer = setInterval(() => {
    renewalDue = true;
    wake();
  }, renewalMs);
  timer.unref();

  return {
    held: () => held().length + claims.length + releases.length,

    take(request, connection) {
      if (closed) return Promise.resolve({ release: () => {} });
      connections += 1;
      const holding = new Holding(request, `${processName}-${connections}`, connection, release);
      return new Promise((resolve) => {
        const settle = (outcome: Outcome) => resolve(outcome === 'taken' ? holding : outcome);
        const one: Claim = { holding, tries: 0, settle };
        if (away) settleAlone(one);
        else {
          claims.push(one);
          wake();
        }
      });
    },

    async close() {
      closed = true;
      clearInterval(timer);
      for (const holding of held()) release(holding);
      while (working) await work;
    },
  };
}
