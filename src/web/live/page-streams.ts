/** The page streams in this process: their limits, their content, and how they end when a member's session ends. */
import type { Logger } from 'pino';
import { lastingSessions } from '../../accounts/credentials/index.ts';
import type { MatchChanges } from '../../db/notices.ts';
import type { Queryable } from '../../db/postgres.ts';
import { promptQueries } from '../../db/prompt-queries.ts';
import { maskAddress, Problem, retryAfter } from '../../http/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { startChecks } from '../../runtime/loop.ts';
import type { LiveConnection, Owner, StreamMetrics } from '../../stream/index.ts';
import type { SiteViewer } from '../site-access.ts';
import { ShownMatches } from './front-page-matches.ts';

/** Maximum number of streams from one client address. In a school class behind one address, each pupil needs a tab, and some open more. */
const STREAMS_PER_ADDRESS = 100;
/** Maximum number of streams in one process. It is less than a tenth of the key streams that a process can serve. */
const STREAMS_IN_TOTAL = 1_000;
/** When a refused page may try again. Meanwhile it polls. */
const RETRY_AFTER_SECONDS = 30;
/** Interval between checks on the sessions of members with open streams. */
const CHECK_EVERY_MS = 2_000;
/** An ended session's streams close within this time if Postgres answers the check within 3 s. */
const ENDED_WITHIN_MS = 5_000;

export interface LivePagesOptions {
  pool: Queryable;
  clock: Clock;
  logger: Pick<Logger, 'error' | 'info'>;
  /** Checks sessions on the connection that receives notices. */
  notices?: Pick<MatchChanges, 'ask'>;
  metrics?: Pick<StreamMetrics, 'refused'>;
  checkEveryMs?: number;
}

/** One page's stream. It is a class without closures, which keeps the memory for each stream small. */
export class LivePage implements Owner {
  readonly viewer: SiteViewer;
  readonly network: string;
  readonly isFrontPage: boolean;
  readonly #pages: LivePages;
  #connection: Pick<LiveConnection, 'end'> | null = null;
  #isOver = false;

  constructor(pages: LivePages, network: string, viewer: SiteViewer, isFrontPage: boolean) {
    this.#pages = pages;
    this.network = network;
    this.viewer = viewer;
    this.isFrontPage = isFrontPage;
  }

  opened(connection: Pick<LiveConnection, 'end'>): void {
    this.#connection = connection;
    if (this.#isOver) connection.end('revoked');
  }

  /** Closes the stream when its viewer loses access to the site. */
  dismiss(): void {
    this.#isOver = true;
    this.#connection?.end('revoked');
  }

  /** Idempotent. Call it when the client has disconnected. */
  left(): void {
    this.#pages.remove(this);
  }
}

/** Runs until `close`. */
export class LivePages {
  readonly shown: ShownMatches;
  readonly #options: LivePagesOptions;
  readonly #open = new Set<LivePage>();
  readonly #byNetwork = new Map<string, number>();
  /** Members' streams on a non-public site, by session. */
  readonly #members = new Map<string, Set<LivePage>>();
  readonly #db: Queryable;
  readonly #checks: { stop(): void };

  constructor(options: LivePagesOptions) {
    const { pool, notices, logger, checkEveryMs = CHECK_EVERY_MS } = options;
    this.#db = promptQueries(pool, notices);
    this.#options = options;
    this.shown = new ShownMatches(pool);
    this.#checks = startChecks({
      everyMs: checkEveryMs,
      check: () => this.#checkSessions(),
      reportAfterMs: ENDED_WITHIN_MS,
      failed: 'the sessions of open pages cannot be checked: ended sessions keep their streams until Postgres answers',
      recovered: 'the sessions of open pages are checked again',
      logger,
    });
  }

  /** Number of stored entries. It is 0 when there are no streams. */
  get size(): number {
    return this.#open.size + this.#byNetwork.size + this.#members.size;
  }

  /**
   * @param address client address
   * @throws {Problem} too_many_connections
   */
  async enter(address: string, viewer: SiteViewer, isFrontPage: boolean): Promise<LivePage> {
    const network = maskAddress(address);
    if ((this.#byNetwork.get(network) ?? 0) >= STREAMS_PER_ADDRESS)
      throw this.#refusal(STREAMS_PER_ADDRESS, 'from one address');
    if (this.#open.size >= STREAMS_IN_TOTAL) throw this.#refusal(STREAMS_IN_TOTAL, 'in all');
    const page = new LivePage(this, network, viewer, isFrontPage);
    this.#add(page);
    if (!isFrontPage) return page;
    try {
      await this.shown.follow();
    } catch (error) {
      this.#forget(page);
      throw error;
    }
    return page;
  }

  remove(page: LivePage): void {
    if (this.#forget(page) && page.isFrontPage) this.shown.unfollow();
  }

  async close(): Promise<void> {
    this.#checks.stop();
    await this.shown.close();
  }

  #refusal(limit: number, where: string): Problem {
    this.#options.metrics?.refused('too_many_connections');
    return new Problem('too_many_connections', `At most ${limit} page streams can be open ${where}.`, {
      headers: retryAfter(RETRY_AFTER_SECONDS),
    });
  }

  #add(page: LivePage): void {
    const { network, viewer } = page;
    this.#open.add(page);
    this.#byNetwork.set(network, (this.#byNetwork.get(network) ?? 0) + 1);
    if (viewer === null) return;
    const session = viewer.sessionHash.toString('hex');
    const same = this.#members.get(session) ?? new Set();
    this.#members.set(session, same.add(page));
  }

  /** @returns false if the page had already been removed */
  #forget(page: LivePage): boolean {
    if (!this.#open.delete(page)) return false;
    const { network, viewer } = page;
    const left = this.#byNetwork.get(network)! - 1;
    if (left === 0) this.#byNetwork.delete(network);
    else this.#byNetwork.set(network, left);
    const session = viewer?.sessionHash.toString('hex');
    const same = session === undefined ? undefined : this.#members.get(session);
    same?.delete(page);
    if (same?.size === 0) this.#members.delete(session!);
    return true;
  }

  async #checkSessions(): Promise<void> {
    if (this.#members.size === 0) return;
    const before = [...this.#members.keys()];
    const lasting = await lastingSessions(
      this.#db,
      this.#options.clock.now(),
      before.map((session) => Buffer.from(session, 'hex')),
    );
    for (const session of before) {
      if (lasting.has(session)) continue;
      for (const page of this.#members.get(session) ?? []) page.dismiss();
    }
  }
}
