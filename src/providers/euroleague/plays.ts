/** Computes period scores, baskets and momentum from the plays in a basketball game. Pure. */
import type { IncidentInput, MatchInput } from '../../wire/feed-update.ts';
import { lookUp } from '../reader.ts';
import type { Score, Side } from '../side.ts';

export interface Player {
  id?: string;
  name: string;
}

/** One play-by-play line. */
export interface Play {
  /** Unique within the game, but not ordered. */
  number: number;
  /** 1 to 4, then one for each overtime. */
  quarter: number;
  /** Seconds since the quarter began; null if unknown. */
  second: number | null;
  /** The source's code for the kind of play, such as 2FGM, FTM or AST. */
  type: string;
  side: Side | null;
  player: Player | null;
}

const QUARTERS = 4;
const QUARTER_MINUTES = 10;
const OVERTIME_MINUTES = 5;

const BASKETS: Record<string, { points: number; point_type: string }> = {
  FTM: { points: 1, point_type: 'free_throw' },
  '2FGM': { points: 2, point_type: 'two' },
  '3FGM': { points: 3, point_type: 'three' },
};
const worth = ({ type }: Pick<Play, 'type'>): number => lookUp(BASKETS, type)?.points ?? 0;
const ASSISTS = new Set(['AS', 'AST']);
export const PERIOD_END = 'EP';
export const GAME_END = 'EG';
export const PERIOD_ENDS: ReadonlySet<string> = new Set([PERIOD_END, GAME_END]);

/** All overtimes are one period, as in the service's scores. */
const periodName = (quarter: number) => (quarter > QUARTERS ? 'OT' : `Q${quarter}`);

/** @param clock time left in a quarter, M:SS @returns seconds since the quarter began */
export function elapsedSeconds(clock: string, quarter: number): number | null {
  const parts = /^(\d{1,2}):(\d\d)$/u.exec(clock.trim());
  if (!parts) return null;
  const length = (quarter > QUARTERS ? OVERTIME_MINUTES : QUARTER_MINUTES) * 60;
  return Math.max(0, length - Number(parts[1]) * 60 - Number(parts[2]));
}

/** Minutes played before a quarter. */
const minutesBefore = (quarter: number) =>
  quarter > QUARTERS
    ? QUARTERS * QUARTER_MINUTES + (quarter - QUARTERS - 1) * OVERTIME_MINUTES
    : (quarter - 1) * QUARTER_MINUTES;

/** Returns the seconds played before a play. If the play's second is unknown, the quarter's start counts. */
export const playedSeconds = ({ quarter, second }: Play): number => minutesBefore(quarter) * 60 + (second ?? 0);

/** The minute of play, counted from 1. The last second of a quarter belongs to the quarter's last minute. */
function playedMinute({ quarter, second }: Play): number | null {
  if (second === null) return null;
  const last = quarter > QUARTERS ? OVERTIME_MINUTES : QUARTER_MINUTES;
  return minutesBefore(quarter) + Math.min(Math.floor(second / 60) + 1, last);
}

/** Adds up the baskets in each period. */
export function periodScores(plays: readonly Play[]): NonNullable<MatchInput['period_scores']> {
  const periods = new Map<string, Score>();
  for (const { quarter } of plays) {
    // A quarter without a basket also gets a score, 0:0.
    for (let before = 1; before <= quarter; before++) {
      const name = periodName(before);
      if (!periods.has(name)) periods.set(name, { home: 0, away: 0 });
    }
  }
  for (const play of plays) if (play.side) periods.get(periodName(play.quarter))![play.side] += worth(play);
  return [...periods].map(([period, score]) => ({ period, ...score }));
}

/** Returns the baskets and the ends of periods. Each basket has the score after it, and the assist if there was one. */
export function pointIncidents(plays: readonly Play[]): IncidentInput[] {
  const score: Score = { home: 0, away: 0 };
  const lastEnd = plays.findLast(({ type }) => PERIOD_ENDS.has(type));
  return plays.flatMap((play, index): IncidentInput[] => {
    const basket = lookUp(BASKETS, play.type);
    const base = { id: String(play.number), minute: playedMinute(play), period: periodName(play.quarter) };
    if (basket && play.side) {
      score[play.side] += basket.points;
      const assist = findAssist(play, plays.slice(index + 1));
      return [
        {
          ...base,
          kind: 'point',
          side: play.side,
          ...(play.player && { player: play.player }),
          ...(assist && { assist }),
          payload: { ...basket, score: { ...score } },
        },
      ];
    }
    // The play that ends the game also ends the last period.
    if (!PERIOD_ENDS.has(play.type) || (play.type === 'EG' && play !== lastEnd)) return [];
    const ended = plays.slice(0, index).some(({ type, quarter }) => type === 'EP' && quarter === play.quarter);
    if (play.type === 'EG' && ended) return [];
    const minute = minutesBefore(play.quarter + 1);
    return [{ ...base, minute, kind: 'period_end', side: null, payload: { score: { ...score } } }];
  });
}

/** The source reports an assist as a play of its own, after the basket and at the same second. */
function findAssist(basket: Play, following: readonly Play[]): Player | null {
  for (const play of following) {
    if (play.quarter !== basket.quarter || play.second !== basket.second) return null;
    if (worth(play) > 0) return null;
    if (ASSISTS.has(play.type) && play.side === basket.side) return play.player;
  }
  return null;
}

/**
 * Number of minutes whose points count for the momentum. A side that won these minutes by `FULL_MOMENTUM` points has
 * the maximum momentum.
 */
const MOMENTUM_MINUTES = 4;
const FULL_MOMENTUM = 12;

/**
 * Returns one value for each minute: the point difference in the last 4 minutes, as a share of 12 points. Twelve
 * unanswered points give 100.
 */
export function momentum(plays: readonly Play[]): NonNullable<MatchInput['momentum']> {
  const byMinute = new Map<number, number>();
  let last = 0;
  for (const play of plays) {
    const minute = playedMinute(play);
    if (minute === null) continue;
    last = Math.max(last, minute);
    if (play.side === null) continue;
    const lead = play.side === 'home' ? worth(play) : -worth(play);
    byMinute.set(minute, (byMinute.get(minute) ?? 0) + lead);
  }
  const graphPoints = Array.from({ length: last }, (_, index) => {
    let lead = 0;
    for (let minute = index + 2 - MOMENTUM_MINUTES; minute <= index + 1; minute++) lead += byMinute.get(minute) ?? 0;
    return { minute: index + 1, value: Math.max(-100, Math.min(100, Math.round((lead / FULL_MOMENTUM) * 100))) };
  });
  return { graphPoints };
}
