/** Pre-match analytics for a generated league, computed by the service's functions. */

import { headToHead } from '../../../src/analytics/form/head-to-head.ts';
import { computeForm } from '../../../src/analytics/form/rates-and-streaks.ts';
import { predict, toModel } from '../../../src/analytics/poisson/poisson-model.ts';
import { formatDate, newestFirst, type PlayedMatch } from '../../../src/analytics/samples/match-samples.ts';
import { leagueCounts } from '../../../src/analytics/trends/league-counts.ts';
import { trendEntry } from '../../../src/analytics/trends/trend-texts.ts';
import { findTrends } from '../../../src/analytics/trends/trends.ts';
import type { PageCard } from '../../../src/web/match-analytics/load-card.ts';
import { randomNumbers } from '../../support/random.ts';

const TEAMS = 12;
const SEASONS = 2;
const MATCHES_PER_ROUND = 6;
const DAY_SECONDS = 86_400;
const FIRST_DAY = Date.parse('2024-08-03T15:00:00Z') / 1000;

const shuffled = <T>(values: readonly T[], random: () => number): T[] =>
  values
    .map((value) => ({ value, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);

/**
 * Generates matches. Side 1 is the strongest, and side 12 the weakest. In a season, every pair meets once at each
 * ground.
 */
function matches(): PlayedMatch[] {
  const random = randomNumbers(13);
  const goals = (mean: number) => Math.floor(mean * (0.1 + 1.8 * random()) + 0.2);
  const numbers = Array.from({ length: TEAMS }, (_, index) => index + 1);
  const pairs = numbers.flatMap((home) => numbers.filter((away) => away !== home).map((away) => [home, away] as const));
  return Array.from({ length: SEASONS }, () => shuffled(pairs, random))
    .flat()
    .map(([home_id, away_id], index) => {
      const home_score = goals(2.1 - home_id / 9 + away_id / 24);
      const away_score = goals(1.6 - away_id / 9 + home_id / 24);
      const winner = home_score > away_score ? 'home' : home_score < away_score ? 'away' : 'draw';
      const start = FIRST_DAY + Math.floor(index / MATCHES_PER_ROUND) * 7 * DAY_SECONDS;
      return { id: index + 1, start, home_id, away_id, home_score, away_score, winner };
    });
}

/**
 * Returns the card for a match of side 1 at home against side 12.
 * @param lang language of trends and disclaimer
 */
export function sampleCard(
  lang: 'en' | 'ru',
  names: { home: string; away: string } = { home: 'Northern Lights', away: 'Harbour Town' },
): PageCard & { model: NonNullable<PageCard['model']> } {
  const all = matches();
  const season = all.slice(all.length / 2);
  const league = leagueCounts(all);
  const model = toModel(predict(all, 1, TEAMS)!);
  const team = (side: 'home' | 'away') => {
    const sideId = side === 'home' ? 1 : TEAMS;
    const own = newestFirst(season).filter(({ home_id, away_id }) => home_id === sideId || away_id === sideId);
    return {
      name: names[side],
      name_ru: null,
      form: computeForm(season, sideId),
      discipline: { matches: 20, cards_avg: side === 'home' ? 1.55 : 2.3 },
      standing: {
        position: side === 'home' ? 2 : 12,
        played: own.length,
        points: side === 'home' ? 51 : 11,
        goals_for: side === 'home' ? 58 : 19,
        goals_against: side === 'home' ? 17 : 54,
      },
      recent: own.slice(0, 10).map((match) => ({
        id: match.id,
        date: formatDate(match.start),
        opponent: `Team ${match.home_id === sideId ? match.away_id : match.home_id}`,
        opponent_ru: null,
        score: `${match.home_score}:${match.away_score}`,
        shootout: false,
      })),
    };
  };
  const trendsOfSide = (side: 'home' | 'away') =>
    findTrends({
      sport: 'football',
      sideId: side === 'home' ? 1 : TEAMS,
      venues: ['overall', side],
      matches: season,
      league,
    }).map((trend) => trendEntry(trend, side, lang));
  return {
    neutral: false,
    event_id: 1,
    sport: 'football',
    tournament: { id: 1, name: 'Test League', name_ru: null },
    home: team('home'),
    away: team('away'),
    h2h: headToHead(all, 1, TEAMS),
    model: {
      ...model,
      calibrated: {
        expected_goals: { home: 2.2134, away: 0.7412, total: 2.9546 },
        probabilities: {
          ...model.probabilities,
          home_win: 71.42,
          draw: 18.31,
          away_win: 10.27,
          over_2_5: 56.08,
          btts: 46.9,
        },
        fair_odds: model.fair_odds,
        method: 'ridge Poisson',
        likely_scorelines: model.likely_scorelines,
        value_bets: [],
      },
    },
    rating: null,
    value_bets: [],
    trends: [...trendsOfSide('home'), ...trendsOfSide('away')],
    computed_at: '2026-03-01T12:00:00Z',
    disclaimer:
      lang === 'en'
        ? 'Computed from results of the past. It is no advice to bet.'
        : 'Рассчитано по прошлым результатам. Это не совет делать ставки.',
  };
}
