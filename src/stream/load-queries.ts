/** Queries of the table `stream_load`. Times are the database's, since the clocks of processes may differ. */
import { firstRow, type Queryable } from '../db/postgres.ts';

/** The streams of one process. */
interface StreamLoad {
  connections: number;
  isDraining: boolean;
}

/** The streams of all other processes. */
export interface OtherLoads {
  processes: number;
  connections: number;
  /** Streams of the process with the fewest, 0 without others. */
  fewest: number;
  /** Whether any of them drains. */
  isDraining: boolean;
}

/** A report that is older is one of an ended process. */
const FRESH_SECONDS = 15;

/** Reports the load of a process. @returns the loads of the others, added up: with 1,000 processes each would read 1,000 rows */
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
