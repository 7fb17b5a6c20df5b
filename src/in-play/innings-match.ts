/** States of a Twenty20 match, from its innings. Pure. */
import type { Innings } from '../wire/innings.ts';
import type { StatusDetail } from '../wire/match.ts';
import type { InningsState, Side } from './innings-chances.ts';
import { ALL_WICKETS, FULL_BALLS } from './innings-parameters.ts';

export interface InningsMatch {
  status: 'scheduled' | 'live' | 'finished';
  status_detail: StatusDetail;
  home_score: number | null;
  away_score: number | null;
  /** The result, if the score does not show it. */
  given_winner: Side | 'draw' | null;
  period_scores: readonly {
    period: string;
    home: number;
    away: number;
    innings?: { batting: Side; wickets: number; overs: string } | undefined;
  }[];
  innings: readonly Innings[];
}

const BALLS_IN_OVER = 6;

/** Returns the balls in overs such as 17.2. */
export function ballsIn(overs: string): number {
  const [whole, balls = '0'] = overs.split('.');
  return Number(whole) * BALLS_IN_OVER + Number(balls);
}

/** Both regular innings of a match. The second one is null until it begins. */
export interface BothInnings {
  first: Innings & { max_overs: string };
  second: Innings | null;
}

/**
 * Returns the innings of a match with one innings of at most 20 overs for each side.
 * @returns null for another form of the game, and if the limit of the overs is not known
 */
export function twenty20(innings: readonly Innings[]): BothInnings | null {
  const [first, second = null, third] = innings.filter(({ period }) => period.startsWith('I'));
  if (first === undefined || third !== undefined || second?.batting === first.batting) return null;
  const { max_overs, balls_per_over } = first;
  if (max_overs === null || balls_per_over !== BALLS_IN_OVER || ballsIn(max_overs) > FULL_BALLS) return null;
  return { first: { ...first, max_overs }, second };
}

/** Runs, wickets and balls of an innings at a moment. */
export interface Progress {
  runs: number;
  wickets: number;
  balls: number;
}

export const endOf = ({ runs, wickets, overs }: Pick<Innings, 'runs' | 'wickets' | 'overs'>): Progress => ({
  runs,
  wickets,
  balls: ballsIn(overs),
});

/** Balls that the second side has: those of a revised target, or as many as the first side had. */
function secondLimit({ first, second }: BothInnings): number {
  return ballsIn(second?.target?.overs ?? second?.max_overs ?? first.max_overs);
}

const left = (limit: number, { wickets, balls }: Progress) => ({
  balls: Math.max(0, limit - balls),
  wickets: Math.max(0, ALL_WICKETS - wickets),
});
const NOTHING_LEFT = { balls: 0, wickets: 0 };

/** Returns the state while the first side bats. */
export const inFirst = (both: BothInnings, now: Progress): InningsState => ({
  first: both.first.batting,
  runs: { first: now.runs, second: 0 },
  left: {
    first: left(ballsIn(both.first.max_overs), now),
    second: { balls: secondLimit({ ...both, second: null }), wickets: ALL_WICKETS },
  },
});

/** Returns the state while the second side bats. A side that is all out with fewer than ten wickets has none left. */
export const inSecond = (both: BothInnings, now: Progress): InningsState => {
  const target = both.second?.target?.runs;
  return {
    first: both.first.batting,
    runs: { first: target === undefined ? both.first.runs : target - 1, second: now.runs },
    left: { first: NOTHING_LEFT, second: left(secondLimit(both), now) },
  };
};

/** Whether an innings is over, as far as its own figures tell. */
const isOver = ({ all_out, declared, forfeited, wickets, overs }: Innings, limit: number): boolean =>
  all_out || declared || forfeited || wickets >= ALL_WICKETS || ballsIn(overs) >= limit;

/**
 * Returns the present state. The scores of the periods are newer than the innings if a source sends them more often.
 * @returns `super_over` once it has begun; null before the first ball is bowled, and for another form of the game
 */
export function presentState(match: InningsMatch): InningsState | 'super_over' | null {
  const both = twenty20(match.innings);
  if (both === null) return null;
  const periods = [...match.innings, ...match.period_scores].map(({ period }) => period);
  if (periods.some((period) => period.startsWith('SO'))) return 'super_over';
  const current = (one: Innings): Innings => {
    const newer = match.period_scores.find(
      ({ period, innings }) => period === one.period && innings?.batting === one.batting,
    );
    return newer?.innings === undefined ? one : { ...one, ...newer.innings, runs: newer[one.batting] };
  };
  const first = { ...both.first, ...current(both.first), max_overs: both.first.max_overs };
  const chase = match.period_scores.find(({ innings }) => innings !== undefined && innings.batting !== first.batting);
  const second = both.second ?? (chase?.innings ? begun(first, chase.period, chase.innings) : null);
  const now = { first, second: second && current(second) };
  if (now.second !== null) {
    const end = endOf(now.second);
    return inSecond(now, now.second.all_out ? { ...end, wickets: ALL_WICKETS } : end);
  }
  if (isOver(first, ballsIn(first.max_overs)) || match.status_detail === 'break')
    return inSecond(now, { runs: 0, wickets: 0, balls: 0 });
  return inFirst(now, endOf(first));
}

/** Returns the result of a finished match, a super over included; null without a result. */
export function finalResult({
  status_detail,
  home_score,
  away_score,
  given_winner,
  period_scores,
}: InningsMatch): Side | 'draw' | null {
  if (status_detail === 'abandoned' || status_detail === 'cancelled' || home_score === null || away_score === null)
    return null;
  if (given_winner !== null) return given_winner;
  const superOver = period_scores.findLast(({ period }) => period.startsWith('SO'));
  const lead = home_score - away_score || (superOver ? superOver.home - superOver.away : 0);
  return lead > 0 ? 'home' : lead < 0 ? 'away' : 'draw';
}

/** Returns an innings of which only the score is known, with as many overs as the first one. */
const begun = (
  first: Innings,
  period: string,
  { batting, wickets, overs }: { batting: Side; wickets: number; overs: string },
): Innings => ({
  ...first,
  period,
  batting,
  wickets,
  overs,
  target: null,
  all_out: false,
  declared: false,
  forfeited: false,
  by_over: [],
});
