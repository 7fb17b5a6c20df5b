/** The win probability of a Twenty20 match over time: after each ball, or after each over if only the overs are known. Pure. */
import type { Innings } from '../wire/innings.ts';
import type { BySide, Chances } from './chances.ts';
import { homeChance, type InningsState } from './innings-chances.ts';
import {
  type BothInnings,
  endOf,
  finalResult,
  type InningsMatch,
  inFirst,
  inSecond,
  type Progress,
  presentState,
  twenty20,
} from './innings-match.ts';
import type { InningsParameters } from './innings-parameters.ts';
import { toWinProbability, type WinProbability } from './percent.ts';

/** Why a point exists. `innings` is the start of the second innings. */
export const INNINGS_REASONS = ['start', 'ball', 'over', 'wicket', 'innings', 'now', 'end'] as const;

export interface InningsPoint extends WinProbability {
  period: string;
  /** Overs and balls, such as 17.2. */
  overs: string;
  reason: (typeof INNINGS_REASONS)[number];
  /** Of the innings. */
  runs: number;
  wickets: number;
}

/** A moment of an innings. */
export interface Moment extends Progress {
  reason: 'ball' | 'over' | 'wicket';
}

const PER_OVER = 6;
const oversText = (balls: number): string =>
  `${Math.floor(balls / PER_OVER)}${balls % PER_OVER === 0 ? '' : `.${balls % PER_OVER}`}`;

/** Returns the moments after each ball, or after each over whose deliveries are not known. Penalty runs count from the start. */
function findMoments({ runs: total, overs, by_over }: Innings): Moment[] {
  const end = endOf({ runs: 0, wickets: 0, overs }).balls;
  const found: Moment[] = [];
  const now = { runs: total - by_over.reduce((sum, { runs }) => sum + runs, 0), wickets: 0 };
  for (const [index, { runs, wickets, deliveries }] of by_over.entries()) {
    const start = index * PER_OVER;
    let legal = 0;
    for (const delivery of deliveries ?? [{ runs, wickets, isOver: true }]) {
      now.runs += delivery.runs;
      now.wickets += delivery.wickets ?? 0;
      if ('isOver' in delivery) legal = PER_OVER;
      else if (delivery.extra === undefined) legal++;
      const balls = Math.min(start + Math.min(legal, PER_OVER), end);
      const reason = delivery.wickets ? 'wicket' : 'isOver' in delivery ? 'over' : 'ball';
      found.push({ ...now, balls, reason });
    }
  }
  return found;
}

/** Returns the states after each moment of both innings. */
export function inningsStates(both: BothInnings): { state: InningsState; moment: Moment; period: string }[] {
  const states = (one: Innings, toState: (now: Progress) => InningsState) =>
    findMoments(one).map((moment) => ({ state: toState(moment), moment, period: one.period }));
  return [
    ...states(both.first, (now) => inFirst(both, now)),
    ...(both.second === null ? [] : states(both.second, (now) => inSecond(both, now))),
  ];
}

const toChances = (home: number): Chances => ({ home, draw: 0, away: 1 - home });

/**
 * Returns the chances now. A tie is decided by a super over, in which both sides have the same chance.
 * @returns null before the first ball, for another form of the game, and for a match without a result
 */
export function inningsChances(match: InningsMatch, expected: BySide, parameters: InningsParameters): Chances | null {
  const state = match.status === 'scheduled' ? null : presentState(match);
  if (state === null) return null;
  if (match.status === 'finished') {
    const winner = finalResult(match);
    return (
      winner && { home: Number(winner === 'home'), draw: Number(winner === 'draw'), away: Number(winner === 'away') }
    );
  }
  return toChances(state === 'super_over' ? 0.5 : homeChance(state, expected, parameters));
}

/**
 * Returns the points in the order of play. The second innings is computed with the last target, even if it was revised later. A
 * match without a result has none.
 */
export function inningsTimeline(match: InningsMatch, expected: BySide, parameters: InningsParameters): InningsPoint[] {
  const both = twenty20(match.innings);
  const last = inningsChances(match, expected, parameters);
  if (both === null || last === null) return [];
  const point = (state: InningsState, at: Progress, period: string, reason: InningsPoint['reason']): InningsPoint => ({
    period,
    overs: oversText(at.balls),
    reason,
    runs: at.runs,
    wickets: at.wickets,
    ...toWinProbability(toChances(homeChance(state, expected, parameters))),
  });
  const nothing = { runs: 0, wickets: 0, balls: 0 };
  const points = [point(inFirst(both, nothing), nothing, both.first.period, 'start')];
  for (const { state, moment, period } of inningsStates(both)) {
    if (period !== points.at(-1)!.period) points.push(point(inSecond(both, nothing), nothing, period, 'innings'));
    points.push(point(state, moment, period, moment.reason));
  }
  const { period, overs, runs, wickets } = points.at(-1)!;
  const isOver = match.status === 'finished';
  const now = isOver ? { period, overs, runs, wickets } : present(match, { period, overs, runs, wickets });
  return [...points, { ...now, reason: isOver ? 'end' : 'now', ...toWinProbability(last) }];
}

/** Returns the score of the innings that is played now. */
function present(
  { period_scores }: InningsMatch,
  known: Pick<InningsPoint, 'period' | 'overs' | 'runs' | 'wickets'>,
): Pick<InningsPoint, 'period' | 'overs' | 'runs' | 'wickets'> {
  const now = period_scores.findLast(({ period, innings }) => innings !== undefined && period.startsWith('I'));
  if (now?.innings === undefined) return known;
  const { batting, overs, wickets } = now.innings;
  return { period: now.period, overs, runs: now[batting], wickets };
}
