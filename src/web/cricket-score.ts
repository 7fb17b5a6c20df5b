/** Writes an innings as cricket does: `158/4 (17.2)`. */
import { findSport } from '../sports/sports.ts';
import type { MatchItem } from '../wire/match.ts';

type Side = 'home' | 'away';
type Period = MatchItem['extra']['period_scores'][number];

const ALL_OUT = 10;
/** A match in which a side bats twice has more innings than this. */
const ONE_EACH = 2;

/** Returns the runs of a side in an innings with the wickets that fell: `158/4`, `158` if all are out, `158/4d` if declared. */
export function inningsScore(period: Period, side: Side): string {
  const { innings } = period;
  const runs = String(period[side]);
  if (innings === undefined || innings.batting !== side) return runs;
  const wickets = innings.wickets >= ALL_OUT ? '' : `/${innings.wickets}`;
  return `${runs}${wickets}${innings.declared ? 'd' : ''}`;
}

/** Returns the innings of a side, without super overs. */
const listInnings = ({ extra }: Pick<MatchItem, 'extra'>, side: Side): Period[] =>
  extra.period_scores.filter(({ period, innings }) => innings?.batting === side && period.startsWith('I'));

/** A score with its overs apart: `158/4` and `17.2`. */
interface CricketScore {
  runs: string;
  overs: string | null;
}

/**
 * Returns a side's score: `158/4 (17.2)`, or `240 & 158/4` if it bats twice. The overs are of the innings in play, and of matches with
 * one innings each.
 * @returns null for other sports, and if nothing but the runs is known
 */
export function cricketScore(item: Scored, side: Side): string | null {
  const found = splitScore(item, side);
  return found && (found.overs === null ? found.runs : `${found.runs} (${found.overs})`);
}

type Scored = Pick<MatchItem, 'sport' | 'status' | 'extra'>;

/** Returns the parts of `cricketScore`. */
export function splitScore(item: Scored, side: Side): CricketScore | null {
  if (findSport(item.sport)?.wickets !== true) return null;
  const own = listInnings(item, side);
  const last = own.at(-1);
  if (last === undefined) return null;
  const runs = own.map((one) => inningsScore(one, side)).join(' & ');
  const hasOvers =
    item.status === 'live' ? item.extra.period_scores.at(-1) === last : item.extra.period_scores.length <= ONE_EACH;
  const isLimited = item.status === 'finished' && countInnings(item) <= ONE_EACH;
  return { runs, overs: hasOvers || isLimited ? last.innings!.overs : null };
}

const countInnings = ({ extra }: Pick<MatchItem, 'extra'>): number =>
  extra.period_scores.filter(({ period }) => period.startsWith('I')).length;
