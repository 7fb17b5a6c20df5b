/** Periods in an NHL game: three of 20 minutes, overtimes, and the shoot-out. Pure. */
import type { Side } from '../side.ts';
import type { PeriodDescriptor } from './replies.ts';

const PERIOD_MINUTES = 20;

/** P1 to P3. All overtimes are one period, as in the service's scores. */
export function periodName(descriptor: PeriodDescriptor): string | null {
  if (!descriptor) return null;
  return descriptor.periodType === 'REG' ? `P${descriptor.number}` : descriptor.periodType;
}

/** The minute of play, counted from 1. Every play-off overtime has 20 minutes, too. A shoot-out has no minutes. */
export function playedMinute(descriptor: PeriodDescriptor, timeInPeriod: string): number | null {
  const parts = /^(\d{1,2}):(\d\d)$/u.exec(timeInPeriod);
  if (!descriptor || !parts || descriptor.periodType === 'SO') return null;
  const minute = Math.min(Number(parts[1]) + 1, PERIOD_MINUTES);
  return (descriptor.number - 1) * PERIOD_MINUTES + minute;
}

/** The parts of a goal that a period score needs. */
export interface PeriodGoal {
  period: string;
  side: Side;
}

/**
 * Returns the scores in the periods that were played, without a shoot-out.
 * @param last the last period that has begun
 */
export function periodScores(goals: readonly PeriodGoal[], last: PeriodDescriptor) {
  const names = ['P1', 'P2', 'P3', 'OT'].slice(0, last?.periodType === 'REG' ? last.number : last ? 4 : 0);
  return names.map((period) => {
    const scored = (side: Side) => goals.filter((goal) => goal.period === period && goal.side === side).length;
    return { period, home: scored('home'), away: scored('away') };
  });
}
