/** A team's computed ratings over time. */
import type { z } from 'zod';
import { prepared, type Queryable } from '../db/postgres.ts';
import type { Read } from '../db/reads.ts';
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

interface Row {
  kind: RankingKind | null;
  date: string;
  points: number | null;
  rank: number;
}

/** Reads a team's computed ratings, oldest first; null for an unknown participant. */
export const ratingRead = (participantId: number): Read<RatingHistory | null> => ({
  statement: HISTORY([participantId, COMPUTED_KINDS, null, null]),
  toValue: toHistory,
});

/** Returns a team's computed ratings, oldest first; null for an unknown participant. */
export async function ratingHistory(
  db: Queryable,
  participantId: number,
  { from = null, to = null }: { from?: string | null; to?: string | null },
): Promise<RatingHistory | null> {
  const { rows } = await db.query<Row>(HISTORY([participantId, COMPUTED_KINDS, from, to]));
  return toHistory(rows);
}

function toHistory(rows: readonly Row[]): RatingHistory | null {
  const [first] = rows;
  if (first === undefined) return null;
  const ratings = rows.flatMap(({ kind, points, ...rating }) =>
    kind === null || points === null ? [] : [{ ...rating, points }],
  );
  return { kind: first.kind, ratings };
}
