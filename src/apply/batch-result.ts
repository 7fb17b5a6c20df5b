/** What a batch of updates comes to within its transaction: a value that decides between commit and rollback. */
import type { Fault } from '../wire/fault.ts';
import type { ApplyResult } from './interface.ts';

/** The result of one update. */
export type Outcome = Omit<ApplyResult, 'index'>;

export const rejected = (errors: Fault[]): Outcome => ({ outcome: 'rejected', errors });

export interface BatchOutcomes {
  /** In the order of the updates. */
  outcomes: Outcome[];
  /** Ids of the matches that have changed. */
  changedMatches: number[];
}

/**
 * - `conflict`: two updates are about one match, or rename an entity at different times: they must be applied one after another
 * - `outdated`: the provider has already said something newer of the entity
 */
export type BatchResult = BatchOutcomes | 'conflict' | 'outdated';

/** A rejected update must leave nothing behind, not even the entities that it names: then the whole batch is rolled back. */
export const isCommitted = (result: BatchResult): boolean =>
  typeof result !== 'string' && result.outcomes.every(({ outcome }) => outcome !== 'rejected');
