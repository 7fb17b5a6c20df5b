/** Conditions that can be trends of a side, and the number of the league's matches that meet each. Pure. */
import type { TrendCondition } from '../sports/sport.ts';
import type { SideMatch } from './form.ts';
import type { LeagueCounts } from './league-counts.ts';

type Seen = Pick<SideMatch, 'outcome' | 'scored' | 'conceded'>;

interface Condition {
  isMet(match: Seen): boolean;
  /** Number of the league's matches in which the home side met it, and in which the visitors did. */
  ofLeague(league: LeagueCounts): { home: number; away: number };
}

const goalsOf = ({ scored, conceded }: Seen): number => scored + conceded;

/** A condition of the match: both sides meet it or neither. */
const ofMatch = (isMet: Condition['isMet'], count: (league: LeagueCounts) => number): Condition => ({
  isMet,
  ofLeague: (league) => ({ home: count(league), away: count(league) }),
});

/** A condition of the side. */
const ofSide = (
  isMet: Condition['isMet'],
  home: (league: LeagueCounts) => number,
  away: (league: LeagueCounts) => number,
): Condition => ({ isMet, ofLeague: (league) => ({ home: home(league), away: away(league) }) });

type Line = 1 | 2 | 3 | 4 | 5 | 6;
const over = (line: Line): Condition =>
  ofMatch(
    (match) => goalsOf(match) > line,
    (league) => league[`over_${line}_5`],
  );
const under = (line: Line): Condition =>
  ofMatch(
    (match) => goalsOf(match) <= line,
    (league) => league.matches - league[`over_${line}_5`],
  );

/** By their keys. A later one never displaces an earlier one of the same strength. */
const CONDITIONS = {
  won: ofSide(
    ({ outcome }) => outcome === 'win',
    (league) => league.home_wins,
    (league) => league.away_wins,
  ),
  drawn: ofMatch(
    ({ outcome }) => outcome === 'draw',
    (league) => league.draws,
  ),
  lost: ofSide(
    ({ outcome }) => outcome === 'loss',
    (league) => league.away_wins,
    (league) => league.home_wins,
  ),
  unbeaten: ofSide(
    ({ outcome }) => outcome !== 'loss',
    (league) => league.matches - league.away_wins,
    (league) => league.matches - league.home_wins,
  ),
  winless: ofSide(
    ({ outcome }) => outcome !== 'win',
    (league) => league.matches - league.home_wins,
    (league) => league.matches - league.away_wins,
  ),
  over_1_5: over(1),
  over_2_5: over(2),
  over_3_5: over(3),
  over_4_5: over(4),
  over_5_5: over(5),
  over_6_5: over(6),
  under_1_5: under(1),
  under_2_5: under(2),
  under_3_5: under(3),
  under_4_5: under(4),
  under_5_5: under(5),
  under_6_5: under(6),
  btts: ofMatch(
    ({ scored, conceded }) => scored > 0 && conceded > 0,
    (league) => league.btts,
  ),
  btts_no: ofMatch(
    ({ scored, conceded }) => scored === 0 || conceded === 0,
    (league) => league.matches - league.btts,
  ),
  scored: ofSide(
    ({ scored }) => scored > 0,
    (league) => league.home_scored,
    (league) => league.away_scored,
  ),
  scored_two: ofSide(
    ({ scored }) => scored > 1,
    (league) => league.home_scored_two,
    (league) => league.away_scored_two,
  ),
  scored_four: ofSide(
    ({ scored }) => scored > 3,
    (league) => league.home_scored_four,
    (league) => league.away_scored_four,
  ),
  failed_to_score: ofSide(
    ({ scored }) => scored === 0,
    (league) => league.matches - league.home_scored,
    (league) => league.matches - league.away_scored,
  ),
  conceded: ofSide(
    ({ conceded }) => conceded > 0,
    (league) => league.away_scored,
    (league) => league.home_scored,
  ),
  conceded_two: ofSide(
    ({ conceded }) => conceded > 1,
    (league) => league.away_scored_two,
    (league) => league.home_scored_two,
  ),
  conceded_four: ofSide(
    ({ conceded }) => conceded > 3,
    (league) => league.away_scored_four,
    (league) => league.home_scored_four,
  ),
  clean_sheet: ofSide(
    ({ conceded }) => conceded === 0,
    (league) => league.matches - league.away_scored,
    (league) => league.matches - league.home_scored,
  ),
} satisfies Record<TrendCondition, Condition>;

export type ConditionKey = keyof typeof CONDITIONS;
export const CONDITION_KEYS = Object.keys(CONDITIONS) as [ConditionKey, ...ConditionKey[]];

export const isMet = (condition: ConditionKey, match: Seen): boolean => CONDITIONS[condition].isMet(match);

export const countsOfLeague = (condition: ConditionKey, league: LeagueCounts): { home: number; away: number } =>
  CONDITIONS[condition].ofLeague(league);

/** Goals of a side, up to more than any condition distinguishes. */
const COMPARED_GOALS = Array.from({ length: 10 }, (_, goals) => goals);
const COMPARED: Seen[] = COMPARED_GOALS.flatMap((scored) =>
  COMPARED_GOALS.map((conceded) => {
    const outcome = scored > conceded ? 'win' : scored < conceded ? 'loss' : 'draw';
    return { scored, conceded, outcome };
  }),
);

/** Whether every match that meets one condition also meets the other, shoot-outs aside. */
export const implies = (one: ConditionKey, other: ConditionKey): boolean =>
  COMPARED.every((match) => !isMet(one, match) || isMet(other, match));
