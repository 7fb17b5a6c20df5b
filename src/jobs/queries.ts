/** Queries on the table `job`. */
import type { Queryable } from '../db/postgres.ts';
import { wireTime } from '../wire/time.ts';

/** Adds a new job's row. @param now ms */
export async function addJob(db: Queryable, name: string, now: number): Promise<void> {
  await db.query('INSERT INTO job (name, added_at) VALUES ($1, $2) ON CONFLICT DO NOTHING', [name, wireTime(now)]);
}

/** Stores that a run has succeeded. @param now ms */
export async function saveSuccess(db: Queryable, name: string, now: number): Promise<void> {
  await db.query('UPDATE job SET succeeded_at = $2 WHERE name = $1', [name, wireTime(now)]);
}

/** Returns the time of each job's last success, in ms. For a job that has never succeeded, this is the time when it was added. */
export async function lastSuccesses(db: Queryable): Promise<Map<string, number>> {
  const { rows } = await db.query<{ name: string; last: number }>(
    'SELECT name, (extract(epoch FROM coalesce(succeeded_at, added_at)) * 1000)::float8 AS last FROM job',
  );
  return new Map(rows.map(({ name, last }) => [name, last]));
}
