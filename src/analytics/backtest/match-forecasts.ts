/** Forecasts for past matches, each from earlier days' matches only. Pure. */
import { fitLeague, type LeagueFit, predictCalibrated } from '../calibrated/calibrated-model.ts';
import { WINDOW_DAYS } from '../calibrated/columns.ts';
import type { SportParameters } from '../calibrated/parameters.ts';
import type { Forecast } from '../elo/outcomes.ts';
import type { HistoryMatch, HistoryOdds, Period } from '../history/match-source.ts';
import type { Probabilities } from '../poisson/poisson.ts';
import { predict } from '../poisson/poisson-model.ts';
import { type MatchDay, matchDays } from '../samples/match-days.ts';
import { MODEL_DAYS } from '../samples/match-samples.ts';

/** The compared models. `poisson` is the specification's model. */
export const MODELS = ['base_rates', 'elo', 'poisson', 'calibrated', 'bookmakers', 'spi'] as const;
export type ModelName = (typeof MODELS)[number];

/** Forecasts by match id. Matches without ratings are missing. */
export type EloForecasts = ReadonlyMap<number, Forecast>;

/** A match that has a published forecast, or one from the specification's model. */
export interface MatchForecasts {
  match_id: number;
  /** Seconds since 1970. */
  start: number;
  outcome: 'home' | 'draw' | 'away';
  /** True if there were more than 2.5 goals. */
  over: boolean;
  base_rates: Forecast;
  /** Null if the match is not rated. */
  elo: Forecast | null;
  /** Null until the specification's model has enough matches. */
  poisson: Forecast | null;
  calibrated: Forecast;
  /** Null if no odds are stored. */
  bookmakers: Forecast | null;
  /** FiveThirtyEight's forecast; null if none is stored. */
  spi: Forecast | null;
}

/**
 * @param matches one tournament's matches, all seasons, in any order
 * @param elo Elo forecasts for these matches, each from the ratings before the match day
 * @returns forecasts ordered by start
 */
export function forecastSeason(
  matches: readonly HistoryMatch[],
  season: string,
  { from, to }: Period,
  sport: SportParameters,
  elo: EloForecasts = new Map(),
): MatchForecasts[] {
  const rates = new Rates();
  const forecasts: MatchForecasts[] = [];
  for (const day of matchDays(matches)) {
    const wanted = day.matches.filter((match) => match.season === season && match.start >= from && match.start < to);
    if (wanted.length === 0) continue;
    const sample = day.earlier(MODEL_DAYS);
    let fit: LeagueFit | null | undefined;
    for (const match of wanted) {
      const poisson = predict(sample, match.home_id, match.away_id);
      if (!poisson && !match.spi) continue;
      fit ??= fitLeague(day.earlier(WINDOW_DAYS), match.start, sport);
      const calibrated = fit && predictCalibrated(fit, match.home_id, match.away_id, match.neutral);
      if (!calibrated) {
        // This cannot happen, since the calibrated model's sample contains the Poisson model's sample.
        if (poisson) throw new Error(`match ${match.id} has a Poisson model, but no calibrated one`);
        continue;
      }
      forecasts.push({
        match_id: match.id,
        start: match.start,
        outcome: actualResult(match),
        over: isOver(match),
        base_rates: rates.before(day),
        elo: elo.get(match.id) ?? null,
        poisson: poisson && toForecast(poisson.probabilities),
        calibrated: toForecast(calibrated.probabilities),
        bookmakers: bookmakersForecast(match.odds),
        spi: match.spi ? { ...match.spi, over: null } : null,
      });
    }
  }
  return forecasts;
}

const actualResult = ({ home_score, away_score }: HistoryMatch): MatchForecasts['outcome'] =>
  home_score > away_score ? 'home' : home_score < away_score ? 'away' : 'draw';
const isOver = ({ home_score, away_score }: HistoryMatch): boolean => home_score + away_score > 2.5;

/** Divides by the sums, because the score matrix's probabilities add up to slightly less than 1. */
function toForecast({ home_win, draw, away_win, over_2_5, under_2_5 }: Probabilities): Forecast {
  const mass = home_win + draw + away_win;
  return { home: home_win / mass, draw: draw / mass, away: away_win / mass, over: over_2_5 / (over_2_5 + under_2_5) };
}

/** Outcome shares in all earlier matches of the tournament. */
class Rates {
  private counted = 0;
  private readonly counts = { home: 0, draw: 0, away: 0, over: 0 };

  /**
   * Each outcome is counted one extra time, so that no probability is 0.
   * @param day must not be earlier than in the last call
   */
  before({ history }: MatchDay<HistoryMatch>): Forecast {
    for (const match of history.matches.slice(this.counted, history.count)) {
      this.counts[actualResult(match)] += 1;
      if (isOver(match)) this.counts.over += 1;
    }
    this.counted = history.count;
    const share = (outcome: MatchForecasts['outcome']) => (this.counts[outcome] + 1) / (this.counted + 3);
    return {
      home: share('home'),
      draw: share('draw'),
      away: share('away'),
      over: (this.counts.over + 1) / (this.counted + 2),
    };
  }
}

/** Converts odds to probabilities. Each 1 ÷ price is divided by the sum over all outcomes, which removes the margin. */
function bookmakersForecast(odds: HistoryOdds | null | undefined): Forecast | null {
  if (!odds) return null;
  const [home, draw, away] = impliedProbabilities([odds.home, odds.draw, odds.away]);
  if (home === undefined || draw === undefined || away === undefined) return null;
  const [over = null] = impliedProbabilities([odds.over_2_5, odds.under_2_5]);
  return { home, draw, away, over };
}

/** @returns probabilities that add up to 1; an empty list if a price is missing, or is 1 or less */
function impliedProbabilities(prices: readonly (number | null)[]): number[] {
  const inverse = prices.flatMap((price) => (price !== null && Number.isFinite(price) && price > 1 ? [1 / price] : []));
  if (inverse.length < prices.length) return [];
  const sum = inverse.reduce((total, value) => total + value, 0);
  return inverse.map((value) => value / sum);
}
