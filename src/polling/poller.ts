/**
 * Polls one public source. Sends the requests that are due, reads the replies, applies the updates, and keeps the known
 * state. A bad reply never removes anything from the stored matches.
 */
import type { ApplyDeps } from '../apply/index.ts';
import type { PlannedRequest, Provider, ProviderReply, ProviderUpdate, Reading } from '../providers/provider.ts';
import {
  type Outcome,
  type PolledMetrics,
  type Reply,
  requestJson,
  Source,
  SourceError,
  type SourceEvent,
  type SourceOptions,
  saveReport,
  usedBudgets,
} from '../sources/index.ts';
import { DAY_MS } from '../wire/time.ts';
import { type Asked, drawJitter, dueAt, stretchFor, validatorsFor } from './due-requests.ts';
import { ProviderScope } from './scope.ts';
import { SourceLog } from './source-log.ts';
import { sourceUrl } from './source-url.ts';
import { readScopes, saveScope } from './store.ts';
import { ProviderStreams, type WantedStream } from './streams.ts';
import { UpdateQueue } from './update-queue.ts';

/** Maximum number of simultaneous requests. */
const PARALLEL = 8;
/** Maximum number of requests in a turn. After a turn, the lease and the budget are checked again. */
const MOST_REQUESTS = 64;
/** Share of the daily budget that requests may use if no live match depends on them. */
const CALENDAR_SHARE = 0.7;
/** Longest pause after failures, while a match is live and at other times. */
const LIVE_BACKOFF_MS = 20_000;
const IDLE_BACKOFF_MS = 3_600_000;
/** Shortest pause between two turns. Requests become due as time passes. */
const SHORTEST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** Time between two saves. After a crash, the requests since the last save are sent again. */
const SAVE_EVERY_MS = 5_000;
/**
 * If a match is already finished when it is read for the first time, and began longer ago than this, no events are
 * sent.
 */
const NEWS_MS = DAY_MS;
/** Statuses that concern only the requested path: the source does not have the page yet, or no longer has it. */
const REFUSALS = [400, 404, 410];

export interface PollerDeps extends Pick<SourceOptions, 'clock' | 'logger' | 'transact'> {
  /** Applies the updates to matches. */
  apply: ApplyDeps;
  /** Address that replaces the source's address, without a trailing slash. */
  url?: string | undefined;
  /** Address for server-sent events, if the source has any. */
  eventsUrl?: string | undefined;
  /** An operator's address. Requests contain it, so that the source's owner can write to the operator. */
  contact?: string | undefined;
  /** Requests per day (UTC). */
  dailyRequests: number;
  metrics: PolledMetrics;
}

interface Due {
  scope: ProviderScope;
  request: PlannedRequest;
  asked: Asked | undefined;
}

export class Poller {
  readonly #deps: PollerDeps;
  readonly #provider: Provider;
  readonly #scopeNames: readonly (string | null)[];
  readonly #source: Source;
  readonly #updates: UpdateQueue;
  readonly #log: SourceLog;
  readonly #streams: ProviderStreams | null;
  #scopes: ProviderScope[] | null = null;
  #isLive = false;
  /** Interval factor for requests that take from the budget. */
  #stretch = 1;
  /** Whether all requests in the last turn failed. */
  #hasFailed = false;
  #savedAt = Number.NEGATIVE_INFINITY;

  /** @param scopes null means the source as a whole */
  constructor(deps: PollerDeps, provider: Provider, scopes: readonly (string | null)[]) {
    this.#deps = deps;
    this.#provider = provider;
    this.#scopeNames = scopes;
    const { clock, logger, metrics, transact } = deps;
    this.#log = new SourceLog({ clock, logger, metrics, title: provider.title });
    this.#source = new Source({
      name: provider.name,
      dailyRequests: deps.dailyRequests,
      clock,
      logger,
      count: metrics.request,
      failed: `${provider.title} did not answer as expected, will ask again`,
      recovered: `${provider.title} answers again`,
      longestBackoffMs: () => (this.#isLive ? LIVE_BACKOFF_MS : IDLE_BACKOFF_MS),
      transact,
    });
    this.#updates = new UpdateQueue({
      provider: provider.name,
      apply: deps.apply,
      changed: (count) => this.#log.changed(count),
      rejected: (errors) => {
        const unknown = errors.map(({ path, detail }) => ({ path, value: detail }));
        this.#log.notUnderstood('update', unknown);
      },
    });
    this.#streams =
      deps.eventsUrl === undefined
        ? null
        : new ProviderStreams({
            clock,
            url: deps.eventsUrl,
            contact: deps.contact,
            receive: (stream, event) => this.#receive(stream, event),
            failed: ({ path }, error) => this.#log.failed(path, error),
          });
  }

  /**
   * Sends the requests that are due, and renews the lease.
   * @returns how many requests were sent, and the pause in ms until more may be due
   * @throws {LeaseLost}
   */
  async turn(signal: AbortSignal): Promise<{ asked: number; pauseMs: number }> {
    const { clock } = this.#deps;
    this.#scopes ??= await this.#loadScopes();
    const isBlocked = await this.#source.isBlocked();
    const now = clock.now();
    const { due, nextAt, isLive } = this.#plan(now);
    this.#isLive = isLive;
    this.#streams?.sync(this.#wantedStreams());
    const affordable = isBlocked ? [] : await this.#afford(due);
    if (affordable.length > 0) await this.#askAll(affordable, signal);
    this.#applySignsOfLife();
    await this.#drain();
    if (now - this.#savedAt >= SAVE_EVERY_MS) await this.#save(now);
    const asked = affordable.length;
    const pauseMs = Math.min(Math.max(nextAt - now, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
    return { asked, pauseMs: asked > 0 ? SHORTEST_PAUSE_MS : pauseMs };
  }

  /** Closes the open connections. */
  end(): void {
    this.#streams?.close();
  }

  #wantedStreams(): WantedStream[] {
    const now = this.#deps.clock.now();
    return this.#scopes!.flatMap(
      ({ name, known }) => this.#provider.streams?.(now, known).map(({ path }) => ({ scope: name, path })) ?? [],
    );
  }

  /** Reads a server-sent event. */
  #receive({ scope: name, path }: WantedStream, { event, data }: SourceEvent): void {
    const scope = this.#scopes?.find((one) => one.name === name);
    if (scope === undefined) return;
    const receivedAt = this.#deps.clock.now();
    try {
      this.#read(scope, { path, body: JSON.parse(data), event, receivedAt, sourceTime: null }, false);
    } catch (error) {
      // The event is not JSON, or has an unknown form. For example, the source may send comments.
      this.#log.notUnderstood(path, [{ path: event, value: `${(error as Error).message}: ${data.slice(0, 100)}` }]);
    }
  }

  async #loadScopes(): Promise<ProviderScope[]> {
    const { transact } = this.#deps;
    const { name, knownVersion } = this.#provider;
    const stored = await transact((client) => readScopes(client, name, knownVersion));
    return this.#scopeNames.map((scope) => new ProviderScope(this.#provider, scope, stored.get(scope ?? '')));
  }

  #plan(now: number): { due: Due[]; nextAt: number; isLive: boolean } {
    const due: Due[] = [];
    let nextAt = Number.POSITIVE_INFINITY;
    let isLive = false;
    for (const scope of this.#scopes!) {
      for (const request of scope.requests(now)) {
        isLive ||= request.isLive === true;
        const asked = scope.asked.get(request.path);
        const at = dueAt(request, asked, this.#stretch);
        if (at <= now) due.push({ scope, request, asked });
        else nextAt = Math.min(nextAt, at);
      }
    }
    due.sort((a, b) => Number(b.request.isLive ?? false) - Number(a.request.isLive ?? false));
    return { due: due.slice(0, MOST_REQUESTS), nextAt, isLive };
  }

  /**
   * Takes the requests from the daily budget. Returns those for which the budget suffices. The rest are due again at
   * the next turn.
   */
  async #afford(due: readonly Due[]): Promise<Due[]> {
    const isLive = ({ request }: Due) => request.isLive === true;
    const groups = [
      { requests: due.filter(isLive), share: 1 },
      { requests: due.filter((one) => !isLive(one)), share: CALENDAR_SHARE },
    ];
    const affordable: Due[] = [];
    for (const { requests, share } of groups) {
      for (const one of await this.#take(requests, share)) affordable.push(one);
    }
    return affordable;
  }

  async #take(requests: readonly Due[], share: number): Promise<readonly Due[]> {
    const cost = requests.reduce((sum, { request }) => sum + (request.cost ?? 1), 0);
    if (cost === 0 || (await this.#source.take(cost, share))) return requests;
    if (requests.length === 1) return [];
    const half = Math.ceil(requests.length / 2);
    const free = requests.filter(({ request }) => request.cost === 0);
    const first = await this.#take(requests.slice(0, half), share);
    return first.length === 0 ? free : [...first, ...(await this.#take(requests.slice(half), share))];
  }

  async #askAll(due: readonly Due[], signal: AbortSignal): Promise<void> {
    const outcomes: Outcome[] = [];
    const open = [...due];
    const work = async () => {
      for (let one = open.shift(); one !== undefined && !signal.aborted; one = open.shift())
        outcomes.push(await this.#ask(one, signal));
    };
    await Promise.all(Array.from({ length: Math.min(PARALLEL, due.length) }, work));
    const hasFailed = outcomes.every((outcome) => typeof outcome !== 'string');
    // If the only request fails, perhaps only its path is broken. In this case, the source counts as down only if the
    // last turn failed as well.
    await this.#source.record(outcomes, outcomes.length > 1 || this.#hasFailed);
    this.#hasFailed = hasFailed;
  }

  async #ask({ scope, request, asked }: Due, signal: AbortSignal): Promise<Outcome> {
    const { clock, url, contact } = this.#deps;
    const at = clock.now();
    const next: Asked = { ...asked, at, failures: 0, jitter: drawJitter() };
    if (request.version !== undefined) next.version = request.version;
    let reply: Reply | null;
    try {
      reply = await requestJson(sourceUrl(this.#provider, request.path, url), {
        stopped: signal,
        maxBytes: this.#provider.maxBytes,
        previous: validatorsFor(request, asked, at),
        contact,
        refusals: REFUSALS,
      });
      if (reply !== null) {
        const { json, sourceTime, validators } = reply;
        const receivedAt = clock.now();
        this.#read(scope, { path: request.path, body: json, receivedAt, sourceTime }, asked === undefined);
        next.whole = { at: receivedAt, validators };
      }
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      this.#log.failed(request.path, error);
      scope.setAsked(request, { ...next, version: asked?.version, failures: (asked?.failures ?? 0) + 1 });
      return error;
    }
    this.#log.answered(at);
    scope.setAsked(request, next);
    return reply === null ? 'unchanged' : 'ok';
  }

  /**
   * Reads a reply and begins to apply the updates.
   * @param isFirst whether the path is read for the first time, so that old matches cause no events
   * @throws {SourceError} if the reply is unusable
   */
  #read(scope: ProviderScope, reply: ProviderReply, isFirst: boolean): void {
    let reading: Reading<unknown> | string;
    try {
      reading = this.#provider.updates(reply, scope.known);
    } catch (error) {
      // A reply with an unforeseen shape must not end the job.
      reading = `cannot be read: ${(error as Error).message}`;
      this.#deps.logger.warn({ err: error, path: reply.path }, `${this.#provider.title}: a reply cannot be read`);
    }
    if (typeof reading === 'string') throw new SourceError('misunderstood', reading);
    this.#log.notUnderstood(reply.path, reading.unknown);
    const news: ProviderUpdate[] = [];
    const history: ProviderUpdate[] = [];
    for (const update of reading.updates) (isFirst && isOld(update, reply.receivedAt) ? history : news).push(update);
    scope.learn(reading.known, reading.updates, reply.receivedAt);
    this.#updates.add(history, reply.receivedAt, false);
    this.#updates.add(news, reply.receivedAt, true);
  }

  /**
   * Waits until all updates have been applied. If an update could not be applied, the state since the last save is
   * dropped, so that the same replies are requested again.
   */
  async #drain(): Promise<void> {
    try {
      await this.#updates.drain();
    } catch (error) {
      this.#scopes = null;
      throw error;
    }
  }

  /** Confirms live matches without news. As long as the source answers, they still count as in progress. */
  #applySignsOfLife(): void {
    const now = this.#deps.clock.now();
    for (const scope of this.#scopes!) this.#updates.add(scope.signsOfLife(now), now, true);
  }

  /** Saves the known state. All updates from replies must be applied first, because a crash would otherwise lose them. */
  async #save(now: number): Promise<void> {
    const { name, knownVersion } = this.#provider;
    const { dailyRequests } = this.#deps;
    const scopes = this.#scopes!.filter(({ isChanged }) => isChanged).map((scope) => ({
      name: scope.name ?? '',
      stored: scope.takeStored(),
    }));
    const report = this.#log.report(dailyRequests);
    const used = await this.#deps.transact(async (client) => {
      for (const scope of scopes) await saveScope(client, name, scope.name, knownVersion, scope.stored);
      await saveReport(client, name, report);
      return (await usedBudgets(client, now)).get(name) ?? 0;
    });
    this.#stretch = stretchFor(used / dailyRequests);
    this.#log.saved(report);
    this.#savedAt = now;
  }
}

function isOld(update: ProviderUpdate, now: number): boolean {
  if (update.kind !== 'match') return false;
  const { status, scheduled_start } = update.match;
  return status === 'finished' && scheduled_start !== undefined && now - Date.parse(scheduled_start) > NEWS_MS;
}
