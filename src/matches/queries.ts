/** Reads match lists as concatenated list items. */
import { hash } from 'node:crypto';
import { firstRow, type Queryable, wireTimeSql } from '../db/postgres.ts';
import type { MatchAccess } from '../wire/access.ts';
import { conditions, type EventFilters, isWithinSql } from './filters.ts';

/** The part of a list that a page shows. */
export interface EventRange {
  limit: number;
  offset: number;
  /** The position of the previous page's last match. Replaces an offset. */
  after?: string | undefined;
}

const IMPORTANCE = 'greatest(m.importance, t.importance)';

const isDescending = ({ order }: EventFilters) => order === 'desc';

/** True if a list is ordered by importance first. This is the case with `date` and `top`. */
const byImportance = ({ date, top }: EventFilters) => date !== undefined && top === true;

/** The sort key that comes before start and id, as SQL. It sorts ascending. */
interface FirstKey {
  key: string;
  /** SQL for the number by which a position stores the key. */
  number: string;
  /** Returns the SQL for the key that such a number stands for. */
  toKey(number: string): string;
}

/** Returns the sort key before start and id. Null if the list has none. */
function firstKey(filters: EventFilters): FirstKey | null {
  if (isDescending(filters)) return null;
  if (byImportance(filters)) return { key: `-${IMPORTANCE}`, number: IMPORTANCE, toKey: (number) => `-${number}` };
  // Upcoming matches are listed before overdue ones, whose result is missing.
  if (filters.status === 'scheduled')
    return { key: 'm.awaiting_data', number: 'm.awaiting_data::int', toKey: (number) => `${number} = 1` };
  return null;
}

/**
 * Returns a list's sort keys. All have the same direction, so a single comparison finds the first row after the previous
 * page.
 */
function sortKeys(filters: EventFilters): string[] {
  const first = firstKey(filters);
  return [...(first === null ? [] : [first.key]), 'm.scheduled_start', 'm.id'];
}
const orderSql = (filters: EventFilters) =>
  sortKeys(filters)
    .map((key) => (isDescending(filters) ? `${key} DESC` : key))
    .join(', ');

/** The first character of a position in a list with the newest match first. */
const DESCENDING = 'd';
/**
 * SQL for the position of a row in the page. A position consists of `d` in a descending list, the first key's number if the
 * list has such a key, the start in microseconds since 1970, and the id.
 */
const POSITION_SQL = `concat_ws('_', m.first, (extract(epoch FROM m.scheduled_start) * 1000000)::bigint, m.id)`;
const POSITION = /^(d?)(?:(\d{1,3})_)?(-?\d{1,17})_(\d{1,15})$/;

/**
 * Returns a condition for the matches after a position, with its values.
 * @returns null if the text is not a position in such a list
 */
function conditionAfter(after: string, filters: EventFilters, first: number): { sql: string; values: string[] } | null {
  const [, direction, number, start, id] = POSITION.exec(after) ?? [];
  const key = firstKey(filters);
  if (start === undefined || id === undefined || (number !== undefined) !== (key !== null)) return null;
  if ((direction === DESCENDING) !== isDescending(filters)) return null;
  const values = [start, id, ...(number === undefined ? [] : [number])];
  const [startSql, idSql, numberSql] = values.map((_, index) => `$${first + index}::bigint`);
  const keys = `timestamptz 'epoch' + ${startSql} * interval '1 microsecond', ${idSql}`;
  const beyond = isDescending(filters) ? '<' : '>';
  return {
    sql: `(${sortKeys(filters).join(', ')}) ${beyond} (${key === null ? '' : `${key.toKey(numberSql!)}, `}${keys})`,
    values,
  };
}

/** True if `after` is a position in a list with these filters. */
export const isPosition = (after: string, filters: EventFilters): boolean => conditionAfter(after, filters, 1) !== null;

/** Counts the matches on all pages together. */
export async function countEvents(db: Queryable, filters: EventFilters): Promise<number> {
  const { from, values } = listed(filters);
  const { rows } = await db.query<{ total: number }>(statement(`SELECT count(*) AS total ${from}`, values));
  return firstRow(rows).total;
}

export interface EventPage {
  count: number;
  /** Identifies the page's content. Computed from each match's id and version, in order. */
  version: string;
  /** The last match's position. Null if the page is empty. */
  position: string | null;
  /** List items as JSON text, comma-separated. */
  items: string;
}

/**
 * Lists items by start, then id. Ascending lists with `date` and `top` are ordered by importance first. Lists of scheduled matches begin
 * with the matches that are not overdue.
 * @param cachedVersion version of the caller's cached page
 * @returns null if `cachedVersion` is current
 */
export async function listEvents(
  db: Queryable,
  filters: EventFilters,
  range: EventRange,
  cachedVersion?: string,
): Promise<EventPage | null> {
  // The version is queried alone first, because merely planning a statement that also reads the items takes longer than this
  // query (measured: 0.50 ms, not 0.08).
  if (cachedVersion !== undefined && (await readPage(db, filters, range, false)).version === cachedVersion) return null;
  return readPage(db, filters, range, true);
}

/**
 * For lists of up to this many rows, the depth is part of the statement, so that one plan serves all pages. Without a known
 * bound, Postgres plans each page again, which takes longer than reading it (measured: 4,000 lists a second instead of
 * 5,700).
 */
const DEPTHS = [128, 1_024];

const ITEMS = `, (array_agg(${POSITION_SQL}))[count(*)] AS position,
  coalesce(string_agg((SELECT c.item FROM match_card c WHERE c.match_id = m.id), ','), '') AS items`;

async function readPage(
  db: Queryable,
  filters: EventFilters,
  { limit, offset, after }: EventRange,
  withItems: boolean,
): Promise<EventPage> {
  const { from, values } = listed(filters, after);
  const depth = DEPTHS.find((rows) => offset + limit <= rows);
  // If many matches are skipped, Postgres reads them from an index that does not contain versions. Each version is then looked
  // up separately.
  const [column, version] =
    depth === undefined ? ['', '(SELECT v.version FROM match v WHERE v.id = m.id)'] : [', m.version', 'm.version'];
  const first = firstKey(filters)?.number ?? 'NULL::int';
  const list = `SELECT m.id, m.scheduled_start, ${first} AS first${column} ${from} ORDER BY ${orderSql(filters)}`;
  // The page's rows are in order, and the aggregates keep that order.
  const text = `SELECT count(*)::int AS count, coalesce(string_agg(m.id || '.' || ${version}, ','), '') AS versions${withItems ? ITEMS : ''}
    FROM (${depth === undefined ? list : `SELECT * FROM (${list} LIMIT ${depth}) upper`}
      LIMIT $${values.length + 1} OFFSET $${values.length + 2}) m`;
  const { rows } = await db.query<{ count: number; versions: string; position?: string | null; items?: string }>(
    statement(text, [...values, limit, offset]),
  );
  const { count, versions, position: last = null, items = '' } = firstRow(rows);
  const position = last !== null && isDescending(filters) ? `${DESCENDING}${last}` : last;
  return { count, position, items, version: hash('sha1', versions, 'base64url') };
}

/** Creates a prepared statement for each combination of filters, because planning costs more than execution. */
const statement = (text: string, values: unknown[]) => ({
  name: `events ${hash('sha1', text, 'base64url')}`,
  text,
  values,
});

/** Returns the part of a statement that selects a list's rows. */
function listed(filters: EventFilters, after?: string): { from: string; values: unknown[] } {
  const { parts, values } = conditions(filters);
  const beyond = after === undefined ? null : conditionAfter(after, filters, values.length + 1);
  const all = beyond === null ? parts : [...parts, beyond.sql];
  return {
    from: `FROM match m ${byImportance(filters) ? 'JOIN tournament t ON t.id = m.tournament_id' : ''} ${all.length > 0 ? `WHERE ${all.join(' AND ')}` : ''}`,
    values: [...values, ...(beyond?.values ?? [])],
  };
}

export async function listLive(
  db: Queryable,
  filters: { sport?: string | undefined; tournament?: number | undefined; limit: number; access?: MatchAccess },
): Promise<{ items: string[]; as_of: string | null }> {
  const { access } = filters;
  const { rows } = await db.query<{ item: string; updated_at: string }>({
    name: access === undefined ? 'live' : 'live within',
    text: `SELECT c.item, ${wireTimeSql('m.updated_at')} AS updated_at FROM match m JOIN match_card c ON c.match_id = m.id
     WHERE m.status = 'live' AND NOT m.awaiting_data AND ($1::text IS NULL OR m.sport = $1) AND ($2::bigint IS NULL OR m.tournament_id = $2)${access === undefined ? '' : ` AND ${isWithinSql('m', '$4', '$5')}`}
     ORDER BY m.scheduled_start, m.id LIMIT $3`,
    values: [
      filters.sport ?? null,
      filters.tournament ?? null,
      filters.limit,
      ...(access === undefined ? [] : [access.sports, access.tournaments]),
    ],
  });
  const newest = rows.reduce<string | null>(
    (latest, { updated_at }) => (latest === null || updated_at > latest ? updated_at : latest),
    null,
  );
  return { items: rows.map(({ item }) => item), as_of: newest };
}
