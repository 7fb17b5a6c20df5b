/** UTC days and months as rate limit windows. */
import { DAY_MS, utcDay } from '../../wire/time.ts';

export type PeriodName = 'day' | 'month';

export interface Period {
  /** First day, YYYY-MM-DD. */
  starts: string;
  /** ms since 1970. */
  endsAt: number;
  seconds: number;
}

/** @param now ms since 1970 */
export function periodAt(name: PeriodName, now: number): Period {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const startsAt = name === 'day' ? now - (now % DAY_MS) : Date.UTC(year, month, 1);
  const endsAt = name === 'day' ? startsAt + DAY_MS : Date.UTC(year, month + 1, 1);
  return { starts: utcDay(startsAt), endsAt, seconds: (endsAt - startsAt) / 1_000 };
}
