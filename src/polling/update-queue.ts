/** Applies a source's updates in order, while replies are still arriving. */
import type { ApplyDeps } from '../apply/index.ts';
import { type Arrival, feedReceiver } from '../feed/receive.ts';
import { KnownTournaments } from '../identity/index.ts';
import type { ProviderUpdate } from '../providers/provider.ts';
import type { Fault } from '../wire/fault.ts';
import { type FeedUpdateInput, feedUpdate } from '../wire/feed-update.ts';

interface Waiting {
  arrivals: Arrival[];
  /** Whether changes become events. */
  events: boolean;
}

export interface UpdateQueueOptions {
  /** Name of the provider in the updates. */
  provider: string;
  apply: ApplyDeps;
  /** Called with the number of updates that changed something. */
  changed(count: number): void;
  /** Called with the errors when an update was rejected. */
  rejected(errors: readonly Fault[]): void;
}

export class UpdateQueue {
  readonly #options: UpdateQueueOptions;
  #waiting: Waiting[] = [];
  #applying: Promise<void> | null = null;
  #failure: { error: unknown } | null = null;
  #tournaments = new KnownTournaments();
  readonly #tournamentsSent = new Set<string>();

  constructor(options: UpdateQueueOptions) {
    this.#options = options;
  }

  /** @param observedAt when the source was read, ms */
  add(updates: readonly ProviderUpdate[], observedAt: number, events: boolean): void {
    if (updates.length === 0) return;
    const { provider } = this.#options;
    const envelope = { schema: 1, provider, observed_at: new Date(observedAt).toISOString() } as const;
    const values = updates.map((update): FeedUpdateInput => ({ ...envelope, ...update }));
    // If our list has the match's tournament, the tournament's rules are applied before the first match.
    const tournaments = values.flatMap((value) => this.#listedTournament(value));
    if (tournaments.length > 0) this.#waiting.push({ arrivals: tournaments.map(toArrival), events: false });
    this.#waiting.push({ arrivals: values.map(toArrival), events });
    this.#applying ??= this.#applyWaiting().catch((error) => {
      this.#failure = { error };
    });
  }

  /**
   * Resolves when no update is waiting.
   * @throws the error if updates could not be applied; later updates are then dropped
   */
  async drain(): Promise<void> {
    while (this.#applying !== null) await this.#applying;
    if (this.#failure === null) return;
    const { error } = this.#failure;
    this.#failure = null;
    this.#waiting = [];
    this.#tournaments = new KnownTournaments();
    this.#tournamentsSent.clear();
    throw error;
  }

  /** Returns the update for a match's tournament, if our list has it and it has not been sent before. */
  #listedTournament(value: FeedUpdateInput): FeedUpdateInput[] {
    const key = value.kind === 'match' ? JSON.stringify(value.match.tournament) : '';
    // An update with a wrong shape is rejected when it is applied.
    if (this.#tournamentsSent.has(key) || !feedUpdate.safeParse(value).success) return [];
    this.#tournamentsSent.add(key);
    return this.#tournaments.before(value).map(({ update }) => update);
  }

  async #applyWaiting(): Promise<void> {
    const { apply, changed, rejected } = this.#options;
    try {
      for (;;) {
        const next = this.#waiting.shift();
        if (next === undefined) return;
        while (this.#waiting[0]?.events === next.events) next.arrivals.push(...this.#waiting.shift()!.arrivals);
        const receiver = feedReceiver(apply);
        await receiver.receive(next.arrivals, { events: next.events });
        if (receiver.tally.accepted > 0) changed(receiver.tally.accepted);
        for (const { errors } of receiver.tally.rejected) rejected(errors);
      }
    } finally {
      this.#applying = null;
    }
  }
}

const toArrival = (value: unknown): Arrival => ({ value, text: JSON.stringify(value) });
