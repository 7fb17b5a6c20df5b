/** Matches in progress, as the front page and the widget list them. */
import type { Queryable } from '../db/postgres.ts';
import { DAY_COLUMNS, DAY_FROM, DAY_ORDER, type DayMatch, type DayRow, toDayMatch } from './day-matches.ts';
import { LISTED, LISTED_JOINS, type ListedMatch, withItem } from './match-item.ts';

/** Maximum number of live matches on the front page. */
export const SHOWN_LIVE = 200;
const LIVE = `${DAY_FROM} WHERE m.status = 'live' AND NOT m.awaiting_data ORDER BY ${DAY_ORDER} LIMIT ${SHOWN_LIVE}`;

/** Returns the matches in progress for the front page, most important tournaments first. */
export async function liveMatches(db: Queryable): Promise<DayMatch[]> {
  const { rows } = await db.query<DayRow>(`SELECT ${DAY_COLUMNS} FROM ${LIVE}`);
  return rows.map(toDayMatch);
}

/** Returns the ids of `liveMatches`. */
export async function liveMatchIds(db: Queryable): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(`SELECT m.id FROM ${LIVE}`);
  return rows.map(({ id }) => id);
}

/** Returns the tournament if the match is in progress, otherwise null. */
export async function tournamentOfLiveMatch(db: Queryable, id: number): Promise<number | null> {
  const { rows } = await db.query<{ tournament_id: number }>(
    `SELECT tournament_id FROM match WHERE id = $1 AND status = 'live'`,
    [id],
  );
  return rows[0]?.tournament_id ?? null;
}

/** Returns the matches in progress, most important tournaments first, and their total number. */
export async function matchesInProgress(
  db: Queryable,
  { sport, tournament }: { sport?: string | undefined; tournament?: number | undefined },
  limit: number,
): Promise<{ matches: ListedMatch[]; total: number }> {
  const { rows } = await db.query<{ item: string; tournament_name_ru: string | null; total: number }>({
    name: 'matches in progress',
    text: `SELECT ${LISTED}, (count(*) OVER ())::int AS total FROM match m ${LISTED_JOINS}
     WHERE m.status = 'live' AND NOT m.awaiting_data AND ($1::text IS NULL OR m.sport = $1) AND ($2::bigint IS NULL OR m.tournament_id = $2)
     ORDER BY t.importance DESC, t.name, t.id, m.scheduled_start, m.id LIMIT $3`,
    values: [sport ?? null, tournament ?? null, limit],
  });
  return { matches: rows.map(withItem), total: rows[0]?.total ?? 0 };
}
