/** Computes Elo ratings for football and other sports from the stored results, and publishes them as rankings. */
import type pg from 'pg';
import { firstRow } from '../../db/postgres.ts';
import type { Precedence } from '../../identity/precedence.ts';
import {
  marginKind,
  type RankedSnapshot,
  type RankingKind,
  removeOtherDays,
  replaceEntries,
} from '../../rankings/index.ts';
import { findSport, sportsWith } from '../../sports/sports.ts';
import { utcDay, wireTime } from '../../wire/time.ts';
import { marginFixtures } from './margin-matches.ts';
import { marginRatings } from './margin-ratings.ts';
import { storeMatchRatings } from './match-ratings.ts';
import { ratedMatches } from './rated-matches.ts';
import { clubRatings, nationalRatings, type Pause, type Ratings } from './ratings.ts';

const PROVIDER = 'touchline';
/**
 * Advisory lock, so that only one process publishes at a time. A process removes the rankings for all days that it does not publish. The
 * number is arbitrary.
 */
const LOCK = 7_301_116;

export interface PublishOptions {
  pool: pg.Pool;
  precedence: Precedence;
  /** ms since 1970. */
  now: number;
  /** Called between pieces of work to yield to the event loop. It may throw to end the run. */
  pause: Pause;
}

export interface PublishedRatings extends Ratings {
  kind: RankingKind;
  /** Number of rankings that changed. */
  changed: number;
}

/** Runs the callback in one transaction. */
type Transact = <T>(work: (client: pg.PoolClient) => Promise<T>) => Promise<T>;

/**
 * Publishes all rankings, with one transaction for each ranking's day. The same matches give the same ratings, so a second run changes
 * nothing. Rankings for days that are no longer published are removed.
 * @returns null if another process is publishing
 */
export async function publishRatings(transact: Transact, options: PublishOptions): Promise<PublishedRatings[] | null> {
  const holder = await options.pool.connect();
  try {
    const { rows } = await holder.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [LOCK]);
    if (!firstRow(rows).held) return null;
    try {
      return await publishAll(transact, options);
    } finally {
      await holder.query('SELECT pg_advisory_unlock($1)', [LOCK]);
    }
  } finally {
    holder.release();
  }
}

async function publishAll(
  transact: Transact,
  { pool, precedence, now, pause }: PublishOptions,
): Promise<PublishedRatings[]> {
  const matches = await ratedMatches(pool);
  const today = utcDay(now);
  const computed: [RankingKind, Ratings][] = [
    ['elo_national_teams', await nationalRatings(matches, today, pause)],
    ['elo_clubs', await clubRatings(matches, today, pause)],
  ];
  const published: PublishedRatings[] = [];
  for (const [kind, ratings] of computed)
    published.push({ ...ratings, kind, changed: await publishRanking(transact, kind, ratings, { precedence, pause }) });
  for (const sport of sportsWith(({ rating }) => rating !== undefined)) {
    const fixtures = await marginFixtures(pool, sport, wireTime(now));
    await pause();
    const { before, ...ratings } = await marginRatings(findSport(sport)!.rating!, fixtures, today, pause);
    await storeMatchRatings(transact, sport, fixtures, before);
    const kind = marginKind(sport)!;
    published.push({ ...ratings, kind, changed: await publishRanking(transact, kind, ratings, { precedence, pause }) });
  }
  return published;
}

/** @returns how many rankings changed */
async function publishRanking(
  transact: Transact,
  kind: RankingKind,
  { snapshots }: Ratings,
  { precedence, pause }: Pick<PublishOptions, 'precedence' | 'pause'>,
): Promise<number> {
  let changed = 0;
  for (const { published_at, ranked } of snapshots) {
    await pause();
    const snapshot: RankedSnapshot = { kind, published_at, provider: PROVIDER, ranked };
    const counts = await transact((client) => replaceEntries(client, snapshot, precedence));
    if (counts.changed > 0) changed += 1;
  }
  const days = snapshots.map(({ published_at }) => published_at);
  return changed + (await transact((client) => removeOtherDays(client, kind, days)));
}
