/** A team's computed ratings over time. */
import type { z } from 'zod';
import type { Queryable } from '../db/postgres.ts';
import { COMPUTED_KINDS, type RankingKind } from './kinds.ts';
import type { ratingEntry } from './schema.ts';

export type RatingEntry = z.infer<typeof ratingEntry>;

export interface RatingHistory {
  kind: RankingKind | null;
  ratings: RatingEntry[];
}

/** Returns a team's computed ratings, oldest first; null for an unknown participant. */
export async function ratingHistory(
  db: Queryable,
  participantId: number,
  { from = null, to = null }: { from?: string | null; to?: string | null },
): Promise<RatingHistory | null> {
  const { rows } = await db.query<{ kind: RankingKind | null; date: string; points: number | null; rank: number }>(
    `SELECT r.kind, r.published_at::text AS date, e.points, e.rank
     FROM participant g LEFT JOIN (ranking r
       -- By the primary key of each ranking: OFFSET 0 keeps Postgres from reading all entries.
       CROSS JOIN LATERAL (SELECT * FROM ranking_entry e WHERE e.ranking_id = r.id AND e.participant_id = (
         SELECT coalesce(person_id, id) FROM participant WHERE id = $1) OFFSET 0) e
     ) ON r.kind = ANY ($2) AND ($3::date IS NULL OR r.published_at >= $3) AND ($4::date IS NULL OR r.published_at <= $4)
     WHERE g.id = $1 ORDER BY r.published_at`,
    [participantId, COMPUTED_KINDS, from, to],
  );
  if (rows.length === 0) return null;
  const ratings = rows.flatMap(({ kind, points, ...rating }) =>
    kind === null || points === null ? [] : [{ ...rating, points }],
  );
  return { kind: rows[0]!.kind, ratings };
}
