/** Buffers attempt results until they are saved together with the subscription positions, in one transaction. */
import type pg from 'pg';
import type { AttemptRow, ChallengeRow } from '../delivery/attempt-queries.ts';
import type { LeasedSubscription } from './leased-subscription.ts';
import { type DeliveryRow, save } from './saved-positions.ts';

/** No attempt starts while an outcome has waited longer than this to be saved. That bounds how many events are sent again after a crash. */
export const MAX_BUFFERED_MS = 1_000;

export class ResultBuffer {
  #deliveries: DeliveryRow[] = [];
  #attempts: AttemptRow[] = [];
  #challenges: ChallengeRow[] = [];
  /** Monotonic time at which the oldest unsaved outcome was added. */
  #since: number | null = null;
  /** Monotonic time at which the oldest outcome in the batch being saved was added. */
  #savingSince: number | null = null;

  isOverdue(): boolean {
    const oldest = this.#savingSince ?? this.#since;
    return oldest !== null && performance.now() - oldest >= MAX_BUFFERED_MS;
  }

  /** @param delivery null if only the attempt is stored, because the delivery succeeded at once or is a ping */
  add(attempt: AttemptRow, delivery: DeliveryRow | null): void {
    this.#attempts.push(attempt);
    if (delivery !== null) this.#deliveries.push(delivery);
    this.#since ??= performance.now();
  }

  /** Adds a challenge's outcome. The attempt is added separately. */
  addChallenge(challenge: ChallengeRow): void {
    this.#challenges.push(challenge);
  }

  /** Discards a subscription's outcomes because the lease was lost. */
  discard(subscriptionId: number): void {
    this.#deliveries = this.#deliveries.filter((row) => row.subscription_id !== subscriptionId);
    this.#attempts = this.#attempts.filter((row) => row.subscription_id !== subscriptionId);
    this.#challenges = this.#challenges.filter((row) => row.subscription_id !== subscriptionId);
    this.#forgetTime();
  }

  /** If every outcome has been discarded, the buffer is not overdue. Otherwise no attempt would ever start again. */
  #forgetTime(): void {
    if (this.#attempts.length === 0) this.#since = null;
  }

  /**
   * Saves the outcomes and positions.
   * @param all whether to also save positions that have only moved past unwanted events
   * @returns the leased subscriptions whose leases are no longer valid
   */
  async save(
    pool: pg.Pool,
    leased: ReadonlyMap<number, LeasedSubscription>,
    all: boolean,
  ): Promise<LeasedSubscription[]> {
    const saving = [...leased.values()].filter((one) => one.hasProgress(all));
    if (saving.length === 0) return [];
    const progress = saving.map((one) => ({ one, row: one.progress() }));
    const batch = {
      progress: progress.map(({ row }) => row),
      deliveries: this.#deliveries,
      challenges: this.#challenges,
      attempts: this.#attempts,
    };
    this.#deliveries = [];
    this.#challenges = [];
    this.#attempts = [];
    this.#savingSince = this.#since;
    this.#since = null;
    try {
      const held = await save(pool, batch);
      for (const { one, row } of progress) one.events.progressSaved(row);
      return saving.filter((one) => !held.has(one.id) && leased.get(one.id) === one);
    } catch (error) {
      for (const { one, row } of progress) one.progressNotSaved(row);
      const isLeased = ({ subscription_id }: { subscription_id: number }) => leased.has(subscription_id);
      this.#deliveries = [...batch.deliveries.filter(isLeased), ...this.#deliveries];
      this.#challenges = [...batch.challenges.filter(isLeased), ...this.#challenges];
      this.#attempts = [...batch.attempts.filter(isLeased), ...this.#attempts];
      this.#since = this.#savingSince ?? this.#since;
      this.#forgetTime();
      throw error;
    } finally {
      this.#savingSince = null;
    }
  }
}
