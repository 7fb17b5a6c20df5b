/** Sums up appearances and results. A figure that no source reports is null, never 0. Pure. */
import type { z } from 'zod';
import { type Appearance, isGoalkeeper } from './appearances.ts';
import type { seasonStatistics } from './schema.ts';
import type { SideMatch } from './side-matches.ts';

/** Which figures are known in a season. A figure is known if at least one value is above 0; see `topScorers`. */
export interface SeasonKnowledge {
  assists: boolean;
  penalties: boolean;
}

export type TeamFigures = Omit<
  z.infer<typeof seasonStatistics>,
  'season_id' | 'season_label' | 'tournament_id' | 'tournament' | 'team_id' | 'team_name' | 'team_name_ru'
>;
export type PlayerFigures = Omit<TeamFigures, 'wins' | 'draws' | 'losses' | 'goals_against'>;

const sum = <T>(list: readonly T[], value: (item: T) => number) => list.reduce((total, item) => total + value(item), 0);
/** Returns the sum; null if any value is unknown. */
export const sumOrNull = <T>(list: readonly T[], value: (item: T) => number | null): number | null =>
  list.reduce<number | null>((total, item) => {
    const one = value(item);
    return total === null || one === null ? null : total + one;
  }, 0);
/** What is counted in a player's part in a match. */
type Counted = 'goals' | 'penalties' | 'own_goals' | 'assists' | 'yellow_cards' | 'red_cards';

const FULL_MATCH_MINUTES = 90;

/**
 * Adds up a player's part in one team's matches. @param matches all the team's matches in the season, including those
 * without the player, since they show which figures sources report
 */
export function playerFigures(
  matches: readonly SideMatch[],
  appearances: readonly Appearance[],
  known: SeasonKnowledge,
): PlayerFigures {
  const when = <T>(isKnown: boolean, value: T) => (isKnown ? value : null);
  const hasLineups = matches.every(({ has_lineups }) => has_lineups);
  const hasScorers = matches.every(({ has_scorers }) => has_scorers);
  const isDetailed = matches.every(({ is_detailed }) => is_detailed);
  const hasAppearances = hasLineups && isDetailed;
  const played = appearances.filter(({ part }) => part.appeared);
  const total = (isKnown: boolean, name: Counted) =>
    when(
      isKnown,
      sum(appearances, ({ part }) => part[name]),
    );
  return {
    matches: when(hasAppearances, played.length),
    starts: when(
      hasLineups,
      sumOrNull(played, ({ part: { started } }) => (started === null ? null : Number(started))),
    ),
    minutes: when(
      hasAppearances,
      sumOrNull(played, ({ part }) => part.minutes),
    ),
    goals: total(hasScorers, 'goals'),
    penalties: total(hasScorers && known.penalties, 'penalties'),
    own_goals: total(hasScorers, 'own_goals'),
    assists: total(hasScorers && known.assists, 'assists'),
    yellow_cards: total(isDetailed, 'yellow_cards'),
    red_cards: total(isDetailed, 'red_cards'),
    clean_sheets: when(hasAppearances && appearances.some(isGoalkeeper), cleanSheets(played)),
  };
}

/** Counts matches that a goalkeeper played from start to end without a goal against the team. */
const cleanSheets = (played: readonly Appearance[]): number | null =>
  sumOrNull(played, (one) => {
    if (!isGoalkeeper(one) || one.match.score_against > 0) return 0;
    return one.part.minutes === null ? null : Number(one.part.minutes >= FULL_MATCH_MINUTES);
  });

/** Adds up a team's results in a season, and the players' assists and penalties. */
export function teamFigures(
  matches: readonly SideMatch[],
  appearances: readonly Appearance[],
  known: SeasonKnowledge,
): TeamFigures {
  const count = (counts: (match: SideMatch) => boolean) => matches.filter(counts).length;
  const { penalties, assists, own_goals } = playerFigures(matches, appearances, known);
  return {
    matches: matches.length,
    starts: null,
    minutes: null,
    wins: count(({ result }) => result === 'W'),
    draws: count(({ result }) => result === 'D'),
    losses: count(({ result }) => result === 'L'),
    goals: sum(matches, ({ score_for }) => score_for),
    goals_against: sum(matches, ({ score_against }) => score_against),
    penalties,
    own_goals,
    assists,
    yellow_cards: sumOrNull(matches, ({ yellow_cards }) => yellow_cards),
    red_cards: sumOrNull(matches, ({ red_cards }) => red_cards),
    clean_sheets: count(({ score_against }) => score_against === 0),
  };
}
