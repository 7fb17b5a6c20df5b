/** A team's computed ratings over time. */
import type { z } from 'zod';
import { prepared, type Queryable } from '../db/postgres.ts';
import { COMPUTED_KINDS, type RankingKind } from './kinds.ts';
import type { ratingEntry } from './schema.ts';

export type RatingEntry = z.infer<typeof ratingEntry>;

export interface RatingHistory {
  kind: RankingKind | null;
  ratings: RatingEntry[];
}

const HISTORY = prepared(
  'rating history',
  `SELECT e.kind, e.date, e.points, e.rank FROM participant g LEFT JOIN LATERAL (
     SELECT r.kind, r.published_at::text AS date, e.points, e.rank
     FROM ranking_entry e JOIN ranking r ON r.id = e.ranking_id
     WHERE e.participant_id = coalesce(g.person_id, g.id)
       AND r.kind = ANY ($2) AND ($3::date IS NULL OR r.published_at >= $3) AND ($4::date IS NULL OR r.published_at <= $4)
   ) e ON true WHERE g.id = $1 ORDER BY e.date`,
);

/** Returns a team's computed ratings, oldest first; null for an unknown participant. */
export async function ratingHistory(
  db: Queryable,
  participantId: number,
  { from = null, to = null }: { from?: string | null; to?: string | null },
): Promise<RatingHistory | null> {
  const { rows } = await db.query<{ kind: RankingKind | null; date: string; points: number | null; rank: number }>(
    HISTORY([participantId, COMPUTED_KINDS, from, to]),
  );
  if (rows.length === 0) return null;
  const ratings = rows.flatMap(({ kind, points, ...rating }) =>
    kind === null || points === null ? [] : [{ ...rating, points }],
  );
  return { kind: rows[0]!.kind, ratings };
}
