/** Queries of the widgets besides tables and analytics. */
import type { Queryable } from '../db/postgres.ts';
import type { Lang } from '../http/route.ts';

/** Returns the name in the language if known; null for an unknown tournament. */
export async function tournamentName(db: Queryable, id: number, lang: Lang): Promise<string> {
  const { rows } = await db.query<{ name: string; name_ru: string | null }>({
    name: 'widget tournament',
    text: 'SELECT name, name_ru FROM tournament WHERE id = $1',
    values: [id],
  });
  const { name, name_ru } = rows[0]!;
  return lang === 'ru' ? (name_ru ?? name) : name;
}

export interface NextMatch {
  id: number;
  scheduled_start: Date;
  time_tbd: boolean;
  home: string;
  home_ru: string | null;
  away: string;
  away_ru: string | null;
  version: number;
}

/** Returns the upcoming matches of a tournament. @param now ms since 1970 */
export async function nextMatches(db: Queryable, tournament: number, now: number, limit: number): Promise<NextMatch[]> {
  const { rows } = await db.query<NextMatch>({
    name: 'widget matches',
    text: `SELECT m.id, m.scheduled_start, m.time_tbd, m.version, home.name AS home, home.name_ru AS home_ru, away.name AS away, away.name_ru AS away_ru
     FROM match m CROSS JOIN LATERAL names_at(m.home_id, m.scheduled_start) home CROSS JOIN LATERAL names_at(m.away_id, m.scheduled_start) away
     WHERE m.tournament_id = $1 AND m.status = 'scheduled' AND NOT m.awaiting_data AND m.scheduled_start > to_timestamp($2 / 1000.0)
     ORDER BY m.scheduled_start, m.id LIMIT $3`,
    values: [tournament, now, limit],
  });
  return rows;
}
