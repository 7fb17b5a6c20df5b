/**
 * Sends news to the browsers of one push service, in the order of the log. Each service has an own position, so a service
 * that is away or asks for a pause does not delay the rest. News that is too old is skipped.
 */

import type pg from 'pg';
import type { Logger } from 'pino';
import { type PushAddress, removeGoneBrowsers } from '../accounts/credentials/index.ts';
import { decryptSecret } from '../accounts/index.ts';
import { LeaseLost } from '../db/lease.ts';
import type { Clock } from '../runtime/clock.ts';
import { type Loop, startLoop } from '../runtime/loop.ts';
import { createPause } from '../runtime/pause.ts';
import { parseRetryAfter } from '../webhooks/delivery/index.ts';
import type { Sender } from '../webhooks/destinations/index.ts';
import { type Message, type Messages, TTL_MS } from './messages.ts';
import type { Outcome } from './metrics.ts';
import type { FollowedNews, NewsQueue } from './news-queue.ts';
import { browsersAfter, type Position, type StoredBrowser } from './queries.ts';

/** Browsers that are read together. After a crash, as many may get a notification twice. */
const PAGE = 200;
/** Requests in flight to one push service. */
const IN_FLIGHT = 50;
/** Attempts for one browser. Requests without a reply do not count, because then the service is away. */
const ATTEMPTS = 5;
/** The pause after the first round with failures. It doubles up to the longest one. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** The longest pause that a push service may ask for. */
const LONGEST_REST_MS = 60 * 60_000;
/** How often a resting lane looks at the clock. */
const LOOK_MS = 500;

const TOO_MANY_REQUESTS = 429;
const UNAVAILABLE = 503;

export interface LaneDeps {
  pool: pg.Pool;
  clock: Clock;
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  secretKeys: readonly string[];
  sender: Pick<Sender, 'send'>;
  messages(): Promise<Messages>;
  queue: NewsQueue;
  count(service: string, outcome: Outcome, by?: number): void;
  /** Saves all positions under the lease. @throws {LeaseLost} */
  save(): Promise<void>;
  /** Called when the lease is lost. */
  onLost(error: LeaseLost): void;
}

interface Waiting {
  browser: StoredBrowser;
  /** Failed attempts that had a reply. */
  attempts: number;
}

/** The browsers of one page that have not had the news yet. */
interface Page {
  news: FollowedNews;
  waiting: Waiting[];
  lastId: number;
  /** Whether no browsers come after this page. */
  isLast: boolean;
  rounds: number;
}

/** `away` means that there was no reply. `away` and `busy` do not count as attempts. */
type Attempt = Outcome | 'away' | 'busy';

export class ServiceLane {
  readonly service: string;
  readonly #deps: LaneDeps;
  readonly #pause = createPause();
  #position: Position;
  #page: Page | null = null;
  /** In ms of the clock. */
  #restsUntil = Number.NEGATIVE_INFINITY;
  #stopped = false;
  #loop: Loop | null = null;

  constructor(service: string, position: Position, deps: LaneDeps) {
    this.service = service;
    this.#position = position;
    this.#deps = deps;
  }

  /** Up to where everything is done. A lane without work is where the reader is. */
  get position(): Position {
    const first = this.#page?.waiting[0];
    return first === undefined ? this.#position : before(this.#page!.news, first.browser.id - 1);
  }

  start(): void {
    const { logger, onLost } = this.#deps;
    this.#loop = startLoop({
      run: () => this.#run(),
      retryMs: FIRST_PAUSE_MS,
      failed: `sending notifications to ${this.service} failed, retrying`,
      recovered: `sending notifications to ${this.service} works again`,
      logger,
      onError(error) {
        if (!(error instanceof LeaseLost)) return false;
        onLost(error);
        return true;
      },
    });
  }

  wake(): void {
    this.#loop?.wake();
  }

  /** Stops after the requests in flight. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#loop?.stop();
  }

  /** @returns milliseconds until the next run */
  async #run(): Promise<number> {
    const { clock, queue, count, save } = this.#deps;
    this.#page ??= await this.#nextPage();
    const page = this.#page;
    if (page === null) return Number.POSITIVE_INFINITY;
    const now = clock.now();
    const age = Math.max(0, now - page.news.at);
    if (age >= TTL_MS) {
      count(this.service, 'expired', page.waiting.length);
      this.#finish({ ...page, isLast: true });
      return 0;
    }
    if (now < this.#restsUntil) return Math.min(LOOK_MS, this.#restsUntil - now);
    await this.#round(page, TTL_MS - age);
    if (page.waiting.length > 0) return this.#stopped ? 0 : LOOK_MS;
    this.#finish(page);
    await save();
    return queue.after(this.#position.cursor) === undefined ? Number.POSITIVE_INFINITY : 0;
  }

  /** Moves the position behind the page. After the last page, moves it behind the news. */
  #finish({ news, lastId, isLast }: Page): void {
    this.#position = isLast ? { cursor: news.cursor, browserId: 0 } : before(news, lastId);
    this.#page = null;
  }

  /** Returns the next browsers that get news; null if everything that was read is done. */
  async #nextPage(): Promise<Page | null> {
    const { pool, queue } = this.#deps;
    for (;;) {
      const news = queue.after(this.#position.cursor);
      if (news === undefined) {
        // There is no `await` between the two reads of the queue, so no news is skipped.
        if (queue.reached > this.#position.cursor) this.#position = { cursor: queue.reached, browserId: 0 };
        return null;
      }
      const { cursor, browserId } = this.#position;
      const after = news.cursor === cursor + 1 ? browserId : 0;
      const found = await browsersAfter(pool, this.service, after, news.favourites, PAGE);
      const isLast = found.length < PAGE;
      if (found.length > 0) {
        const waiting = found.map((browser) => ({ browser, attempts: 0 }));
        return { news, waiting, lastId: found.at(-1)!.id, isLast, rounds: 0 };
      }
      this.#position = { cursor: news.cursor, browserId: 0 };
    }
  }

  /** Tries each waiting browser of a page once, until the service asks for a pause. */
  async #round(page: Page, ttlMs: number): Promise<void> {
    const { pool, clock, count } = this.#deps;
    const messages = await this.#deps.messages();
    const rests: number[] = [];
    const gone: number[] = [];
    const left = new Set(page.waiting);
    const work = async (taken: Iterator<Waiting>) => {
      while (rests.length === 0 && !this.#stopped) {
        const { value: one, done } = taken.next();
        if (done) return;
        await this.#pause();
        const { attempt, restMs } = await this.#send(messages, one, page, ttlMs);
        if (restMs !== null) rests.push(restMs);
        if (attempt === 'away' || attempt === 'busy') continue;
        one.attempts += 1;
        if (attempt === 'failed' && one.attempts < ATTEMPTS) continue;
        count(this.service, attempt);
        left.delete(one);
        if (attempt === 'gone') gone.push(one.browser.id);
      }
    };
    const taken = page.waiting.values();
    await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, page.waiting.length) }, () => work(taken)));
    if (gone.length > 0) await removeGoneBrowsers(pool, gone);
    page.rounds += 1;
    page.waiting = page.waiting.filter((one) => left.has(one));
    const own = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (page.rounds - 1));
    if (page.waiting.length > 0 && !this.#stopped) this.#restsUntil = clock.now() + Math.max(0, ...rests, own);
  }

  async #send(
    messages: Messages,
    { browser, attempts }: Waiting,
    { news }: Page,
    ttlMs: number,
  ): Promise<{ attempt: Attempt; restMs: number | null }> {
    const { secretKeys, sender, clock } = this.#deps;
    let message: Message;
    try {
      const address = JSON.parse(decryptSecret(browser.secret, secretKeys)) as PushAddress;
      message = await messages.create(address, browser.lang, news, ttlMs, Date.now());
    } catch {
      // The error is not logged, because the text may contain the endpoint. The browser has to subscribe again.
      return { attempt: 'refused', restMs: null };
    }
    const { url, headers, body } = message;
    const { status, cause, retryAfter } = await sender.send(url, headers, body, attempts + 1);
    if (status === null) return { attempt: cause === 'address' ? 'refused' : 'away', restMs: null };
    if (status === TOO_MANY_REQUESTS || (status === UNAVAILABLE && retryAfter !== null)) {
      const asked = parseRetryAfter(retryAfter, clock.now()) ?? LONGEST_PAUSE_MS;
      return { attempt: 'busy', restMs: Math.min(LONGEST_REST_MS, Math.max(FIRST_PAUSE_MS, asked)) };
    }
    return { attempt: outcomeOfStatus(status), restMs: null };
  }
}

/** The position at which a piece of news is done for the browsers up to `browserId`. */
const before = ({ cursor }: FollowedNews, browserId: number): Position => ({ cursor: cursor - 1, browserId });

function outcomeOfStatus(status: number): Outcome {
  if (status >= 200 && status < 300) return 'sent';
  if (status === 404 || status === 410) return 'gone';
  return status >= 400 && status < 500 ? 'refused' : 'failed';
}
