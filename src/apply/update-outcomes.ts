/** The types that `apply` takes and returns: dependencies, options, and the outcome of each update. */
import type pg from 'pg';
import type { MatchChanges } from '../db/notices.ts';
import type { EntityCache } from '../identity/entities.ts';
import type { Precedence } from '../identity/precedence.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Fault } from '../wire/fault.ts';

/** Dependencies of everything that changes matches. */
export interface MatchDeps {
  pool: pg.Pool;
  clock: Clock;
  changes: Pick<MatchChanges, 'publish'>;
  /** The source precedence. If absent, the built-in order. */
  config?: { precedence: Precedence };
}

export interface ApplyDeps extends MatchDeps {
  entities: EntityCache;
}

export interface ApplyOptions {
  /** True if changes become events (feeds, pollers, recordings). False if they only move the sync cursor (history imports). */
  events: boolean;
  /** True if the updates are stored claims from providers that did not lead their match until now. Such updates are not news. */
  areClaims?: boolean;
  /**
   * True if participant updates may neither create nor rename a participant. An update for an unknown participant is then
   * rejected.
   */
  existingOnly?: boolean;
}

export interface ApplyResult {
  /** The update's position in the list that was passed in. */
  index: number;
  /** `pending` means that the update is stored until its match exists. Only imports can return it. */
  outcome: 'accepted' | 'unchanged' | 'rejected' | 'pending';
  matchId?: number;
  errors?: Fault[];
}

/** Options for the match updates in one transaction. */
export interface MatchApplyOptions {
  events: boolean;
  /** ms */
  now: number;
  /** See `ApplyOptions`. */
  areClaims?: boolean;
}

/** One update's result. */
export type UpdateResult = Omit<ApplyResult, 'index'>;

export interface BatchResults {
  /** In the same order as the updates. */
  outcomes: UpdateResult[];
  /** Ids of changed matches. */
  changedMatches: number[];
}
