/** The one process that asks for the weather of matches: a step sends at most one request, so that it can stop at any time. */
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { MatchChanges } from '../db/notices.ts';
import type { Clock } from '../runtime/clock.ts';
import { weatherBlock } from './block.ts';
import { WeatherFault } from './fault.ts';
import { type Hours, isKnown } from './open-meteo.ts';
import * as queries from './queries.ts';
import {
  archiveRequests,
  forecastRequests,
  locationKey,
  requestCost,
  type Target,
  type WeatherRequest,
} from './requests.ts';
import { backoff, forecastEvery, nextAt } from './schedule.ts';

/** Between two looks for matches whose forecast is due, or that have been moved. */
const PLAN_EVERY_MS = 60_000;
/** Between two looks through all played matches, when none of them was waiting. */
const ARCHIVE_EVERY_MS = 600_000;
/** Between two looks for matches that have weather and should not. */
const TIDY_EVERY_MS = 3_600_000;
/** Matches of one look. */
const MOST_TARGETS = 1_000;
/** Of the day's budget, what played matches may take: forecasts need the rest. */
const ARCHIVE_SHARE = 0.5;
/** Places whose last forecast is kept in memory, for matches that become known later: 16 MB. */
const CACHED_PLACES = 500;

export interface FetcherDeps {
  pool: pg.Pool;
  clock: Clock;
  changes: Pick<MatchChanges, 'publish'>;
  logger: Pick<Logger, 'info' | 'warn'>;
  /** @throws {WeatherFault} */
  ask(request: WeatherRequest): Promise<Hours>;
  /** Counts a request and its outcome. */
  count(outcome: 'ok' | WeatherFault['kind']): void;
  /** Requests a day. */
  dailyRequests: number;
}

/** What a step has done: `asked`, and there is more to do; `idle` otherwise. */
export type Step = 'asked' | 'idle';

export class WeatherFetcher {
  readonly #deps: FetcherDeps;
  readonly #generation: number;
  readonly #forecasts = new LRUCache<string, { hours: Hours; at: number }>({ max: CACHED_PLACES });
  #due: WeatherRequest[] = [];
  #archive: WeatherRequest[] = [];
  #planAt = Number.NEGATIVE_INFINITY;
  #archiveAt = Number.NEGATIVE_INFINITY;
  #tidyAt = Number.NEGATIVE_INFINITY;
  #reported: WeatherFault['kind'] | null = null;

  /** @param generation of the lease */
  constructor(deps: FetcherDeps, generation: number) {
    this.#deps = deps;
    this.#generation = generation;
  }

  /** Renews the lease. @throws {LeaseLost} */
  async step(): Promise<Step> {
    const now = this.#deps.clock.now();
    const state = await this.#transaction(queries.readFetcherState);
    if (now >= this.#tidyAt) await this.#tidy(now);
    if (now >= this.#planAt) await this.#plan(now);
    if (now < state.blockedUntil) return 'idle';
    const request = this.#due.shift();
    if (request !== undefined) {
      const open = await this.#serveFromMemory(request, now);
      if (open === null) return 'asked';
      if (await this.#take(open, 1)) return this.#fetch(open, state, now);
      this.#due = [];
    }
    const next = this.#archive.shift();
    if (next === undefined) return 'idle';
    if (await this.#take(next, ARCHIVE_SHARE)) return this.#fetch(next, state, now);
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
    // More of them are left where the limit was reached.
    if (obsolete.length < MOST_TARGETS) this.#tidyAt = now + TIDY_EVERY_MS;
  }

  /** @returns the request for the matches that are left; null: none */
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

  #take(request: WeatherRequest, share: number): Promise<boolean> {
    const { dailyRequests, clock } = this.#deps;
    const limit = Math.max(1, Math.floor(dailyRequests * share));
    return this.#transaction((client) => queries.takeFromBudget(client, clock.now(), requestCost(request), limit));
  }

  async #fetch(request: WeatherRequest, state: queries.FetcherState, now: number): Promise<Step> {
    let hours: Hours;
    try {
      hours = await this.#deps.ask(request);
    } catch (error) {
      if (!(error instanceof WeatherFault)) throw error;
      await this.#fail(request, error, state, now);
      return 'idle';
    }
    this.#deps.count('ok');
    await this.#recover(state);
    if (request.source === 'forecast') this.#forecasts.set(locationKey(request), { hours, at: now });
    await this.#store(request, hours, now);
    return 'asked';
  }

  /** @param at when the hours were given */
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

  /** A refusal concerns the matches of one request; any other fault every request. */
  async #fail(request: WeatherRequest, fault: WeatherFault, state: queries.FetcherState, now: number): Promise<void> {
    const { kind, message, retryAfterMs } = fault;
    this.#deps.count(kind);
    if (kind === 'refused') await this.#store(request, null, now);
    else {
      const failures = state.failures + 1;
      const blockedUntil = now + backoff(failures, retryAfterMs);
      await this.#transaction((client) => queries.saveFailures(client, { failures, blockedUntil }));
    }
    if (this.#reported === kind) return;
    this.#reported = kind;
    // An outage ends by itself; the others need the operator.
    this.#deps.logger[kind === 'unreachable' ? 'info' : 'warn'](
      { reason: message },
      'no weather, will ask again later',
    );
  }

  async #recover({ failures }: queries.FetcherState): Promise<void> {
    if (this.#reported !== null) this.#deps.logger.info('weather is answered again');
    this.#reported = null;
    if (failures > 0)
      await this.#transaction((client) => queries.saveFailures(client, { failures: 0, blockedUntil: 0 }));
  }
}
