/** Finding a match by its sides where the provider's id is not known, and the locks under which one is created. */
import type { Queryable } from '../../db/postgres.ts';
import type { MatchState } from '../match-state.ts';

export interface Pairing {
  index: number;
  provider: string;
  external_id: string;
  season_id: number;
  home_id: number;
  away_id: number;
  scheduled_start: string | null;
}

/** Days by which two sources may differ about the start of the same match. */
const SAME_MATCH_DAYS = 2;

/**
 * Matches of the same season and sides, near in time, or at any time where a pairing has one match at each venue. By `index`.
 * Two ids of one provider near in time are two matches (a double-header), unless the pairing can have only one. The same
 * day comes first: a replay on the next day is nearer to midnight, which stands for an unknown kick-off.
 */
export async function matchesByPairing(client: Queryable, pairings: readonly Pairing[]): Promise<Map<number, number>> {
  const { rows } = await client.query<{ index: number; id: number }>(
    `SELECT DISTINCT ON (p.index) p.index, m.id
     FROM json_to_recordset($1) AS p (index int, provider text, external_id text, season_id bigint, home_id bigint,
       away_id bigint, scheduled_start timestamptz)
     JOIN match m ON m.season_id = p.season_id AND m.home_id = p.home_id AND m.away_id = p.away_id
     JOIN tournament t ON t.id = m.tournament_id
     WHERE t.single_home_fixture OR (abs(extract(epoch FROM m.scheduled_start - p.scheduled_start)) <= $2 * 86400
       AND NOT EXISTS (SELECT FROM external_ref r WHERE r.entity = 'match' AND r.entity_id = m.id AND r.provider = p.provider
         AND r.external_id <> p.external_id))
     ORDER BY p.index, abs((m.scheduled_start AT TIME ZONE 'UTC')::date - (p.scheduled_start AT TIME ZONE 'UTC')::date),
       abs(extract(epoch FROM m.scheduled_start - p.scheduled_start)), m.id`,
    [JSON.stringify(pairings), SAME_MATCH_DAYS],
  );
  return new Map(rows.map((row) => [row.index, row.id]));
}

type Shown = Pick<MatchState, 'tournament_id' | 'home_id' | 'away_id'> & { venue_id?: number | null | undefined };

/** Keeps the entities that cards show from being renamed until the commit; locks in the order in which updates resolve entities. */
export async function lockShown(client: Queryable, matches: readonly Shown[]): Promise<void> {
  if (matches.length === 0) return;
  const lock = async (table: string, ids: (number | null | undefined)[]) => {
    const wanted = [...new Set(ids.filter((id) => id !== null && id !== undefined))];
    if (wanted.length > 0)
      await client.query(`SELECT FROM ${table} WHERE id = ANY ($1) ORDER BY id FOR SHARE`, [wanted]);
  };
  await lock(
    'participant',
    matches.flatMap(({ home_id, away_id }) => [home_id, away_id]),
  );
  await lock(
    'tournament',
    matches.map(({ tournament_id }) => tournament_id),
  );
  await lock(
    'venue',
    matches.map(({ venue_id }) => venue_id),
  );
}

/** Taken before matches are searched for a last time and created: one transaction at a time creates matches of a season. */
export async function lockForInsertion(
  client: Queryable,
  matches: readonly (Shown & { season_id: number })[],
): Promise<void> {
  if (matches.length === 0) return;
  await lockShown(client, matches);
  await client.query('SELECT FROM season WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE', [
    [...new Set(matches.map(({ season_id }) => season_id))],
  ]);
}

/** @param observedAt ms, when the provider observed that there is no such match */
export async function recordDeletion(
  client: Queryable,
  provider: string,
  externalId: string,
  observedAt: number,
): Promise<void> {
  await client.query(
    `INSERT INTO match_deletion AS d VALUES ($1, $2, $3)
     ON CONFLICT (provider, external_id) DO UPDATE SET observed_at = greatest(d.observed_at, excluded.observed_at)`,
    [provider, externalId, observedAt],
  );
}

/** When providers deleted these matches, in ms, by `index`. */
export async function deletionTimes(client: Queryable, pairings: readonly Pairing[]): Promise<Map<number, number>> {
  const { rows } = await client.query<{ index: number; observed_at: number }>(
    `SELECT p.index, d.observed_at FROM json_to_recordset($1) AS p (index int, provider text, external_id text)
     JOIN match_deletion d USING (provider, external_id)`,
    [JSON.stringify(pairings)],
  );
  return new Map(rows.map((row) => [row.index, row.observed_at]));
}
