/** `touchline backtest --rating`: measures the ratings by margin, prints the scores and writes them with a plot. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { findByExternalIds } from '../../identity/external-ids.ts';
import { findSport, sportsWith } from '../../sports/sports.ts';
import { marginFixtures } from '../elo/margin-matches.ts';
import { type DrawThemes, writePlots } from './calibration-plot.ts';
import { backtestRating, type PublishedResults, type RatedSport, type RatingReport } from './rating-backtest.ts';
import { ratingLines, ratingPlot } from './rating-report.ts';

/** Forecasts in a file: the expected result of the home side, by the provider's id of the match. */
export interface PublishedFile {
  name: string;
  provider: string;
  expected: ReadonlyMap<string, number>;
}

export interface RatingCommandOptions {
  /** Seconds since 1970; `to` is not included. */
  from: number;
  to: number;
  /** Slug; default: every sport with such a rating. */
  sport?: string;
  published?: PublishedFile;
  /** Receives `rating.json`, `rating.md` and the plots. */
  out: string;
}

/** @throws Error with one line if the sport has no such rating, or the folder cannot be written */
export async function backtestRatingCommand(
  pool: pg.Pool,
  { from, to, sport, published, out }: RatingCommandOptions,
  say: (line: string) => void,
  draw: DrawThemes,
): Promise<RatingReport> {
  const sports = sportsWith(({ rating }) => rating !== undefined);
  if (sport !== undefined && !sports.includes(sport))
    throw new Error(
      `${findSport(sport) ? `${sport} has no rating by margin` : `there is no sport ${sport}`}: ${sports.join(', ')} have one`,
    );
  const rated: RatedSport[] = [];
  for (const slug of sport === undefined ? sports : [sport]) rated.push(await readSport(pool, slug));
  const report = backtestRating(rated, { from, to }, published && (await resolvePublished(pool, published)));
  const lines = ratingLines(report);
  await mkdir(out, { recursive: true });
  await writeFile(join(out, 'rating.json'), `${JSON.stringify(report, null, 2)}\n`);
  await writeFile(join(out, 'rating.md'), `${lines.join('\n')}\n`);
  await writePlots(out, 'calibration-rating', ratingPlot(report), draw);
  for (const line of lines) say(line);
  return report;
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
