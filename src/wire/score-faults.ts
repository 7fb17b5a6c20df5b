/** Checks a final score against its periods. Pure. */
import { findSport } from '../sports/sports.ts';
import type { Fault } from './fault.ts';
import type { MatchUpdate } from './feed-update.ts';
import { STATUS_DETAILS } from './match.ts';

/** Details after which the periods add up to the score. */
const PLAYED = ['ended', 'after_extra_time', 'after_penalties'];
const SHOOT_OUT = /^(?:PEN|SO)$/u;

/**
 * Returns the contradictions in an update between score and periods. A live match is not checked, because a provider may report
 * the score before the period. Awarded results, retirements and walkovers are not checked either, because their periods do not
 * add up to the score.
 */
export function scoreFaults({ match }: { match: Scored }): Fault[] {
  const { sport, score, period_scores = [], status, status_detail } = match;
  const rules = findSport(sport)?.score;
  if (rules === undefined || !score) return [];
  const isOver = status === 'finished' || (status_detail && STATUS_DETAILS[status_detail].status === 'finished');
  if (!isOver || (status_detail !== undefined && !PLAYED.includes(status_detail))) return [];
  const periods = period_scores.filter(({ period }) => !SHOOT_OUT.test(period));
  if (rules.hasWinner && score.home === score.away) {
    const detail = `a match of ${sport} cannot end ${score.home}:${score.away}; if a side gave up, send the status_detail retired`;
    return [{ path: 'match.score', code: 'score_mismatch', detail }];
  }
  if (rules.periods === undefined || periods.length === 0) return [];
  const made = rules.periods === 'won' ? countWon(periods) : sum(periods);
  // If periods are missing, the score is checked only as an upper bound, since some sources have only the first half.
  const isComplete = rules.periods === 'won' || periods.length >= rules.periods;
  const agrees = isComplete
    ? made.home === score.home && made.away === score.away
    : made.home <= score.home && made.away <= score.away;
  if (agrees) return [];
  const detail = `the periods add up to ${made.home}:${made.away}, not ${score.home}:${score.away}`;
  return [{ path: 'match.period_scores', code: 'score_mismatch', detail }];
}

type Scored = Pick<MatchUpdate['match'], 'sport' | 'score' | 'period_scores' | 'status' | 'status_detail'>;
type Period = NonNullable<MatchUpdate['match']['period_scores']>[number];

const sum = (periods: readonly Period[]) => ({
  home: periods.reduce((total, { home }) => total + home, 0),
  away: periods.reduce((total, { away }) => total + away, 0),
});

const countWon = (periods: readonly Period[]) => ({
  home: periods.filter(({ home, away }) => home > away).length,
  away: periods.filter(({ home, away }) => away > home).length,
});
