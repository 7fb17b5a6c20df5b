/** UTC days and months as rate limit windows. */

export type PeriodName = 'day' | 'month';

export interface Period {
  /** First day, YYYY-MM-DD. */
  starts: string;
  /** ms since 1970. */
  endsAt: number;
  seconds: number;
}

const DAY_MS = 86_400_000;

/** @param now ms since 1970 */
export function periodAt(name: PeriodName, now: number): Period {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const startsAt = name === 'day' ? now - (now % DAY_MS) : Date.UTC(year, month, 1);
  const endsAt = name === 'day' ? startsAt + DAY_MS : Date.UTC(year, month + 1, 1);
  return { starts: new Date(startsAt).toISOString().slice(0, 10), endsAt, seconds: (endsAt - startsAt) / 1_000 };
}
