/**
 * Elo ratings for sports without a goals model, by the method that FiveThirtyEight published for American football and basketball (N.
 * Silver, "Introducing NFL Elo Ratings", 2014; R. Fischer-Baum and N. Silver, "The Complete History of the NBA", 2015). A clear win moves
 * more points than a narrow one. Between two seasons, each team moves towards the mean. Pure.
 */

import type { MarginFactor, MarginRating } from '../../sports/margin-rating.ts';
import { SECONDS_PER_DAY } from '../samples/match-samples.ts';
import { type EloMatch, type EloModel, eloResult, expectedResult, hostSign, TeamRatings } from './elo.ts';

export interface MarginMatch extends EloMatch {
  /** The year in which the season begins. */
  year: number;
  tournament_id?: number;
  /** The winner, including a shoot-out. Absent or null if only the score is known. */
  winner?: 'home' | 'away' | 'draw' | null;
}

/** The ratings with which both sides enter a match, and the number of matches that each side has played before. */
export interface RatingsBefore {
  home: number;
  away: number;
  home_matches: number;
  away_matches: number;
  /** Points for playing at home; 0 on neutral ground, negative if the away side is at home. */
  home_advantage: number;
  /** Points by which the home side leads because of a match on the day before: of the away side, or (negative) its own. */
  rest: number;
}

/** Lowest lead of a winner that the formulas use, because they have a pole below it. No real match comes near. */
const LEAST_LEAD = -1_000;

/**
 * @param margin score difference, 0 or more
 * @param winnerLead the winner's lead in rating, home advantage included; 0 for a draw
 */
export function marginFactor(kind: MarginFactor, margin: number, winnerLead: number): number {
  if (kind === 'none') return 1;
  const lead = Math.max(winnerLead, LEAST_LEAD);
  if (kind === 'power') return (margin + 3) ** 0.8 / (7.5 + 0.006 * lead);
  // A draw counts as a win by one point.
  return (Math.log(Math.max(margin, 1) + 1) * 2.2) / (lead * 0.001 + 2.2);
}

/** Returns home win, draw and away win probabilities. They give the same expected result as Elo. */
export function winProbabilities(difference: number, drawRate: number) {
  const expected = expectedResult(difference);
  // Draws are most likely between equal sides, and almost impossible between very unequal sides.
  const draw = drawRate * 4 * expected * (1 - expected);
  return { home: expected - draw / 2, draw, away: 1 - expected - draw / 2 };
}

/** A gap in a team's or a league's seasons that is longer than this many years makes it new again. */
const MOST_YEARS_AWAY = 2;

/**
 * Returns the home side's result from 0 to 1. A shoot-out counts as the given share of a win. A match whose score does not show
 * the winner, as after a revised target in cricket, counts with the given winner.
 */
export function marginResult(match: MarginMatch, { shootOut = 0 }: Pick<MarginRating, 'shootOut'>): number {
  const byScore = eloResult(match);
  if (match.winner === 'draw') return 0.5;
  if (match.winner !== 'home' && match.winner !== 'away') return byScore;
  const share = byScore === 0.5 ? shootOut : 1;
  return match.winner === 'home' ? 0.5 + share / 2 : 0.5 - share / 2;
}

/** Returns the probability that a match goes to overtime. It is more likely between equal sides. */
export function overtimeProbability(difference: number, overtimeRate: number): number {
  const expected = expectedResult(difference);
  return overtimeRate * 4 * expected * (1 - expected);
}

/** A league, as the ratings see it. */
interface League {
  /** Years in which the last season begins, and the first one without a gap before the last. */
  year: number;
  firstYear: number;
  /** Home advantage in points. */
  advantage: number;
}

const dayNumber = (seconds: number) => Math.floor(seconds / SECONDS_PER_DAY);

export class MarginElo implements EloModel<MarginMatch> {
  readonly ratings = new TeamRatings();
  readonly #parameters: MarginRating;
  /** Year in which each team's last season began, by team. */
  readonly #years = new Map<number, number>();
  /** Matches since each team was new. */
  readonly #experience = new Map<number, number>();
  readonly #leagues = new Map<number, League>();

  constructor(parameters: MarginRating) {
    this.#parameters = parameters;
  }

  before(match: MarginMatch): RatingsBefore {
    const { home_id, away_id } = match;
    const { ratings } = this;
    const { homeAdvantage } = this.#parameters;
    return {
      home: this.#entering(home_id, match),
      away: this.#entering(away_id, match),
      home_matches: ratings.played(home_id),
      away_matches: ratings.played(away_id),
      home_advantage: (this.#leagues.get(match.tournament_id ?? 0)?.advantage ?? homeAdvantage) * hostSign(match),
      rest: this.#tiredness(away_id, match) - this.#tiredness(home_id, match),
    };
  }

  difference(match: MarginMatch): number {
    const { home, away, home_advantage, rest } = this.before(match);
    return home - away + home_advantage + rest;
  }

  play(day: readonly MarginMatch[]): void {
    const { k, margin } = this.#parameters;
    for (const match of day) this.#openSeason(match);
    const played = day.map((match) => {
      const difference = this.difference(match);
      const result = marginResult(match, this.#parameters);
      const lead = (2 * result - 1) * difference;
      const factor = marginFactor(margin, Math.abs(match.home_score - match.away_score), lead);
      const surprise = result - expectedResult(difference);
      return { match, surprise, points: k * factor * surprise };
    });
    for (const { match } of played) this.#enter(match);
    for (const { match, points, surprise } of played) {
      this.ratings.add(match.home_id, points * this.#speed(match.home_id));
      this.ratings.add(match.away_id, -points * this.#speed(match.away_id));
      this.#leagues.get(match.tournament_id ?? 0)!.advantage +=
        (this.#parameters.homeLearning ?? 0) * surprise * hostSign(match);
    }
  }

  /** Notes the league's season, and whether the season before is unknown. */
  #openSeason({ tournament_id = 0, year }: MarginMatch): void {
    const league = this.#leagues.get(tournament_id);
    if (league !== undefined && year <= league.year) return;
    const isNew = league === undefined || year - league.year > MOST_YEARS_AWAY;
    const firstYear = isNew ? year : league.firstYear;
    this.#leagues.set(tournament_id, {
      year,
      firstYear,
      advantage: league?.advantage ?? this.#parameters.homeAdvantage,
    });
  }

  /** Returns how much faster than usual a team's rating moves, and counts the match. */
  #speed(team: number): number {
    const { newcomer } = this.#parameters;
    const played = this.#experience.get(team) ?? 0;
    this.#experience.set(team, played + 1);
    return newcomer === undefined ? 1 : 1 + newcomer.boost * Math.exp(-played / newcomer.matches);
  }

  /** Returns the points that a team loses because it played on the day before. */
  #tiredness(team: number, { start }: MarginMatch): number {
    const last = this.ratings.last(team);
    const { backToBack = 0 } = this.#parameters;
    return last !== undefined && dayNumber(start) - dayNumber(last) <= 1 ? backToBack : 0;
  }

  /** Returns the rating with which a team enters a match. */
  #entering(team: number, { tournament_id = 0, year }: MarginMatch): number {
    const { start, mean, regression, newcomer } = this.#parameters;
    const rating = this.ratings.of(team);
    if (rating === undefined) {
      const isFirst = (this.#leagues.get(tournament_id)?.firstYear ?? year) === year;
      return newcomer !== undefined && isFirst ? mean : start;
    }
    const years = year - this.#years.get(team)!;
    return years > 0 ? mean + (1 - regression) ** years * (rating - mean) : rating;
  }

  #enter(match: MarginMatch): void {
    const { home_id, away_id, start, year } = match;
    for (const team of [home_id, away_id]) {
      this.ratings.enter(team, this.#entering(team, match));
      const last = this.#years.get(team) ?? year;
      if (year - last > MOST_YEARS_AWAY) this.#experience.set(team, 0);
      // If a team plays in two tournaments whose seasons overlap, the later season counts.
      this.#years.set(team, Math.max(year, last));
      this.ratings.notePlayed(team, start);
    }
  }
}
