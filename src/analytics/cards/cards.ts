/** Serves analytics from stored cards, and computes cards that are missing or too old. */
import type pg from 'pg';
import type { Logger } from 'pino';
import { wireTime } from '../../wire/time.ts';
import { type CardKey, readFacts, storeCards } from './stored-cards.ts';
import type { HistoryState } from './subjects.ts';

/** Compares the first two parts of two versions. These parts are the card format, and a hash over the sides, the match day and so on. */
const isSameSubject = (version: string, other: string): boolean =>
  version.split('.', 2).join('.') === other.split('.', 2).join('.');

interface CardsDeps {
  pool: pg.Pool;
  clock: { now(): number };
  logger: Pick<Logger, 'warn'>;
}

export interface Card<F> {
  facts: F;
  /** Version of the sample from which the card was computed. */
  version: string;
  /** YYYY-MM-DDTHH:MM:SSZ */
  computed_at: string;
}

export class Cards {
  readonly #deps: CardsDeps;
  /** Computations in progress, so that requests for the same card share one. */
  readonly #running = new Map<string, Promise<Card<unknown>>>();

  constructor(deps: CardsDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the stored card if it has the subject's version. Also returns an older card for the same subject if the job keeps the card
   * fresh; the card is then computed again in the background.
   * @param subject must be read in the same query as the card
   * @throws {ClickHouseUnavailable} if the card has to be computed
   */
  async read<F>(key: CardKey, subject: HistoryState, compute: () => Promise<F>): Promise<Card<F>> {
    const { version, card_version, card_body, card_computed_at, card_is_kept } = subject;
    const isUsable = card_version === version || (card_is_kept && isSameSubject(card_version!, version));
    if (card_body !== null && isUsable) {
      if (card_version !== version)
        this.#compute(key, version, compute).catch((error) =>
          this.#deps.logger.warn({ err: error, ...key }, 'a stale analytics card could not be recomputed'),
        );
      const facts = await readFacts<F>(card_body).catch(() => null);
      if (facts !== null) return { facts, version: card_version!, computed_at: card_computed_at! };
    }
    return this.#compute(key, version, compute);
  }

  #compute<F>(key: CardKey, version: string, compute: () => Promise<F>): Promise<Card<F>> {
    const name = JSON.stringify([key, version]);
    const running = this.#running.get(name) as Promise<Card<F>> | undefined;
    if (running !== undefined) return running;
    const { pool, clock } = this.#deps;
    const computing = (async () => {
      const now = clock.now();
      const facts = await compute();
      await storeCards(pool, [{ ...key, version, facts }], { isKept: false, now });
      return { facts, version, computed_at: wireTime(now) };
    })();
    this.#running.set(name, computing);
    const end = () => this.#running.delete(name);
    computing.then(end, end);
    return computing;
  }
}
