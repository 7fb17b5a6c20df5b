/** The command `touchline ratings` computes Elo ratings for football and other sports, and publishes them as rankings. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type pg from 'pg';
import { transaction } from '../db/postgres.ts';
import type { Precedence } from '../identity/precedence.ts';
import { kindFacts } from '../rankings/index.ts';
import { compareRatings, type PublishedSeason, type RatingComparison } from './elo/compare-ratings.ts';
import { type PublishedRatings, publishRatings } from './elo/publish-ratings.ts';

/** How many teams are printed. */
const SHOWN = 10;

export interface RatingsDeps {
  pool: pg.Pool;
  precedence: Precedence;
  /** ms since 1970. */
  now: number;
}

/**
 * Publishes the ratings now, and prints the best teams.
 * @param published ratings to compare with
 */
export async function ratingsCommand(
  { pool, ...deps }: RatingsDeps,
  say: (line: string) => void,
  published: readonly PublishedSeason[] = [],
): Promise<void> {
  const options = { ...deps, pool, pause: yieldToEventLoop };
  const computed = await publishRatings((work) => transaction(pool, work), options);
  if (computed === null) {
    say('Another process is computing the ratings');
    return;
  }
  for (const ratings of computed) await report(pool, ratings, say);
  for (const one of await compareRatings(pool, published)) say(describeComparison(one));
}

const describeComparison = ({ title, name, teams, correlation }: RatingComparison) =>
  `${title}: correlation with the ratings of ${name} at the end of the season ${correlation === null ? 'unknown' : correlation.toFixed(3)} (${teams} teams)`;

const number = (value: number) => value.toLocaleString('en');

async function report(
  pool: pg.Pool,
  { kind, matches, snapshots, apart, changed }: PublishedRatings,
  say: (line: string) => void,
): Promise<void> {
  say(`${kindFacts(kind).title} (${kind}): ${number(matches)} matches`);
  const [first, last] = [snapshots[0], snapshots.at(-1)];
  if (first === undefined || last === undefined) {
    say('  no team is ranked: see docs/rankings.md');
    return;
  }
  const of = `${number(last.ranked.length)} ranked on ${last.published_at}`;
  say(`  ${of}; ${number(snapshots.length)} rankings from ${first.published_at} on, ${number(changed)} changed`);
  if (apart.length > 0)
    say(
      `  clubs from ${apart.join(', ')} are not ranked: in the last five years they have not played clubs from the ranked countries`,
    );
  const shown = last.ranked.slice(0, SHOWN);
  const { rows } = await pool.query<{ id: number; name: string }>(
    'SELECT id, name FROM participant WHERE id = ANY ($1)',
    [shown.map(({ participant_id }) => participant_id)],
  );
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  for (const { rank, participant_id, points } of shown)
    say(`  ${String(rank).padStart(3)}  ${names.get(participant_id)!.padEnd(28)} ${points.toFixed(1)}`);
}
