/**
 * Writes a tie's result as text, such as `3:2 on aggregate after extra time`, `1:1; 2:0 in the replay` or `4:2 in the
 * series`. Pure.
 */
import { OVERTIME } from '../../sports/sport-words.ts';
import { findSport } from '../../sports/sports.ts';
import { type BracketMatch, OVERTIMES, orientScore, orientShootOut, periodScore, type Sides } from './pairings.ts';

const text = ([first, second]: Sides) => `${first}:${second}`;

/** False for the period OT in Australian football, whose name is extra time. */
const isCalledOvertime = ({ sport }: BracketMatch) =>
  sport === undefined || findSport(sport)?.words.periods.OT === OVERTIME;

/** Returns a text such as " after extra time, 4:2 on penalties", with the parts that are known. */
function howItEnded(match: BracketMatch, sides: Sides): string {
  const overtime =
    periodScore(match, OVERTIMES)?.period ?? (match.status_detail === 'after_extra_time' ? 'ET' : undefined);
  const went =
    overtime === undefined
      ? ''
      : overtime === 'OT' && isCalledOvertime(match)
        ? ' after overtime'
        : ' after extra time';
  const kicks = orientShootOut(match, sides);
  const how = match.period_scores.some(({ period }) => period === 'SO') ? 'after a shoot-out' : 'on penalties';
  if (kicks !== null) return `${went}, ${text(kicks)} ${how}`;
  return match.status_detail === 'after_penalties' ? `${went}, ${how}` : went;
}

const DECISIONS: Record<string, string> = { awarded: ', awarded', walkover: ', walkover', retired: ', retired' };

function matchText(match: BracketMatch, sides: Sides): string {
  return `${text(orientScore(match, sides)!)}${howItEnded(match, sides)}${DECISIONS[match.status_detail] ?? ''}`;
}

export const matchTexts = (matches: readonly BracketMatch[], sides: Sides): string =>
  matches.map((match) => matchText(match, sides)).join('; ');

export const replayText = (before: readonly BracketMatch[], last: BracketMatch, sides: Sides): string =>
  before.length > 0 ? `${matchTexts([...before, last], sides)} in the replay` : matchText(last, sides);

/** @param onAwayGoals true if away goals alone decide between the sides */
export function aggregateText(score: Sides, legs: readonly BracketMatch[], sides: Sides, onAwayGoals: boolean): string {
  const how = onAwayGoals ? ' on away goals' : '';
  const awarded = legs.some(({ status_detail }) => status_detail in DECISIONS) ? ', a leg was awarded' : '';
  return `${text(score)} on aggregate${howItEnded(legs.at(-1)!, sides)}${how}${awarded}`;
}

/** @param before total score over the legs */
export const playOffText = (before: Sides, last: BracketMatch, sides: Sides): string =>
  `${text(before)} on aggregate; ${matchText(last, sides)} in the play-off`;

export const seriesText = (score: Sides): string => `${text(score)} in the series`;
