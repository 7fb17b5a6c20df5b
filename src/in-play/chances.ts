/**
 * In-play chances. The goal difference is a birth-death process (M. J. Dixon and M. E. Robinson, The Statistician 47, 1998).
 * In each minute, each side scores at a rate that depends on its expected goals, the minute, who leads, and the players sent
 * off. Since only the goal difference matters, one pass backwards from the end gives the chances for all differences at all
 * minutes. Pure.
 */
import type { InPlayParameters } from './parameters.ts';
import { redCardFactor } from './red-cards.ts';

export interface BySide<T = number> {
  home: T;
  away: T;
}
/** Probabilities between 0 and 1 that add up to 1. */
export interface Chances extends BySide {
  draw: number;
}

export const REGULAR_MINUTES = 90;
export const EXTRA_MINUTES = 30;
const HALF = REGULAR_MINUTES / 2;

/** Largest lead in the tables. The chance of losing a larger lead is below a double's rounding error. */
const REACH = 15;
/**
 * Maximum number of expected goals for one side in a time step. In such a short step, a second goal is negligible, and
 * one more goal never lowers the side's chance.
 */
const MOST_IN_STEP = 0.03;

/** Returns the chances when a part is over, by goal difference. */
export type Ending = (difference: number) => BySide;

export const byResult: Ending = (difference) => ({ home: Number(difference > 0), away: Number(difference < 0) });

/** A part of a match, such as regular time. When it is over, an `Ending` gives the chances. */
export interface Part {
  minutes: number;
  /** Returns a minute's share of the expected goals in 90 minutes, without the effect of a lead. Minutes are counted from 1. */
  share(minute: number, parameters: InPlayParameters): number;
}

export const REGULAR_TIME: Part = {
  minutes: REGULAR_MINUTES,
  share(minute, { level, rise, first_half_end, second_half_end }) {
    const end = minute === HALF ? first_half_end : minute === REGULAR_MINUTES ? second_half_end : 0;
    return Math.exp(level + (rise * minute) / REGULAR_MINUTES + end);
  },
};

/** Extra time. It has not been fitted; each minute has the same share as minute 90 without added time. */
export const EXTRA_TIME: Part = {
  minutes: EXTRA_MINUTES,
  share: (_minute, { level, rise }) => Math.exp(level + rise),
};

export interface ChanceInput {
  /** Both sides' expected goals in 90 minutes. */
  rates: BySide;
  sentOff: BySide;
  part: Part;
  ending: Ending;
  parameters: InPlayParameters;
}

/** Chances by goal difference, from `-REACH` to `REACH`. */
type Row = BySide<Float64Array>;

/** The chances at each minute and goal difference if no more players are sent off. */
export class ChanceTable {
  readonly #input: ChanceInput;
  /** Rows by minute, each for the end of the minute. They are computed backwards from the end, as far as callers need them. */
  readonly #rows: Map<number, Row>;

  constructor(input: ChanceInput) {
    this.#input = input;
    const { part, ending } = input;
    const size = 2 * REACH + 1;
    const last: Row = { home: new Float64Array(size), away: new Float64Array(size) };
    for (let index = 0; index < size; index += 1) {
      const { home, away } = ending(index - REACH);
      last.home[index] = home;
      last.away[index] = away;
    }
    this.#rows = new Map([[part.minutes, last]]);
  }

  #row(minute: number): Row {
    const known = this.#rows.get(minute);
    if (known !== undefined) return known;
    const { part, parameters } = this.#input;
    const row = this.#before(this.#row(minute + 1), part.share(minute + 1, parameters));
    this.#rows.set(minute, row);
    return row;
  }

  /** @param minute minutes since the part began; may have a fraction */
  at(minute: number, difference: number): Chances {
    const { part, ending, parameters } = this.#input;
    if (Math.abs(difference) > REACH) return withDraw(ending(difference));
    const now = Math.min(part.minutes, Math.max(0, minute));
    const next = Math.ceil(now);
    const row =
      next === now ? this.#row(now) : this.#before(this.#row(next), part.share(next, parameters) * (next - now));
    return withDraw({ home: row.home[difference + REACH]!, away: row.away[difference + REACH]! });
  }

  /** Returns the chances at the start of a time span from those at its end. `share` is the span's share of expected goals. */
  #before(after: Row, share: number): Row {
    const { rates, sentOff, parameters } = this.#input;
    const expected = {
      home: rates.home * share * redCardFactor(sentOff.home, sentOff.away, parameters),
      away: rates.away * share * redCardFactor(sentOff.away, sentOff.home, parameters),
    };
    const { leading, trailing } = parameters;
    const most = Math.max(expected.home, expected.away) * Math.exp(Math.max(0, leading, trailing));
    const steps = Math.max(1, Math.ceil(most / MOST_IN_STEP));
    const scores = (factor: number): BySide => ({
      home: (expected.home * Math.exp(factor)) / steps,
      away: (expected.away * Math.exp(factor)) / steps,
    });
    const chances = { level: scores(0), ahead: scores(leading), behind: scores(trailing) };
    let row = after;
    for (let step = 0; step < steps; step += 1) row = previous(row, chances);
    return row;
  }
}

/**
 * Returns the chances one step earlier. @param scores each side's chance to score in the step while it is level, leads
 * or trails
 */
function previous(after: Row, scores: { level: BySide; ahead: BySide; behind: BySide }): Row {
  const size = after.home.length;
  const before: Row = { home: Float64Array.from(after.home), away: Float64Array.from(after.away) };
  for (let index = 1; index < size - 1; index += 1) {
    const { home } = index > REACH ? scores.ahead : index < REACH ? scores.behind : scores.level;
    const { away } = index < REACH ? scores.ahead : index > REACH ? scores.behind : scores.level;
    const [up, down] = [home * (1 - away), away * (1 - home)];
    for (const side of ['home', 'away'] as const) {
      const values = after[side];
      before[side][index] = up * values[index + 1]! + down * values[index - 1]! + (1 - up - down) * values[index]!;
    }
  }
  return before;
}

/** Adds the chance of a draw. It is at least 0, because rounding errors can make the sides' sum exceed 1. */
const withDraw = ({ home, away }: BySide): Chances => ({ home, draw: Math.max(0, 1 - home - away), away });
