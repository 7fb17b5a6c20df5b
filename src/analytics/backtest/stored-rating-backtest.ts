/** Measures the margin ratings on the stored matches. */
import type pg from 'pg';
import { findByExternalIds } from '../../identity/external-ids.ts';
import { findSport, sportsWith } from '../../sports/sports.ts';
import { marginFixtures } from '../elo/margin-matches.ts';
import type { Period } from '../history/match-source.ts';
import { backtestRating, type PublishedResults, type RatedSport, type RatingReport } from './rating-backtest.ts';

/** Forecasts from a file. `expected` has the home side's expected result by the provider's match id. */
export interface PublishedFile {
  name: string;
  provider: string;
  expected: ReadonlyMap<string, number>;
}

export interface StoredRatingInput extends Period {
  pool: pg.Pool;
  /** Sport's slug; by default, every sport with margin ratings. */
  sport?: string;
  published?: readonly PublishedFile[];
}

/** @throws Error with a one-line message if the sport has no margin ratings */
export async function backtestStoredRatings({
  pool,
  from,
  to,
  sport,
  published = [],
}: StoredRatingInput): Promise<RatingReport> {
  const sports = sportsWith(({ rating }) => rating !== undefined);
  if (sport !== undefined && !sports.includes(sport))
    throw new Error(
      `${findSport(sport) ? `${sport} has no rating by margin` : `there is no sport ${sport}`}: ${sports.join(', ')} have one`,
    );
  const rated: RatedSport[] = [];
  for (const slug of sport === undefined ? sports : [sport]) rated.push(await readSport(pool, slug));
  const compared: PublishedResults[] = [];
  for (const file of published) compared.push(await resolvePublished(pool, file));
  return backtestRating(rated, { from, to }, compared);
}

async function readSport(pool: pg.Pool, sport: string): Promise<RatedSport> {
  const matches = (await marginFixtures(pool, sport)).filter(({ counts }) => counts);
  const { rows } = await pool.query<{ id: number; name: string }>('SELECT id, name FROM tournament WHERE sport = $1', [
    sport,
  ]);
  return { sport, matches, names: new Map(rows.map(({ id, name }) => [id, name])) };
}

async function resolvePublished(pool: pg.Pool, { name, provider, expected }: PublishedFile): Promise<PublishedResults> {
  const found = await findByExternalIds(pool, 'match', provider, [...expected.keys()], null);
  return { name, expected: new Map(found.map(({ external_id, id }) => [id, expected.get(external_id)!])) };
}
