/** `touchline ratings`: computes the Elo ratings of national teams and clubs, and publishes them as rankings. */
import type pg from 'pg';
import { transaction } from '../db/postgres.ts';
import type { Precedence } from '../identity/precedence.ts';
import { kindFacts, type RankingKind } from '../rankings/kinds.ts';
import { removeOtherDays, replaceEntries } from '../rankings/store.ts';
import { ratedMatches } from './elo/rated-matches.ts';
import { clubRatings, nationalRatings, type Ratings } from './elo/ratings.ts';

const PROVIDER = 'touchline';
/** Number of teams to print. */
const SHOWN = 10;

export interface RatingsDeps {
  pool: pg.Pool;
  precedence: Precedence;
  /** ms since 1970. */
  now: number;
}

/**
 * The same matches give the same ratings: a second run changes nothing. Rankings of days that are no longer published
 * are removed.
 */
export async function ratingsCommand(
  { pool, precedence, now }: RatingsDeps,
  say: (line: string) => void,
): Promise<void> {
  const matches = await ratedMatches(pool);
  const today = new Date(now).toISOString().slice(0, 10);
  const computed = { elo_national_teams: nationalRatings(matches, today), elo_clubs: clubRatings(matches, today) };
  for (const [kind, ratings] of Object.entries(computed) as [RankingKind, Ratings][]) {
    const changed = await store(pool, precedence, kind, ratings);
    await report(pool, kind, ratings, changed, say);
  }
}

/** @returns the number of changed rankings */
async function store(
  pool: pg.Pool,
  precedence: Precedence,
  kind: RankingKind,
  { snapshots }: Ratings,
): Promise<number> {
  let changed = 0;
  for (const { published_at, ranked } of snapshots) {
    const snapshot = { kind, published_at, provider: PROVIDER, ranked };
    const counts = await transaction(pool, (client) => replaceEntries(client, snapshot, precedence));
    if (counts.changed > 0) changed += 1;
  }
  const days = snapshots.map(({ published_at }) => published_at);
  return changed + (await removeOtherDays(pool, kind, days));
}

const number = (value: number) => value.toLocaleString('en');

async function report(
  pool: pg.Pool,
  kind: RankingKind,
  { matches, snapshots, apart }: Ratings,
  changed: number,
  say: (line: string) => void,
): Promise<void> {
  say(`${kindFacts(kind).title} (${kind}): ${number(matches)} matches`);
  const last = snapshots.at(-1);
  if (last === undefined) {
    say('  no team is ranked: see docs/rankings.md');
    return;
  }
  const of = `${number(last.ranked.length)} ranked on ${last.published_at}`;
  say(
    `  ${of}; ${number(snapshots.length)} rankings from ${snapshots[0]!.published_at} on, ${number(changed)} changed`,
  );
  if (apart.length > 0)
    say(
      `  clubs of ${apart.join(', ')} are not ranked: they have not played clubs of the others in the last five years`,
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
