/** What callers of apply give and get. */
import type pg from 'pg';
import type { MatchChanges } from '../db/notices.ts';
import type { Precedence } from '../identity/precedence.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Fault } from '../wire/fault.ts';

export interface ApplyDeps {
  pool: pg.Pool;
  clock: Clock;
  changes: Pick<MatchChanges, 'publish'>;
  /** Whose word counts; without it, the built-in order. */
  config?: { precedence: Precedence };
}

export interface ApplyResult {
  index: number;
  /** `pending`: kept until its match is there; of imports alone. */
  outcome: 'accepted' | 'unchanged' | 'rejected' | 'pending';
  matchId?: number;
  errors?: Fault[];
}

export interface ApplyOptions {
  /** Whether differences become events (feeds, pollers, play) or only move the sync cursor (imports of history). */
  events: boolean;
}

export type Outcome = Omit<ApplyResult, 'index'>;
