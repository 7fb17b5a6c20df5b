/** Compares the margin ratings at the end of seasons with ratings that other people have published. */
import type pg from 'pg';
import { findByExternalIds } from '../../identity/external-ids.ts';
import { findSport } from '../../sports/sports.ts';
import { grouped } from '../../wire/grouped.ts';
import { matchDays } from '../samples/match-days.ts';
import { MarginElo } from './margin-elo.ts';
import { type MarginFixture, marginFixtures } from './margin-matches.ts';

/** A season's ratings from a file. */
export interface PublishedSeason {
  /** Whose ratings they are. */
  name: string;
  provider: string;
  /** Slug. */
  sport: string;
  /** Tournament and season. */
  title: string;
  /** Each team's last match in the season, by the provider's match id, with the team's rating after it. */
  last: readonly { match: string; side: 'home' | 'away'; rating: number }[];
}

export interface RatingComparison {
  name: string;
  title: string;
  /** Teams whose last match is stored. */
  teams: number;
  /** Pearson's correlation of both ratings; null with fewer than three teams. */
  correlation: number | null;
}

/** Seasons in sports without margin ratings are left out. */
export async function compareRatings(pool: pg.Pool, seasons: readonly PublishedSeason[]): Promise<RatingComparison[]> {
  const compared: RatingComparison[] = [];
  for (const [sport, own] of grouped(seasons, (season) => season.sport)) {
    const parameters = findSport(sport)?.rating;
    if (parameters === undefined) continue;
    const fixtures = (await marginFixtures(pool, sport)).filter(({ counts }) => counts);
    const byId = new Map(fixtures.map((fixture) => [fixture.id, fixture]));
    for (const season of own) {
      const pairs = await findPairs(pool, season, byId);
      const end = Math.max(...pairs.map(({ match }) => match.start));
      const elo = new MarginElo(parameters);
      for (const { matches } of matchDays(fixtures.filter(({ start }) => start <= end))) elo.play(matches);
      const both = pairs.map(({ team, rating }) => [elo.ratings.of(team)!, rating] as const);
      compared.push({ name: season.name, title: season.title, teams: both.length, correlation: correlation(both) });
    }
  }
  return compared;
}

async function findPairs(
  pool: pg.Pool,
  { provider, last }: PublishedSeason,
  byId: ReadonlyMap<number, MarginFixture>,
): Promise<{ match: MarginFixture; team: number; rating: number }[]> {
  const ids = [...new Set(last.map(({ match }) => match))];
  const found = await findByExternalIds(pool, 'match', provider, ids, null);
  const stored = new Map(found.map(({ external_id, id }) => [external_id, byId.get(id)]));
  return last.flatMap(({ match: id, side, rating }) => {
    const match = stored.get(id);
    return match === undefined ? [] : [{ match, team: side === 'home' ? match.home_id : match.away_id, rating }];
  });
}

/** Pearson's correlation; null with fewer than three pairs, or if all values on one side are equal. */
export function correlation(pairs: readonly (readonly [number, number])[]): number | null {
  if (pairs.length < 3) return null;
  const mean = (at: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[at], 0) / pairs.length;
  const [first, second] = [mean(0), mean(1)];
  let [both, own, other] = [0, 0, 0];
  for (const [a, b] of pairs) {
    both += (a - first) * (b - second);
    own += (a - first) ** 2;
    other += (b - second) ** 2;
  }
  return own === 0 || other === 0 ? null : both / Math.sqrt(own * other);
}
