/**
 * Finds a kind's newest ranking on a day, with the movement since the previous ranking. Columns are named as in
 * replies.
 */
import type { z } from 'zod';
import type { Queryable } from '../db/postgres.ts';
import { COMPUTED_KINDS, type RankingKind } from './kinds.ts';
import type { rankings } from './schema.ts';

type Rankings = z.infer<typeof rankings>;

export interface RankingQuery {
  kind: RankingKind;
  /** YYYY-MM-DD */
  date: string;
  limit: number;
  offset: number;
}

/**
 * SQL for a page. Movement is relative to the previously published ranking, even if that was imported later. Participants with equal ranks
 * are ordered by points and name. Names are read only for the page's ranks.
 */
const FIND = `
  WITH now AS (SELECT id, published_at FROM ranking WHERE kind = $1 AND published_at <= $2 ORDER BY published_at DESC LIMIT 1),
  before AS (SELECT r.id, r.published_at FROM ranking r, now WHERE r.kind = $1 AND r.published_at < now.published_at
    ORDER BY r.published_at DESC LIMIT 1),
  ranks AS (SELECT min(e.rank) AS first, max(e.rank) AS last
    FROM (SELECT e.rank FROM now JOIN ranking_entry e ON e.ranking_id = now.id ORDER BY e.rank LIMIT $3 OFFSET $4) e),
  page AS (
    SELECT e.rank, e.points, e.participant_id, n.name, n.name_ru, p.country
    FROM now CROSS JOIN ranks JOIN ranking_entry e ON e.ranking_id = now.id AND e.rank BETWEEN ranks.first AND ranks.last
      JOIN participant p ON p.id = e.participant_id
      CROSS JOIN LATERAL names_at(p.id, now.published_at::timestamp AT TIME ZONE 'UTC') n
    ORDER BY e.rank, e.points DESC NULLS LAST, n.name, p.id
    LIMIT $3 OFFSET $4 - (SELECT count(*) FROM now, ranks, ranking_entry b WHERE b.ranking_id = now.id AND b.rank < ranks.first)
  )
  SELECT now.published_at::text, before.published_at::text AS previous_published_at,
    (SELECT count(*)::int FROM ranking_entry e WHERE e.ranking_id = now.id) AS total,
    coalesce((
      SELECT json_agg(json_build_object('rank', page.rank,
          'participant', json_build_object('id', page.participant_id, 'name', page.name, 'name_ru', page.name_ru, 'country', page.country),
          'points', page.points, 'movement', earlier.rank - page.rank)
        ORDER BY page.rank, page.points DESC NULLS LAST, page.name, page.participant_id)
      FROM page LEFT JOIN ranking_entry earlier ON earlier.ranking_id = before.id AND earlier.participant_id = page.participant_id
    ), '[]') AS rankings
  FROM now LEFT JOIN before ON true`;

/** Returns the newest ranking published on that day or before; empty if no such ranking is stored. */
export async function findRanking(db: Queryable, { kind, date, limit, offset }: RankingQuery): Promise<Rankings> {
  const { rows } = await db.query<Omit<Rankings, 'kind' | 'count'>>(FIND, [kind, date, limit, offset]);
  const [found] = rows;
  if (found === undefined) {
    const none = { published_at: null, previous_published_at: null, count: 0, total: 0, rankings: [] };
    return { kind, ...none, ...(await whyNone(db, kind)) };
  }
  const { published_at, previous_published_at, total, rankings } = found;
  return { kind, published_at, previous_published_at, count: rankings.length, total, rankings };
}

/** Returns why the kind has no ranking published on that day or before. */
async function whyNone(db: Queryable, kind: RankingKind): Promise<Pick<Rankings, 'reason' | 'first_published_at'>> {
  const { rows } = await db.query<{ first: string | null }>(
    'SELECT min(published_at)::text AS first FROM ranking WHERE kind = $1',
    [kind],
  );
  const { first } = rows[0]!;
  if (first !== null) return { reason: 'published_later', first_published_at: first };
  return { reason: COMPUTED_KINDS.includes(kind) ? 'not_computed' : 'not_imported' };
}

/** Returns the kinds that have a stored ranking. */
export async function publishedKinds(db: Queryable): Promise<Set<string>> {
  const { rows } = await db.query<{ kind: string }>({
    name: 'published kinds',
    text: 'SELECT DISTINCT kind FROM ranking',
  });
  return new Set(rows.map(({ kind }) => kind));
}
