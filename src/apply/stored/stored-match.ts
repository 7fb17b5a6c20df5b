/** The match row, and the statements that find, lock and read it. */
import { prepared, type Queryable, wireTimeSql } from '../../db/postgres.ts';
import type { MatchState } from './match-state.ts';
import { type Provenance, readProvenance, type StoredProvenance, storedProvenance } from './provenance.ts';

export interface StoredMatch extends MatchState {
  id: number;
  sequence: number;
  version: number;
  incident_seq: number;
  provenance: Provenance;
  detail_at: string | null;
  status_changed_at: string | null;
  updated_at: string;
}

/** Returns the fields that updates change. */
export function toState(match: StoredMatch): MatchState {
  const {
    id: _id,
    sequence: _s,
    version: _v,
    incident_seq: _i,
    provenance: _p,
    detail_at: _d,
    status_changed_at: _c,
    updated_at: _u,
    ...state
  } = match;
  return state;
}

const STATE_COLUMNS = [
  'sport', 'tournament_id', 'season_id', 'home_id', 'away_id', 'time_tbd', 'start_time', 'round_num', 'round_name', 'group_name',
  'status', 'status_detail', 'awaiting_data', 'minute', 'home_score', 'away_score', 'period_scores', 'shootout_winner', 'given_winner', 'venue_id', 'referee', 'attendance',
  'neutral', 'importance', 'lineup_confirmed', 'finalized',
] as const; // biome-ignore format: a list
const TIME_COLUMNS = ['scheduled_start', 'detail_at', 'status_changed_at', 'updated_at'] as const;
const OWN_COLUMNS = ['sequence', 'version', 'incident_seq', 'provenance'] as const;
export const MATCH_COLUMNS = [...STATE_COLUMNS, ...TIME_COLUMNS, ...OWN_COLUMNS];

/** Reads rows for `readMatch`. The caller appends a condition. */
export const SELECT_MATCHES = `SELECT id, ${STATE_COLUMNS.join(', ')}, ${TIME_COLUMNS.map((column) => `${wireTimeSql(column)} AS ${column}`).join(', ')}, ${OWN_COLUMNS.join(', ')} FROM match`;

/** A row that `SELECT_MATCHES` returns. */
export type MatchRow = Omit<StoredMatch, 'provenance'> & { provenance: StoredProvenance };

export const readMatch = (row: MatchRow): StoredMatch =>
  // The row is changed in place. Nothing else uses it, so copying 33 columns would be a waste.
  Object.assign(row, { provenance: readProvenance(row.provenance) });

/** Returns a match as the row to write. */
export const matchRow = (match: StoredMatch): MatchRow => ({
  ...match,
  provenance: storedProvenance(match.provenance),
});

/**
 * OFFSET 0 makes Postgres look up each id. Without it, a connection that plans the statement while the table is small and has no
 * statistics, as in the first import, would read the references of all matches each time, and keep this plan as the table grows.
 */
const MATCH_IDS = prepared(
  'match ids',
  `SELECT w.external_id, r.entity_id FROM unnest($2::text[]) w (external_id) CROSS JOIN LATERAL (
     SELECT entity_id FROM external_ref WHERE entity = 'match' AND provider = $1 AND external_id = w.external_id OFFSET 0) r`,
);

/** Returns our match ids by providers' match ids. */
export async function matchesByExternalId(
  client: Queryable,
  provider: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await client.query<{ external_id: string; entity_id: number }>(MATCH_IDS([provider, ids]));
  return new Map(rows.map((row) => [row.external_id, row.entity_id]));
}

const LOCK_MATCHES = prepared('lock matches', `${SELECT_MATCHES} WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE`);

/** Locks matches in id order. Despite the lock, renames can insert rows into card_refresh that refer to these matches. */
export async function lockMatches(client: Queryable, ids: readonly number[]): Promise<Map<number, StoredMatch>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<MatchRow>(LOCK_MATCHES([ids]));
  return new Map(rows.map((row) => [row.id, readMatch(row)]));
}
