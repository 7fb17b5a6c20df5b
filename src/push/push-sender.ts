/**
 * Notifies browsers of the matches of favourite teams. One process at a time follows the event log for all of them, under a lease.
 * The index from a team to its browsers is in Postgres, so that a change of favourites counts at once and no browser has a place in memory.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { readPushKeys } from '../accounts/credentials/index.ts';
import { createLease, LeaseLost, leaseHolder } from '../db/lease.ts';
import type { LivenessLock } from '../db/liveness-lock.ts';
import { CursorExpired, type EventLog, type LogRecord } from '../events/index.ts';
import type { Clock } from '../runtime/clock.ts';
import { startLoop } from '../runtime/loop.ts';
import type { Sender } from '../webhooks/destinations/index.ts';
import { Messages, TTL_MS } from './messages.ts';
import { pushMetrics } from './metrics.ts';
import { mayBeNews, readNews } from './news.ts';
import { type FollowedNews, NewsQueue } from './news-queue.ts';
import { followedTeams, hasBrowsers, readPositions, savePositions } from './queries.ts';
import { type LaneDeps, ServiceLane } from './service-lane.ts';
import { SERVICE_NAMES } from './services.ts';

const LEASE = createLease('push_sender');
const STANDBY_MS = 3_000;
/** The lease is renewed this often, and without any browser the service looks for the first one. */
const TURN_MS = 2_000;
const RETRY_MS = 1_000;
const READ = { records: 500, bytes: 4 * 1024 * 1024 };

export interface PushDeps {
  pool: pg.Pool;
  log: Pick<EventLog, 'range' | 'read' | 'cursorBefore' | 'onAppend'>;
  clock: Clock;
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  livenessLock?: LivenessLock | undefined;
  secretKeys: readonly string[];
  /** Closed by the caller. */
  sender: Pick<Sender, 'send'>;
  /** The address by which push services can reach the operator: https: or mailto:. */
  subject: string;
  registry: Registry;
}

/** The work of the process that holds the lease. */
class Leading {
  readonly #deps: PushDeps;
  readonly #generation: number;
  readonly #queue: NewsQueue;
  readonly #lanes: readonly ServiceLane[];
  #hasBrowsers = false;
  #lookedAt = Number.NEGATIVE_INFINITY;

  private constructor(deps: PushDeps, generation: number, queue: NewsQueue, lanes: readonly ServiceLane[]) {
    this.#deps = deps;
    this.#generation = generation;
    this.#queue = queue;
    this.#lanes = lanes;
  }

  /** Continues at the stored positions, but not before the oldest event that is still news. */
  static async begin(deps: PushDeps, generation: number, shared: Pick<LaneDeps, 'count' | 'messages' | 'onLost'>) {
    const { pool, log, clock } = deps;
    const { head, oldest } = await log.range();
    const positions = await readPositions(pool, SERVICE_NAMES, head);
    const still = Math.max(oldest, await log.cursorBefore(clock.now() - TTL_MS));
    const first = Math.min(...[...positions.values()].map(({ cursor }) => cursor));
    const queue = new NewsQueue(Math.max(first, Math.min(still, head)));
    const save = () => leading.save();
    const lanes = [...positions].map(
      ([service, position]) => new ServiceLane(service, position, { ...deps, ...shared, queue, save }),
    );
    const leading = new Leading(deps, generation, queue, lanes);
    for (const lane of lanes) lane.start();
    return leading;
  }

  /** @returns milliseconds until the next turn, unless something is appended */
  async turn(): Promise<number> {
    const now = performance.now();
    if (now - this.#lookedAt >= TURN_MS) {
      await this.#look();
      this.#lookedAt = now;
    }
    if (this.#hasBrowsers && (await this.#read())) return 0;
    return Math.max(0, this.#lookedAt + TURN_MS - performance.now());
  }

  /** Looks whether there is any browser, and renews the lease. Without a browser, the log is not read. */
  async #look(): Promise<void> {
    const { pool, log } = this.#deps;
    this.#hasBrowsers = await hasBrowsers(pool);
    if (!this.#hasBrowsers) {
      const { head } = await log.range();
      this.#advance([], Math.max(this.#queue.reached, head));
    }
    await this.save();
  }

  #advance(news: readonly FollowedNews[], reached: number): void {
    this.#queue.add(news, reached);
    for (const lane of this.#lanes) lane.wake();
  }

  async #read(): Promise<boolean> {
    const { log, logger } = this.#deps;
    const queue = this.#queue;
    try {
      const records = await log.read(queue.reached, READ);
      if (records.length === 0) return false;
      this.#advance(await this.#followed(records), records.at(-1)!.cursor);
      return true;
    } catch (error) {
      if (!(error instanceof CursorExpired)) throw error;
      logger.warn('events were dropped from the log before fans were notified of them');
      this.#advance([], error.oldest);
      return true;
    }
  }

  /** Returns the news in these records that somebody follows. */
  async #followed(records: readonly LogRecord[]): Promise<FollowedNews[]> {
    const news = records.filter(mayBeNews).flatMap((record) => readNews(record) ?? []);
    if (news.length === 0) return [];
    const ids = await followedTeams(
      this.#deps.pool,
      news.flatMap(({ sides }) => sides),
    );
    return news.flatMap((one) => {
      const favourites = one.sides.flatMap((side) => ids.get(side) ?? []);
      return favourites.length === 0 ? [] : [{ ...one, favourites }];
    });
  }

  /** Saves all positions, and renews the lease. The positions are read under the lease's lock, so that a later save never goes back. */
  async save(): Promise<void> {
    const { pool } = this.#deps;
    await LEASE.transaction(pool, this.#generation, (db) =>
      savePositions(db, new Map(this.#lanes.map((lane) => [lane.service, lane.position]))),
    );
    this.#queue.dropUpTo(Math.min(...this.#lanes.map(({ position }) => position.cursor)));
  }

  /** Ends after the requests in flight. */
  async stop(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.stop()));
  }

  /** Saves, and lets the next process begin at once. */
  async release(): Promise<void> {
    await this.stop();
    await this.save();
    await LEASE.release(this.#deps.pool, this.#generation);
  }
}

/**
 * Returns the address by which push services can reach the operator. They accept https: and mailto: alone.
 * @param baseUrl `config.baseUrl`
 */
export const pushSubject = (baseUrl: string | undefined): string =>
  baseUrl?.startsWith('https:') ? baseUrl : 'mailto:operator@touchline.invalid';

/** Starts the sender. In every process but one it stands by. */
export function startPush(deps: PushDeps): { stop(): Promise<void> } {
  const { pool, log, logger, livenessLock, subject } = deps;
  const holder = leaseHolder();
  const count = pushMetrics(deps.registry, SERVICE_NAMES);
  let messages: Promise<Messages> | null = null;
  let leading: Leading | null = null;

  async function stepDown() {
    const former = leading;
    leading = null;
    await former?.stop();
  }
  const shared = {
    count,
    messages: () => {
      messages ??= readPushKeys(deps).then((keys) => new Messages(keys, subject));
      messages.catch(() => {
        messages = null;
      });
      return messages;
    },
    onLost: () => void stepDown(),
  };
  const loop = startLoop({
    async run() {
      if (leading === null) {
        const generation = await LEASE.take(pool, holder, livenessLock);
        if (generation === null) return STANDBY_MS;
        leading = await Leading.begin(deps, generation, shared);
      }
      return leading.turn();
    },
    onError(error) {
      if (!(error instanceof LeaseLost)) return false;
      logger.info('another process sends the notifications for browsers now');
      void stepDown();
      return true;
    },
    retryMs: RETRY_MS,
    failed: 'following the event log for notifications failed, retrying',
    recovered: 'notifications follow the event log again',
    logger,
  });
  const stopListening = log.onAppend(() => {
    if (leading !== null) loop.wake();
  });

  return {
    async stop() {
      stopListening();
      await loop.stop();
      await leading?.release().catch(() => {});
    },
  };
}
