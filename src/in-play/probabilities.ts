/** Probabilities of the outcomes, from before a match starts until it ends. Pure. */
import {
  type BySide,
  byResult,
  type Chances,
  ChanceTable,
  type Ending,
  EXTRA_TIME,
  REGULAR_MINUTES,
  REGULAR_TIME,
} from './chances.ts';
import type { InPlayParameters } from './parameters.ts';
import { shootOutChance } from './shoot-out.ts';
import type { Situation } from './situation.ts';

/** A match that decides which side goes on. */
export interface Decider {
  /** The home side's lead in goals after the first leg; negative if it trails, 0 without a first leg. */
  lead: number;
}

/** The sides' chances to go on when time is up. If the sides are level, a shoot-out follows. */
const byShootOut: Ending = (difference) => {
  const home = difference === 0 ? 0.5 : Number(difference > 0);
  return { home, away: 1 - home };
};

/** Computes chances for one match. The tables are kept, because a plot over time uses the same few tables many times. */
export class MatchProbabilities {
  readonly #rates: BySide;
  readonly #parameters: InPlayParameters;
  readonly #tables = new Map<string, ChanceTable>();

  /** @param rates both sides' expected goals in 90 minutes */
  constructor(rates: BySide, parameters: InPlayParameters) {
    this.#rates = rates;
    this.#parameters = parameters;
  }

  /**
   * Returns chances for the result after regular time. Once extra time has begun, they are for the result after extra time,
   * and a shoot-out counts as a draw. Returns null if the match has no result and will not get one.
   */
  result(now: Situation): Chances | null {
    const { phase, score, extra, played } = now;
    const difference = score.home - score.away;
    if (phase === 'void') return null;
    if (phase === 'over' || phase === 'shoot_out') {
      const { home, away } = byResult(difference);
      return { home, draw: 1 - home - away, away };
    }
    if (phase !== 'extra') return this.#table('regular', now.sentOff, 0).at(played, difference);
    const inExtra = extra.home - extra.away;
    return this.#table('extra', now.sentOff, difference - inExtra).at(played - REGULAR_MINUTES, inExtra);
  }

  /**
   * Returns both sides' chances to go on.
   * @param decider null if the match is not known to decide which side goes on; once extra time or a shoot-out has begun, it
   * decides this in any case
   */
  advance(now: Situation, decider: Decider | null): BySide | null {
    const { phase, score, extra, played } = now;
    const inExtra = extra.home - extra.away;
    const sides = ({ home, away }: BySide): BySide => ({ home, away });
    if (phase === 'extra') return sides(this.#table('decision', now.sentOff, 0).at(played - REGULAR_MINUTES, inExtra));
    if (phase === 'shoot_out') {
      const home = shootOutChance(now.kicks);
      return { home, away: 1 - home };
    }
    const difference = score.home - score.away;
    if (phase === 'over') {
      const { home, away } = now.shootOut ?? { home: 0, away: 0 };
      const margin = home - away || inExtra || (decider === null ? 0 : decider.lead + difference);
      return margin === 0 ? null : byResult(margin);
    }
    if (decider === null || phase === 'void') return null;
    return sides(this.#table('decider', now.sentOff, decider.lead).at(played, difference));
  }

  #table(kind: 'regular' | 'extra' | 'decision' | 'decider', sentOff: BySide, lead: number): ChanceTable {
    const key = `${kind} ${sentOff.home} ${sentOff.away} ${lead}`;
    let table = this.#tables.get(key);
    if (table === undefined) {
      const common = { rates: this.#rates, sentOff, parameters: this.#parameters };
      const after: Record<typeof kind, () => Ending> = {
        regular: () => byResult,
        extra: () => (difference) => byResult(lead + difference),
        decision: () => byShootOut,
        decider: () => {
          const extraTime = this.#table('decision', sentOff, 0).at(0, 0);
          return (difference) => (lead + difference === 0 ? extraTime : byResult(lead + difference));
        },
      };
      const part = kind === 'extra' || kind === 'decision' ? EXTRA_TIME : REGULAR_TIME;
      table = new ChanceTable({ ...common, part, ending: after[kind]() });
      this.#tables.set(key, table);
    }
    return table;
  }
}
