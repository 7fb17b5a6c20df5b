/** What has come of attempts and is not saved yet. It is saved with the positions of its subscriptions, in one transaction. */
import type pg from 'pg';
import type { Holding } from './holding.ts';
import * as leases from './lease-queries.ts';

/** With something unsaved for longer nothing new is begun: so much is repeated after a crash. */
export const UNSAVED_MS = 1_000;

export class Unsaved {
  #deliveries: leases.DeliveryRow[] = [];
  #attempts: leases.AttemptRow[] = [];
  /** Of the oldest outcome that is not saved. */
  #since: number | null = null;
  #savingSince: number | null = null;

  overdue(): boolean {
    const oldest = this.#savingSince ?? this.#since;
    return oldest !== null && performance.now() - oldest >= UNSAVED_MS;
  }

  /** @param delivery null: it succeeded at once, or is none that is kept */
  add(attempt: leases.AttemptRow, delivery: leases.DeliveryRow | null): void {
    this.#attempts.push(attempt);
    if (delivery !== null) this.#deliveries.push(delivery);
    this.#since ??= performance.now();
  }

  /** Of a subscription that somebody else holds now. */
  drop(subscription: number): void {
    this.#deliveries = this.#deliveries.filter((row) => row.subscriptionId !== subscription);
    this.#attempts = this.#attempts.filter((row) => row.subscriptionId !== subscription);
  }

  /**
   * @param all positions too that have moved over events that were not wanted
   * @returns those of `holdings` that are no longer held
   */
  async save(pool: pg.Pool, holdings: ReadonlyMap<number, Holding>, all: boolean): Promise<Holding[]> {
    const saved = [...holdings.values()].filter((one) => one.dirty || (all && one.position() !== one.savedPosition));
    if (saved.length === 0) return [];
    const batch = {
      progress: saved.map((one) => one.progress()),
      deliveries: this.#deliveries,
      attempts: this.#attempts,
    };
    for (const one of saved) one.dirty = false;
    this.#deliveries = [];
    this.#attempts = [];
    this.#savingSince = this.#since;
    this.#since = null;
    try {
      const held = await leases.save(pool, batch);
      batch.progress.forEach(({ position }, place) => {
        saved[place]!.savedPosition = position;
      });
      return saved.filter((one) => !held.has(one.id) && holdings.get(one.id) === one);
    } catch (error) {
      for (const one of saved) one.dirty = true;
      const known = ({ subscriptionId }: { subscriptionId: number }) => holdings.has(subscriptionId);
      this.#deliveries = [...batch.deliveries.filter(known), ...this.#deliveries];
      this.#attempts = [...batch.attempts.filter(known), ...this.#attempts];
      this.#since = this.#savingSince ?? this.#since;
      throw error;
    } finally {
      this.#savingSince = null;
    }
  }
}
