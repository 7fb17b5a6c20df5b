/** Queries for the table `stream_load`. All times are the database's, since process clocks may differ. */
import { firstRow, type Queryable } from '../db/postgres.ts';

/** The streams in one process. */
interface StreamLoad {
  connections: number;
  isDraining: boolean;
}

/** The streams in all processes except this one. */
export interface OtherLoads {
  processes: number;
  connections: number;
  /** Number of streams in the process with the fewest, or 0 if there is no other process. */
  fewest: number;
  /** True if any of these processes is draining. */
  isDraining: boolean;
}

/** A process whose last report is older than this has ended. */
const FRESH_SECONDS = 15;

/**
 * Reports a process's load.
 * @returns the sums over all other processes; they are added up in Postgres because each of 1,000 processes would
 * otherwise read 1,000 rows
 */
export async function reportLoad(db: Queryable, process: string, load: StreamLoad): Promise<OtherLoads> {
  const { rows } = await db.query<OtherLoads>(
    `WITH own AS (
       INSERT INTO stream_load (process, connections, is_draining, reported_at) VALUES ($1, $2, $3, clock_timestamp())
       ON CONFLICT (process) DO UPDATE SET connections = excluded.connections, is_draining = excluded.is_draining,
         reported_at = excluded.reported_at
     ), ended AS (
       DELETE FROM stream_load WHERE reported_at < clock_timestamp() - interval '1 hour' AND process <> $1
     )
     SELECT count(*)::int AS processes, coalesce(sum(connections), 0)::int AS connections,
       coalesce(min(connections), 0) AS fewest, coalesce(bool_or(is_draining), false) AS "isDraining"
     FROM stream_load
     WHERE process <> $1 AND reported_at > clock_timestamp() - make_interval(secs => ${FRESH_SECONDS})`,
    [process, load.connections, load.isDraining],
  );
  return firstRow(rows);
}

export async function removeLoad(db: Queryable, process: string): Promise<void> {
  await db.query('DELETE FROM stream_load WHERE process = $1', [process]);
}
