/**
 * Elo ratings for sports without a goals model, by the method that FiveThirtyEight published for American football and basketball (N.
 * Silver, "Introducing NFL Elo Ratings", 2014; R. Fischer-Baum and N. Silver, "The Complete History of the NBA", 2015). A clear win moves
 * more points than a narrow one. Between two seasons, each team moves towards the mean. Pure.
 */
import type { MarginFactor, MarginRating } from '../../sports/margin-rating.ts';
import { type EloMatch, type EloModel, eloResult, expectedResult, hostSign, TeamRatings } from './elo.ts';

export interface MarginMatch extends EloMatch {
  /** The year in which the season begins. */
  year: number;
}

/** The ratings with which both sides enter a match, and the number of matches that each side has played before. */
export interface RatingsBefore {
  home: number;
  away: number;
  home_matches: number;
  away_matches: number;
}

/** Lowest lead of a winner that the formulas use, because they have a pole below it. No real match comes near. */
const LEAST_LEAD = -1_000;

/**
 * @param margin score difference, 0 or more
 * @param winnerLead the winner's lead in rating, home advantage included; 0 for a draw
 */
export function marginFactor(kind: MarginFactor, margin: number, winnerLead: number): number {
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

export class MarginElo implements EloModel<MarginMatch> {
  readonly ratings = new TeamRatings();
  readonly #parameters: MarginRating;
  /** Year in which each team's last season began, by team. */
  readonly #years = new Map<number, number>();

  constructor(parameters: MarginRating) {
    this.#parameters = parameters;
  }

  before({ home_id, away_id, year }: MarginMatch): RatingsBefore {
    const { ratings } = this;
    return {
      home: this.#entering(home_id, year),
      away: this.#entering(away_id, year),
      home_matches: ratings.played(home_id),
      away_matches: ratings.played(away_id),
    };
  }

  difference(match: MarginMatch): number {
    const { home, away } = this.before(match);
    return home - away + this.#parameters.homeAdvantage * hostSign(match);
  }

  play(day: readonly MarginMatch[]): void {
    const { k, margin } = this.#parameters;
    const played = day.map((match) => {
      const difference = this.difference(match);
      const result = eloResult(match);
      const lead = (2 * result - 1) * difference;
      const factor = marginFactor(margin, Math.abs(match.home_score - match.away_score), lead);
      return { match, points: k * factor * (result - expectedResult(difference)) };
    });
    for (const { match } of played) this.#enter(match);
    for (const { match, points } of played) {
      this.ratings.add(match.home_id, points);
      this.ratings.add(match.away_id, -points);
    }
  }

  /** Returns the rating with which a team enters a match in a season that begins in `year`. */
  #entering(team: number, year: number): number {
    const { start, mean, regression } = this.#parameters;
    const rating = this.ratings.of(team);
    if (rating === undefined) return start;
    return year > this.#years.get(team)! ? rating + regression * (mean - rating) : rating;
  }

  #enter({ home_id, away_id, start, year }: MarginMatch): void {
    for (const team of [home_id, away_id]) {
      this.ratings.enter(team, this.#entering(team, year));
      // If a team plays in two tournaments whose seasons overlap, the later season counts.
      this.#years.set(team, Math.max(year, this.#years.get(team) ?? year));
      this.ratings.notePlayed(team, start);
    }
  }
}
