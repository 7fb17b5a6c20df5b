/** What apply needs and returns: dependencies, options, and the outcome of each update. */
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
  /** Which source wins; without it, the built-in order. */
  config?: { precedence: Precedence };
}

export interface ApplyDeps extends MatchDeps {
  entities: EntityCache;
}

export interface ApplyOptions {
  /** Whether differences become events (feeds, pollers, play) or only move the sync cursor (imports of history). */
  events: boolean;
  /** The updates are stored claims of providers that did not lead their match until now, not news that has just arrived. */
  areClaims?: boolean;
  /** Updates of participants neither create nor rename a participant: an unknown one is rejected. */
  existingOnly?: boolean;
}

export interface ApplyResult {
  /** Position of the update in the list that was passed in. */
  index: number;
  /** `pending`: stored until its match exists; imports only. */
  outcome: 'accepted' | 'unchanged' | 'rejected' | 'pending';
  matchId?: number;
  errors?: Fault[];
}

/** Options of the match updates of one transaction. */
export interface MatchApplyOptions {
  events: boolean;
  /** ms */
  now: number;
  /** See `ApplyOptions`. */
  areClaims?: boolean;
}

/** The result of one update. */
export type UpdateResult = Omit<ApplyResult, 'index'>;

export interface BatchResults {
  /** In the order of the updates. */
  outcomes: UpdateResult[];
  /** Ids of the matches that have changed. */
  changedMatches: number[];
}
