/**
 * Sums up appearances and results. The sums are stored, and figures are computed from them. A figure that no source reports
 * is null, never 0. Pure.
 */
import type { z } from 'zod';
import type { CommonFigure } from '../sports/sport-words.ts';
import { findSport } from '../sports/sports.ts';
import { type Appearance, isGoalkeeper } from './appearances.ts';
import { addCricketSums, type CricketSums, matchSums } from './cricket-figures.ts';
import type { seasonStatistics } from './schema.ts';
import type { SideMatch } from './side-matches.ts';

/** Which figures are known in a season. A figure is known if at least one value is above 0; see `topScorers`. */
export interface SeasonKnowledge {
  /** Slug. Figures that the sport does not have, such as cards in cricket, are unknown. */
  sport: string;
  assists: boolean;
  penalties: boolean;
}

export type TeamFigures = Omit<
  z.infer<typeof seasonStatistics>,
  'season_id' | 'season_label' | 'tournament_id' | 'tournament' | 'team_id' | 'team_name' | 'team_name_ru' | 'cricket'
>;
export type PlayerFigures = Omit<TeamFigures, 'wins' | 'draws' | 'losses' | 'goals_against'>;

/** The counts for a player in a match. */
const COUNTED = ['goals', 'penalties', 'own_goals', 'assists', 'yellow_cards', 'red_cards'] as const;
type Counts = Record<(typeof COUNTED)[number], number>;

/** A team's sums over finished matches in a season. */
export interface TeamSums extends Pick<Counts, 'penalties' | 'own_goals' | 'assists'> {
  /** True if this holds for all matches; see `SideMatch`. */
  has_lineups: boolean;
  has_scorers: boolean;
  is_detailed: boolean;
  matches: number;
  wins: number;
  draws: number;
  losses: number;
  goals: number;
  goals_against: number;
  yellow_cards: number | null;
  red_cards: number | null;
  clean_sheets: number;
}

/** A player's sums over a team's finished matches in a season, even if not all matches are known. */
export interface PlayerSums extends Counts {
  /** Matches in which the player appeared. */
  matches: number;
  /** Null if unknown for any match. */
  starts: number | null;
  minutes: number | null;
  clean_sheets: number | null;
  is_goalkeeper: boolean;
  /** Null in other sports, and if any match has no figures of players. */
  own_sums: CricketSums | null;
}

const sum = <T>(list: readonly T[], value: (item: T) => number) => list.reduce((total, item) => total + value(item), 0);
/** Returns the sum; null if any value is unknown. */
export const sumOrNull = <T>(list: readonly T[], value: (item: T) => number | null): number | null =>
  list.reduce<number | null>((total, item) => {
    const one = value(item);
    return total === null || one === null ? null : total + one;
  }, 0);

const FULL_MATCH_MINUTES = 90;

/** Adds up a player's appearances for one team in a season. */
export function addAppearances(appearances: readonly Appearance[]): PlayerSums {
  const played = appearances.filter(({ part }) => part.appeared);
  const counts = Object.fromEntries(COUNTED.map((name) => [name, sum(appearances, ({ part }) => part[name])]));
  return {
    ...(counts as Counts),
    matches: played.length,
    starts: sumOrNull(played, ({ part: { started } }) => (started === null ? null : Number(started))),
    minutes: sumOrNull(played, ({ part }) => part.minutes),
    clean_sheets: cleanSheets(played),
    is_goalkeeper: appearances.some(isGoalkeeper),
    own_sums: addOwnSums(played),
  };
}

function addOwnSums(played: readonly Appearance[]): CricketSums | null {
  const [first] = played;
  if (first === undefined || !findSport(first.match.sport)?.wickets) return null;
  const known = played.flatMap(({ stats }) => (stats === null ? [] : [matchSums(stats)]));
  return known.length < played.length ? null : addCricketSums(known);
}

/** Counts the matches that a goalkeeper played from start to end without conceding a goal. */
const cleanSheets = (played: readonly Appearance[]): number | null =>
  sumOrNull(played, (one) => {
    if (!isGoalkeeper(one) || one.match.score_against > 0) return 0;
    return one.part.minutes === null ? null : Number(one.part.minutes >= FULL_MATCH_MINUTES);
  });

/** Adds up a team's results in a season, and the players' assists, penalties and own goals. */
export function addMatches(matches: readonly SideMatch[], appearances: readonly Appearance[]): TeamSums {
  const count = (counts: (match: SideMatch) => boolean) => matches.filter(counts).length;
  const { penalties, own_goals, assists } = addAppearances(appearances);
  return {
    has_lineups: matches.every(({ has_lineups }) => has_lineups),
    has_scorers: matches.every(({ has_scorers }) => has_scorers),
    is_detailed: matches.every(({ is_detailed }) => is_detailed),
    matches: matches.length,
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

/** Sums for a member of the squad who did not appear, and for a team without a finished match. */
export const NO_APPEARANCE: PlayerSums = addAppearances([]);
export const NO_MATCHES: TeamSums = addMatches([], []);

const when = <T>(isKnown: boolean, value: T) => (isKnown ? value : null);

/** Whether players and teams of the sport have the figure. A figure without a ranking is another sport's. */
const hasFigure = ({ sport }: SeasonKnowledge, figure: CommonFigure) =>
  findSport(sport)?.leaders.includes(figure) ?? true;

/**
 * Returns the figures that are known.
 * @param team tells what the sources report for all of the team's matches, including those without the player
 */
export function playerFigures(
  player: Omit<PlayerSums, 'own_sums'>,
  team: TeamSums,
  known: SeasonKnowledge,
): PlayerFigures {
  const { has_lineups, has_scorers, is_detailed } = team;
  const hasAppearances = has_lineups && is_detailed;
  return {
    matches: when(hasAppearances, player.matches),
    starts: when(has_lineups, player.starts),
    minutes: when(hasAppearances, player.minutes),
    goals: when(has_scorers, player.goals),
    penalties: when(has_scorers && known.penalties, player.penalties),
    own_goals: when(has_scorers && hasFigure(known, 'own_goals'), player.own_goals),
    assists: when(has_scorers && known.assists, player.assists),
    yellow_cards: when(is_detailed && hasFigure(known, 'yellow_cards'), player.yellow_cards),
    red_cards: when(is_detailed && hasFigure(known, 'red_cards'), player.red_cards),
    clean_sheets: when(hasAppearances && player.is_goalkeeper && hasFigure(known, 'clean_sheets'), player.clean_sheets),
  };
}

export const teamFigures = (team: TeamSums, known: SeasonKnowledge): TeamFigures => ({
  matches: team.matches,
  starts: null,
  minutes: null,
  wins: team.wins,
  draws: team.draws,
  losses: team.losses,
  goals: team.goals,
  goals_against: team.goals_against,
  penalties: when(team.has_scorers && known.penalties, team.penalties),
  own_goals: when(team.has_scorers && hasFigure(known, 'own_goals'), team.own_goals),
  assists: when(team.has_scorers && known.assists, team.assists),
  yellow_cards: when(hasFigure(known, 'yellow_cards'), team.yellow_cards),
  red_cards: when(hasFigure(known, 'red_cards'), team.red_cards),
  clean_sheets: when(hasFigure(known, 'clean_sheets'), team.clean_sheets),
});
