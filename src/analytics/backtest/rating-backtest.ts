/** Measures the margin ratings on past matches, each from earlier days' matches. Pure. */
import type { MarginRating } from '../../sports/margin-rating.ts';
import { findSport } from '../../sports/sports.ts';
import { LEAST_MATCHES } from '../cards/rating-block.ts';
import { expectedResult } from '../elo/elo.ts';
import { MarginElo, marginResult, winProbabilities } from '../elo/margin-elo.ts';
import type { MarginFixture } from '../elo/margin-matches.ts';
import { expectedMargin } from '../elo/score-forecasts.ts';
import type { Period } from '../history/match-source.ts';
import { matchDays } from '../samples/match-days.ts';
import { playedPeriod } from '../samples/match-samples.ts';
import { type Calibration, calibration } from './forecast-scores.ts';
import { type MarginErrors, marginErrors, type SetScoreScores, scoreSets } from './score-backtest.ts';

/**
 * Scores for an expected result between 0 and 1, where a draw is half a win. FiveThirtyEight scores forecasts in the
 * same way. Smaller is better.
 */
export interface RatingScores {
  /** Mean (expected − actual)². */
  brier: number;
  /** Mean −(actual · ln expected + (1 − actual) · ln (1 − expected)). */
  log_loss: number;
}

/** The calibration covers home wins. */
export interface SportReport extends Calibration {
  /** Slug. */
  sport: string;
  matches: number;
  /** First and last match day as YYYY-MM-DD. */
  period: { from: string; to: string };
  rating: RatingScores;
  /** Baseline without ratings: the home sides' mean result in the tournament's earlier matches. */
  home_rate: RatingScores;
  /** Set if the sport has a forecast of the margin. */
  margin?: MarginErrors;
  /** Set if the sport has a forecast of the score in sets. */
  sets?: SetScoreScores;
  /** Ordered by number of matches. */
  leagues: LeagueScores[];
  published?: PublishedScores;
}

interface LeagueScores {
  id: number;
  name: string;
  matches: number;
  rating: RatingScores;
  home_rate: RatingScores;
  published?: PublishedScores;
}

/** Scores on the matches that have a published forecast; absent if no match has one. */
export interface PublishedScores {
  /** Whose forecasts they are. */
  name: string;
  matches: number;
  rating: RatingScores;
  published: RatingScores;
}

export interface RatingReport {
  sports: SportReport[];
}

/** Published expected results for home sides, by match id. */
export interface PublishedResults {
  name: string;
  expected: ReadonlyMap<number, number>;
}

export interface RatedSport {
  sport: string;
  /** All matches that count for ratings, including matches outside the measured period. */
  matches: readonly MarginFixture[];
  /** Tournament names. */
  names: ReadonlyMap<number, string>;
}

interface RatedMatch {
  match: MarginFixture;
  /** The home side's result from 0 to 1. */
  actual: number;
  rating: number;
  home_rate: number;
  home_win: number;
  /** Expected margin of the home side, if the sport has such a forecast. */
  margin: number | null;
}

/** A tournament's home rate starts as if this many matches, with a mean result of one half, had been played. */
const PRIOR_MATCHES = 20;

/**
 * Leaves out matches in which a side has fewer than five rated matches.
 * @param period bounds for match starts, in seconds since 1970
 */
export function backtestRating(
  sports: readonly RatedSport[],
  { from, to }: Period,
  published: readonly PublishedResults[] = [],
): RatingReport {
  return {
    sports: sports.flatMap((sport) => {
      const rated = rateMatches(sport).filter(({ match }) => match.start >= from && match.start < to);
      const period = playedPeriod(rated.map(({ match }) => match));
      return period === null ? [] : [toReport(sport, rated, period, published)];
    }),
  };
}

function rateMatches({ sport, matches }: RatedSport): RatedMatch[] {
  const parameters = findSport(sport)!.rating!;
  const elo = new MarginElo(parameters);
  const homeRates = new HomeRates();
  const rated: RatedMatch[] = [];
  for (const { matches: day } of matchDays(matches)) {
    for (const match of day) {
      const { home_matches, away_matches } = elo.before(match);
      if (Math.min(home_matches, away_matches) < LEAST_MATCHES) continue;
      const difference = elo.difference(match);
      rated.push({
        match,
        actual: actualResult(match, parameters),
        rating: expectedResult(difference),
        home_rate: match.host === null ? 0.5 : homeRates.of(match.tournament_id),
        home_win: winProbabilities(difference, parameters.drawRate).home,
        margin: expectedMargin(difference, parameters),
      });
    }
    elo.play(day);
    for (const match of day) if (match.host !== null) homeRates.note(match, actualResult(match, parameters));
  }
  return rated;
}

/** Returns the home side's result. The winner of a shoot-out has won, unless the sport counts it as a draw. */
const actualResult = (match: MarginFixture, { shootOut }: MarginRating) =>
  marginResult(match, { shootOut: shootOut === undefined ? 0 : 1 });

/** Mean result so far for home sides, by tournament. */
class HomeRates {
  readonly #sums = new Map<number, { results: number; matches: number }>();

  of(tournament: number): number {
    const { results, matches } = this.#sums.get(tournament) ?? { results: 0, matches: 0 };
    return (results + PRIOR_MATCHES / 2) / (matches + PRIOR_MATCHES);
  }

  note(match: MarginFixture, result: number): void {
    const sum = this.#sums.get(match.tournament_id) ?? { results: 0, matches: 0 };
    this.#sums.set(match.tournament_id, { results: sum.results + result, matches: sum.matches + 1 });
  }
}

function toReport(
  { sport, names }: RatedSport,
  rated: readonly RatedMatch[],
  period: SportReport['period'],
  published: readonly PublishedResults[],
): SportReport {
  const wins = rated.map(({ actual, home_win }) => ({ probability: home_win, occurred: actual === 1 }));
  const ids = [...new Set(rated.map(({ match }) => match.tournament_id))];
  return {
    sport,
    matches: rated.length,
    period,
    ...bothScores(rated),
    ...scoreForecasts(sport, rated),
    ...calibration(wins),
    leagues: ids
      .map((id) => {
        const own = rated.filter(({ match }) => match.tournament_id === id);
        const league = { id, name: names.get(id) ?? String(id), matches: own.length, ...bothScores(own) };
        return { ...league, ...comparePublished(own, published) };
      })
      .sort((a, b) => b.matches - a.matches || a.id - b.id),
    ...comparePublished(rated, published),
  };
}

function scoreForecasts(sport: string, rated: readonly RatedMatch[]): Pick<SportReport, 'margin' | 'sets'> {
  const { sets } = findSport(sport)!.rating!;
  const margins = rated.flatMap(({ match, margin }) => (margin === null ? [] : [{ match, expected: margin }]));
  return {
    ...(margins.length > 0 && { margin: marginErrors(margins) }),
    ...(sets && { sets: scoreSets(rated, sets) }),
  };
}

function comparePublished(
  rated: readonly RatedMatch[],
  published: readonly PublishedResults[],
): { published?: PublishedScores } {
  const found = rated.flatMap((one) => {
    const source = published.find(({ expected }) => expected.has(one.match.id));
    return source === undefined ? [] : [{ one, name: source.name, expected: source.expected.get(one.match.id)! }];
  });
  if (found.length === 0) return {};
  const theirs = new Map(found.map(({ one, expected }) => [one, expected]));
  const compared = [...theirs.keys()];
  return {
    published: {
      name: [...new Set(found.map(({ name }) => name))].join(', '),
      matches: compared.length,
      rating: scores(compared, ({ rating }) => rating),
      published: scores(compared, (one) => theirs.get(one)!),
    },
  };
}

const bothScores = (rated: readonly RatedMatch[]) => ({
  rating: scores(rated, ({ rating }) => rating),
  home_rate: scores(rated, ({ home_rate }) => home_rate),
});

/** Minimum distance between a probability and 0 or 1, since published forecasts may be rounded to 0 or 1. */
const LEAST = 1e-6;

function scores(rated: readonly RatedMatch[], forecast: (match: RatedMatch) => number): RatingScores {
  let [brier, loss] = [0, 0];
  for (const one of rated) {
    const [expected, { actual }] = [forecast(one), one];
    const kept = Math.min(1 - LEAST, Math.max(LEAST, expected));
    brier += (expected - actual) ** 2;
    loss -= actual * Math.log(kept) + (1 - actual) * Math.log(1 - kept);
  }
  return { brier: brier / rated.length, log_loss: loss / rated.length };
}
