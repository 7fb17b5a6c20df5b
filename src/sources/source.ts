/**
 * A service to which jobs send HTTP requests. The daily budget and the back-off are in Postgres, so that a restart does
 * not reset them. Every transaction checks the job's lease, so that only one process in the cluster sends requests.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../runtime/clock.ts';
import { backoff } from './backoff.ts';
import * as queries from './queries.ts';
import { SourceError, type SourceErrorKind } from './source-error.ts';

export const REQUEST_RESULTS = ['ok', 'unchanged', 'unreachable', 'misunderstood', 'refused'] as const;
export type RequestResult = (typeof REQUEST_RESULTS)[number];

export interface SourceOptions {
  /** Value of the metrics label, and key in the table `source`. */
  name: string;
  /** Requests per day (UTC), for all processes together. */
  dailyRequests: number;
  clock: Clock;
  logger: Pick<Logger, 'info' | 'warn'>;
  /** Counts one request, by result. */
  count(outcome: RequestResult): void;
  /** Message when requests begin to fail. */
  failed: string;
  /** Message when a request succeeds again. */
  recovered: string;
  /** Returns the longest pause after failures, in ms. The default is an hour. The source may ask for a longer pause. */
  longestBackoffMs?(): number;
  /** Runs its argument in a transaction that checks the lease. @throws {LeaseLost} */
  transact<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>;
}

/** The outcome of a request. */
export type Outcome = 'ok' | 'unchanged' | SourceError;

export type Answer<T> = { reply: T } | { fault: SourceError };

export class Source {
  readonly #options: SourceOptions;
  #failures = 0;
  #reported: SourceErrorKind | null = null;

  constructor(options: SourceOptions) {
    this.#options = options;
  }

  /** Whether the back-off forbids requests now. Renews the lease. @throws {LeaseLost} */
  async isBlocked(): Promise<boolean> {
    const { name, clock, transact } = this.#options;
    const { failures, blockedUntil } = await transact((client) => queries.readState(client, name));
    this.#failures = failures;
    return clock.now() < blockedUntil;
  }

  /**
   * Takes requests from the daily budget, before they are sent.
   * @param cost number of requests, as the source counts them
   * @param share part of the budget that these requests may use up, from 0 to 1
   * @returns false if fewer than `cost` are left in that part
   */
  take(cost = 1, share = 1): Promise<boolean> {
    const { name, clock, dailyRequests, transact } = this.#options;
    const limit = Math.max(1, Math.floor(dailyRequests * share));
    return transact((client) => queries.takeFromBudget(client, name, clock.now(), cost, limit));
  }

  /**
   * Sends a request and records the outcome. A refusal concerns only this request. Any other fault begins a back-off.
   */
  async ask<T>(send: () => Promise<T>): Promise<Answer<T>> {
    let reply: T;
    try {
      reply = await send();
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      await this.record([error]);
      return { fault: error };
    }
    await this.record([reply === null ? 'unchanged' : 'ok']);
    return { reply };
  }

  /**
   * Records the outcomes of requests that were sent together. A back-off begins if all have failed, or if the source
   * asks for a pause.
   * @param blocks whether the source counts as down if all requests fail
   */
  async record(outcomes: readonly Outcome[], blocks = true): Promise<void> {
    for (const outcome of outcomes) this.#options.count(typeof outcome === 'string' ? outcome : outcome.kind);
    const isAnswered = outcomes.some((outcome) => typeof outcome === 'string');
    const faults = outcomes.filter((outcome) => typeof outcome !== 'string');
    const serious = faults.filter(({ kind }) => kind !== 'refused');
    if (isAnswered && serious.length === 0) await this.#recover();
    const worst = serious[0] ?? faults[0];
    if (worst) this.#report(worst);
    const isDown = blocks && !isAnswered;
    const pressing = serious.find(({ retryAfterMs }) => retryAfterMs !== null) ?? (isDown ? serious[0] : undefined);
    if (pressing !== undefined) await this.#block(pressing);
  }

  async #block({ retryAfterMs }: SourceError): Promise<void> {
    const { clock, longestBackoffMs } = this.#options;
    const failures = this.#failures + 1;
    const pause = backoff(failures, retryAfterMs, longestBackoffMs?.());
    await this.#save({ failures, blockedUntil: clock.now() + pause });
  }

  #report({ kind, message }: SourceError): void {
    const { logger, failed } = this.#options;
    if (this.#reported === kind) return;
    this.#reported = kind;
    // If the source is unreachable, the fault usually ends by itself. Otherwise the operator has to act.
    logger[kind === 'unreachable' ? 'info' : 'warn']({ reason: message }, failed);
  }

  async #recover(): Promise<void> {
    const { logger, recovered } = this.#options;
    if (this.#reported !== null) logger.info(recovered);
    this.#reported = null;
    if (this.#failures > 0) await this.#save({ failures: 0, blockedUntil: 0 });
  }

  async #save(state: queries.SourceState): Promise<void> {
    const { name, transact } = this.#options;
    await transact((client) => queries.saveState(client, name, state));
    this.#failures = state.failures;
  }
}
