/** Queries of the pages: stored list items and blocks, as JSON text. */
import type { Queryable } from '../db/postgres.ts';
import { shownBlockSql } from '../db/shown-blocks.ts';

export interface ListedMatchRow {
  item: string;
  tournament_name_ru: string | null;
  tournament_country: string;
}

const COLUMNS = 'c.item, t.name_ru AS tournament_name_ru, t.country AS tournament_country';
const FROM = 'match m JOIN tournament t ON t.id = m.tournament_id JOIN match_card c ON c.match_id = m.id';

/** Maximum number of live matches on the front page. */
export const SHOWN_LIVE = 200;
const LIVE = `${FROM} WHERE m.status = 'live' AND NOT m.awaiting_data
     ORDER BY t.importance DESC, t.name, t.id, m.scheduled_start, m.id LIMIT ${SHOWN_LIVE}`;

/** Returns the matches in progress for the front page, most important tournaments first. */
export async function liveMatches(db: Queryable): Promise<ListedMatchRow[]> {
  const { rows } = await db.query<ListedMatchRow>(`SELECT ${COLUMNS} FROM ${LIVE}`);
  return rows;
}

/** Returns the ids of `liveMatches`. */
export async function liveMatchIds(db: Queryable): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(`SELECT m.id FROM ${LIVE}`);
  return rows.map(({ id }) => id);
}

/** Returns the tournament of a match in progress; null for any other match. */
export async function tournamentOfLiveMatch(db: Queryable, id: number): Promise<number | null> {
  const { rows } = await db.query<{ tournament_id: number }>(
    `SELECT tournament_id FROM match WHERE id = $1 AND status = 'live'`,
    [id],
  );
  return rows[0]?.tournament_id ?? null;
}

/** Checks whether a participant plays in a match, whose page then shows its picture. */
export async function playsInMatch(db: Queryable, participantId: number): Promise<boolean> {
  const { rows } = await db.query<{ plays: boolean }>(
    `SELECT EXISTS (SELECT FROM match WHERE home_id = $1) OR EXISTS (SELECT FROM match WHERE away_id = $1) AS plays`,
    [participantId],
  );
  return rows[0]!.plays;
}

/** Returns the next matches. @param from ms since 1970 */
export async function upcomingMatches(db: Queryable, from: number, limit: number): Promise<ListedMatchRow[]> {
  const { rows } = await db.query<ListedMatchRow>(
    `SELECT ${COLUMNS} FROM ${FROM} WHERE m.status = 'scheduled' AND NOT m.awaiting_data AND m.scheduled_start >= to_timestamp($1 / 1000.0)
     ORDER BY m.scheduled_start, m.id LIMIT $2`,
    [from, limit],
  );
  return rows;
}

/** Returns the latest results. @param to ms since 1970 */
export async function newestResults(db: Queryable, to: number, limit: number): Promise<ListedMatchRow[]> {
  const { rows } = await db.query<ListedMatchRow>(
    `SELECT ${COLUMNS} FROM ${FROM} WHERE m.status = 'finished' AND m.scheduled_start <= to_timestamp($1 / 1000.0)
     ORDER BY m.scheduled_start DESC, m.id DESC LIMIT $2`,
    [to, limit],
  );
  return rows;
}

export interface MatchPageRow {
  version: number;
  item: string;
  /** Members of the detail, without braces. */
  detail: string;
  tournament_name_ru: string | null;
  blocks: Record<string, string>;
}

/** Returns a match with these blocks; null for an unknown id. */
export async function matchPage(db: Queryable, id: number, blocks: readonly string[]): Promise<MatchPageRow | null> {
  const { rows } = await db.query<MatchPageRow>(
    `SELECT m.version, c.item, c.detail, t.name_ru AS tournament_name_ru,
       coalesce((SELECT json_object_agg(b.block, ${shownBlockSql('b')}) FROM match_block b WHERE b.match_id = m.id AND b.block = ANY ($2)), '{}') AS blocks
     FROM ${FROM} WHERE m.id = $1`,
    [id, blocks],
  );
  return rows[0] ?? null;
}

export interface MomentumRow {
  version: number;
  momentum: string;
  incidents: string | null;
}

/** Returns the data of the momentum picture; null for an unknown match or one without momentum. */
export async function momentumData(db: Queryable, id: number): Promise<MomentumRow | null> {
  const { rows } = await db.query<MomentumRow>(
    `SELECT m.version, b.json AS momentum, i.json AS incidents FROM match m
     JOIN match_block b ON b.match_id = m.id AND b.block = 'momentum'
     LEFT JOIN match_block i ON i.match_id = m.id AND i.block = 'incidents' WHERE m.id = $1`,
    [id],
  );
  return rows[0] ?? null;
}
