/** Reads the demo's stored matches after a restart. */
import type { Queryable } from '../db/postgres.ts';
import { DEMO_PROVIDER } from './recording.ts';

export interface OpenMatch {
  external_id: string;
  status: 'scheduled' | 'live';
  status_detail: string;
  lineup_confirmed: boolean | null;
  minute: number | null;
  /** ms since 1970 */
  start: number;
  incidents: number;
}

/** Returns the demo's matches that are not over, in playing order. */
export async function openMatches(client: Queryable, prefix: string): Promise<OpenMatch[]> {
  const { rows } = await client.query<OpenMatch>(
    `SELECT r.external_id, m.status, m.status_detail, m.lineup_confirmed, m.minute, extract(epoch FROM m.scheduled_start)::float8 * 1000 AS start,
       coalesce(json_array_length(b.json::json), 0) AS incidents
     FROM external_ref r JOIN match m ON m.id = r.entity_id
     LEFT JOIN match_block b ON b.match_id = m.id AND b.block = 'incidents'
     WHERE r.entity = 'match' AND r.provider = $1 AND starts_with(r.external_id, $2) AND m.status <> 'finished'
     ORDER BY m.status, m.season_id, m.round_num, m.scheduled_start, m.id`,
    [DEMO_PROVIDER, prefix],
  );
  return rows;
}

/** Returns the demo league's newest season. Null if the sample has not been loaded yet. */
export async function newestSeason(client: Queryable, tournament: string): Promise<string | null> {
  const { rows } = await client.query<{ season_label: string }>(
    `SELECT s.season_label FROM season s JOIN tournament t ON t.id = s.tournament_id
     WHERE t.name = $1 AND t.demo ORDER BY s.season_label DESC LIMIT 1`,
    [tournament],
  );
  return rows[0]?.season_label ?? null;
}
