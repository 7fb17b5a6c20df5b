/** Fetches the weather for matches, in one process. A step sends at most one request, so that the fetcher can stop at any time. */
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { MatchChanges } from '../db/notices.ts';
import type { Clock } from '../runtime/clock.ts';
import { type RequestResult, Source } from '../sources/index.ts';
import { weatherBlock } from './block.ts';
import { type Hours, isKnown, OPEN_METEO } from './open-meteo.ts';
import * as queries from './queries.ts';
import {
  archiveRequests,
  forecastRequests,
  locationKey,
  requestCost,
  type Target,
  type WeatherRequest,
} from './requests.ts';
import { forecastEvery, nextAt } from './schedule.ts';

/** Interval between checks for matches that were moved or whose forecast is due. */
const PLAN_EVERY_MS = 60_000;
/** Interval between checks for played matches. There is no check while requests from the last one are waiting. */
const ARCHIVE_EVERY_MS = 600_000;
/** Interval between checks for matches whose weather has to be removed. */
const TIDY_EVERY_MS = 3_600_000;
/** Maximum number of matches per check. */
const MOST_TARGETS = 1_000;
/** Maximum share of the daily budget for played matches. Forecasts need the rest. */
const ARCHIVE_SHARE = 0.5;
/** Number of places whose last forecast is kept in memory (16 MB) for matches that are added or moved later. */
const CACHED_PLACES = 500;

export interface FetcherDeps {
  pool: pg.Pool;
  clock: Clock;
  changes: Pick<MatchChanges, 'publish'>;
  logger: Pick<Logger, 'info' | 'warn'>;
  /** @throws {SourceError} */
  ask(request: WeatherRequest): Promise<Hours>;
  /** Counts a request and its outcome. */
  count(outcome: RequestResult): void;
  /** Requests per day. */
  dailyRequests: number;
}

/** What a step did. After `asked`, more work may be waiting; after `idle`, there is none. */
export type Step = 'asked' | 'idle';

export class WeatherFetcher {
  readonly #deps: FetcherDeps;
  readonly #generation: number;
  readonly #source: Source;
  readonly #forecasts = new LRUCache<string, { hours: Hours; at: number }>({ max: CACHED_PLACES });
  #due: WeatherRequest[] = [];
  #archive: WeatherRequest[] = [];
  #planAt = Number.NEGATIVE_INFINITY;
  #archiveAt = Number.NEGATIVE_INFINITY;
  #tidyAt = Number.NEGATIVE_INFINITY;

  /** @param generation the lease's generation */
  constructor(deps: FetcherDeps, generation: number) {
    this.#deps = deps;
    this.#generation = generation;
    const { clock, logger, count, dailyRequests } = deps;
    this.#source = new Source({
      name: OPEN_METEO,
      dailyRequests,
      clock,
      logger,
      count,
      failed: 'the weather source did not answer as expected, will ask again later',
      recovered: 'the weather source answers again',
      transact: (work) => this.#transaction(work),
    });
  }

  /** Renews the lease. @throws {LeaseLost} */
  async step(): Promise<Step> {
    const now = this.#deps.clock.now();
    const isBlocked = await this.#source.isBlocked();
    if (now >= this.#tidyAt) await this.#tidy(now);
    if (now >= this.#planAt) await this.#plan(now);
    if (isBlocked) return 'idle';
    const request = this.#due.shift();
    if (request !== undefined) {
      const open = await this.#serveFromMemory(request, now);
      if (open === null) return 'asked';
      if (await this.#source.take(requestCost(open))) return this.#fetch(open, now);
      this.#due = [];
    }
    const next = this.#archive.shift();
    if (next === undefined) return 'idle';
    if (await this.#source.take(requestCost(next), ARCHIVE_SHARE)) return this.#fetch(next, now);
    this.#archive = [];
    return 'idle';
  }

  #transaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return queries.weatherLease.transaction(this.#deps.pool, this.#generation, work);
  }

  async #plan(now: number): Promise<void> {
    const isArchiveDue = this.#archive.length === 0 && now >= this.#archiveAt;
    await this.#transaction(async (client) => {
      const forecasts = await queries.dueForecasts(client, now, MOST_TARGETS);
      const archives = isArchiveDue ? await queries.dueArchives(client, now, MOST_TARGETS) : null;
      this.#due = forecastRequests(forecasts.targets, now);
      if (archives !== null) {
        this.#archive = archiveRequests(archives.targets);
        this.#archiveAt = now + ARCHIVE_EVERY_MS;
      }
      await queries.saveWaiting(client, { forecasts: forecasts.total, archive: archives?.total ?? null }, now);
    });
    this.#planAt = now + PLAN_EVERY_MS;
  }

  async #tidy(now: number): Promise<void> {
    const obsolete = await queries.obsoleteWeather(this.#deps.pool, now, MOST_TARGETS);
    if (obsolete.length > 0) await this.#publish((client) => queries.removeWeather(client, obsolete, now));
    // If the check reached the limit, there may be more obsolete weather, and the next step checks again.
    if (obsolete.length < MOST_TARGETS) this.#tidyAt = now + TIDY_EVERY_MS;
  }

  /**
   * Gives matches the forecasts that are in memory.
   * @returns the request for the rest of the matches; null if there are none
   */
  async #serveFromMemory(request: WeatherRequest, now: number): Promise<WeatherRequest | null> {
    const cached = this.#forecasts.get(locationKey(request));
    if (cached === undefined) return request;
    const isServed = ({ start, hour }: Target) =>
      start > now && now - cached.at < forecastEvery(start - now) && isKnown(cached.hours.get(hour));
    const served = request.targets.filter(isServed);
    if (served.length > 0) await this.#store({ ...request, targets: served }, cached.hours, cached.at);
    const targets = request.targets.filter((target) => !served.includes(target));
    return targets.length > 0 ? { ...request, targets } : null;
  }

  async #fetch(request: WeatherRequest, now: number): Promise<Step> {
    const answer = await this.#source.ask(() => this.#deps.ask(request));
    if ('fault' in answer) {
      if (answer.fault.kind === 'refused') await this.#store(request, null, now);
      return 'idle';
    }
    const hours = answer.reply;
    if (request.source === 'forecast') this.#forecasts.set(locationKey(request), { hours, at: now });
    await this.#store(request, hours, now);
    return 'asked';
  }

  /** @param at when the provider sent the hours */
  async #store({ source, targets }: WeatherRequest, hours: Hours | null, at: number): Promise<void> {
    const now = this.#deps.clock.now();
    const found = targets.map((target): queries.StoredWeather => {
      const hour = hours?.get(target.hour);
      if (!isKnown(hour)) return { target, kind: 'none', weather: null, nextAt: nextAt('none', target.start, at) };
      return {
        target,
        kind: source,
        weather: weatherBlock(target, hour, source),
        nextAt: nextAt(source, target.start, at),
      };
    });
    await this.#publish((client) => queries.saveWeather(client, found, now));
  }

  async #publish(write: (client: pg.PoolClient) => Promise<number[]>): Promise<void> {
    const changed = await this.#transaction(write);
    if (changed.length > 0) this.#deps.changes.publish(changed);
  }
}
