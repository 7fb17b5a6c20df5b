/** Reads matches: lists as texts of items, cards as their stored pieces. */
import { hash } from 'node:crypto';
import type { Queryable } from '../db/postgres.ts';
import { wireTime } from '../db/postgres.ts';
import { cardSql } from './card.ts';
import type { BlockName } from './schema.ts';

/** A tournament counts as top from this importance on, unless it is amateur or youth. */
export const TOP_IMPORTANCE = 50;

export interface EventFilters {
  sport?: string | undefined;
  status?: string | undefined;
  tournament?: number | undefined;
  participant?: number | undefined;
  /** YYYY-MM-DD, UTC. */
  date?: string | undefined;
  /** Inclusive. */
  from?: string | undefined;
  /** Exclusive. */
  to?: string | undefined;
  top?: boolean | undefined;
  min_importance?: number | undefined;
  limit: number;
  offset: number;
}

const IMPORTANCE = 'greatest(m.importance, t.importance)';

/** Conditions with their values; numbered as they come. */
function conditions(filters: EventFilters): { where: string; values: unknown[]; joined: boolean } {
  const values: unknown[] = [];
  const parts: string[] = [];
  const add = (sql: (place: string) => string, value: unknown) => {
    if (value === undefined) return;
    values.push(value);
    parts.push(sql(`$${values.length}`));
  };
  add((p) => `m.sport = ${p}`, filters.sport);
  add((p) => `m.status = ${p}`, filters.status);
  add((p) => `m.tournament_id = ${p}`, filters.tournament);
  add((p) => `(m.home_id = ${p} OR m.away_id = ${p})`, filters.participant);
  add(
    (p) =>
      `m.scheduled_start >= (${p}::date)::timestamp AT TIME ZONE 'UTC' AND m.scheduled_start < (${p}::date + 1)::timestamp AT TIME ZONE 'UTC'`,
    filters.date,
  );
  add((p) => `m.scheduled_start >= ${p}::timestamptz`, filters.from);
  add((p) => `m.scheduled_start < ${p}::timestamptz`, filters.to);
  add((p) => `${IMPORTANCE} >= ${p}`, filters.min_importance);
  if (filters.top) parts.push(`${IMPORTANCE} >= ${TOP_IMPORTANCE} AND NOT t.amateur AND NOT t.youth`);
  return {
    where: parts.length > 0 ? `WHERE ${parts.join(' AND ')}` : '',
    values,
    joined: filters.top === true || filters.min_importance !== undefined,
  };
}

export interface EventPage {
  count: number;
  total: number;
  /** List items as JSON text, comma-separated. */
  items: string;
}

/** Items in the order of the contract: with `date` and `top` the important first, else by start, then id. */
export async function listEvents(db: Queryable, filters: EventFilters): Promise<EventPage> {
  const { where, values, joined } = conditions(filters);
  const order =
    filters.date !== undefined && filters.top
      ? `${IMPORTANCE} DESC, m.scheduled_start, m.id`
      : 'm.scheduled_start, m.id';
  const from = (table: boolean) =>
    `FROM match m ${table ? 'JOIN tournament t ON t.id = m.tournament_id' : ''} ${where}`;
  const text = `SELECT count(*)::int AS count, (SELECT count(*) ${from(joined)}) AS total, coalesce(string_agg(c.item, ',' ORDER BY page.place), '') AS items
     FROM (SELECT m.id, row_number() OVER (ORDER BY ${order}) AS place ${from(joined)} ORDER BY ${order}
         LIMIT $${values.length + 1} OFFSET $${values.length + 2}) page JOIN match_card c ON c.match_id = page.id`;
  // Prepared under a name for each combination of filters: planning would cost more than running.
  const name = `events ${hash('sha1', text, 'base64url')}`;
  const { rows } = await db.query<EventPage>({
    name,
    text,
    values: [...values, filters.limit, filters.offset],
  });
  return rows[0]!;
}

export async function listLive(
  db: Queryable,
  filters: { sport?: string | undefined; tournament?: number | undefined; limit: number },
): Promise<{ items: string[]; as_of: string | null }> {
  const { rows } = await db.query<{ item: string; updated_at: string }>({
    name: 'live',
    text: `SELECT c.item, ${wireTime('m.updated_at')} AS updated_at FROM match m JOIN match_card c ON c.match_id = m.id
     WHERE m.status = 'live' AND ($1::text IS NULL OR m.sport = $1) AND ($2::bigint IS NULL OR m.tournament_id = $2)
     ORDER BY m.scheduled_start, m.id LIMIT $3`,
    values: [filters.sport ?? null, filters.tournament ?? null, filters.limit],
  });
  const newest = rows.reduce<string | null>(
    (latest, { updated_at }) => (latest === null || updated_at > latest ? updated_at : latest),
    null,
  );
  return { items: rows.map(({ item }) => item), as_of: newest };
}

export interface StoredCard {
  version: number;
  status: 'scheduled' | 'live' | 'finished';
  finalized: boolean;
  /** JSON text. */
  card: string;
}

/** @param blocks null: all. */
export async function readCard(
  db: Queryable,
  id: number,
  blocks: readonly BlockName[] | null,
): Promise<StoredCard | null> {
  const select = (wanted?: string) => `SELECT m.version, m.status, m.finalized, ${cardSql('m.id', 'c', wanted)} AS card
     FROM match m JOIN match_card c ON c.match_id = m.id WHERE m.id = $1`;
  const { rows } = await db.query<StoredCard>(
    blocks === null
      ? { name: 'card', text: select(), values: [id] }
      : { name: 'card blocks', text: select('b.block = ANY ($2::text[])'), values: [id, blocks] },
  );
  return rows[0] ?? null;
}
