/** The statements for match lists. */
import { hash } from 'node:crypto';
import { firstRow, prepared, type Queryable, wireTimeSql } from '../db/postgres.ts';
import type { CachedItem } from '../http/index.ts';
import type { MatchAccess } from '../wire/access.ts';
import { type Conditions, conditions, type EventFilters, isWithinSql } from './filters.ts';
import { type ListSource, type ListStatement, readList, VERSIONS } from './list-items.ts';
import type { ListedBlocks } from './wanted-blocks.ts';

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
  const text = `SELECT count(*) AS total ${from}`;
  // Prepared, because planning costs more than execution.
  const { rows } = await db.query<{ total: number }>({
    name: `events ${hash('sha1', text, 'base64url')}`,
    text,
    values,
  });
  return firstRow(rows).total;
}

/** False if the list has all matches. */
export const hasFilters = (filters: EventFilters): boolean =>
  Object.entries(filters).some(([name, value]) => name !== 'order' && value !== undefined);

const STATE = prepared(
  'settled state',
  'SELECT change_seq AS state FROM relay WHERE NOT EXISTS (SELECT FROM match_touch)',
);

/**
 * Returns a value that differs if any match was created, changed or deleted in the meantime. Each of these leaves a pending change in
 * its transaction, for which the relay increases the number.
 * @returns null while changes are pending
 */
export async function settledState(db: Queryable): Promise<string | null> {
  const { rows } = await db.query<{ state: number }>(STATE([]));
  return rows[0] === undefined ? null : `state ${rows[0].state}`;
}

export interface EventPage {
  /** Identifies the page's content. Computed from each match's id and version, in order. */
  version: string;
  /** The last match's position. Null if the page is empty. */
  position: string | null;
  items: readonly CachedItem[];
}

const hashVersions = (versions: string) => hash('sha1', versions, 'base64url');

/**
 * Lists items by start, then id. Ascending lists with `date` and `top` are ordered by importance first. Lists of scheduled matches begin
 * with the matches that are not overdue.
 * @param cachedVersion version of the caller's cached page
 * @returns null if `cachedVersion` is current
 */
export async function listEvents(
  source: ListSource,
  filters: EventFilters,
  page: ListStatement,
  cachedVersion?: string,
): Promise<EventPage | null> {
  const list = await readList<{ versions: string; position: string | null }>(
    source,
    page,
    (versions) => hashVersions(versions) === cachedVersion,
  );
  if (list === null) return null;
  const { row, items } = list;
  const position = row.position !== null && isDescending(filters) ? `${DESCENDING}${row.position}` : row.position;
  return { version: hashVersions(row.versions), position, items };
}

/**
 * For lists of up to this many rows, the depth is part of the statement, so that one plan serves all pages. Without a known
 * bound, Postgres plans each page again, which takes longer than reading it (measured: 4,000 lists a second instead of
 * 5,700).
 */
const DEPTHS = [128, 1_024];

/** Returns the statement for a page. */
export function pageStatement(
  filters: EventFilters,
  { limit, offset, after }: EventRange,
  blocks: ListedBlocks | null,
): ListStatement {
  const { from, values, types } = listed(filters, after);
  const depth = DEPTHS.find((rows) => offset + limit <= rows);
  const first = firstKey(filters)?.number ?? 'NULL::int';
  const list = (version: string) =>
    `SELECT m.id, m.scheduled_start, ${first} AS first${version} ${from} ORDER BY ${orderSql(filters)}`;
  const range = `LIMIT $${values.length + 1} OFFSET $${values.length + 2}`;
  // If many matches are skipped, Postgres reads them from an index that does not contain versions. Each version is then
  // looked up separately.
  const page =
    depth === undefined
      ? `SELECT m.*, (SELECT v.version FROM match v WHERE v.id = m.id) AS version FROM (${list('')} ${range}) m`
      : `SELECT * FROM (${list(', m.version')} LIMIT ${depth}) upper ${range}`;
  return {
    // The page's rows are in order, and the aggregates keep that order.
    sql: `SELECT ${VERSIONS}, (array_agg(${POSITION_SQL}))[count(*)] AS position FROM (${page}) m`,
    values: [...values, limit, offset],
    types: [...types, 'bigint', 'bigint'],
    isSlow: depth !== DEPTHS[0],
    blocks,
  };
}

/** Returns the part of a statement that selects a list's rows. */
function listed(filters: EventFilters, after?: string): Omit<Conditions, 'parts'> & { from: string } {
  const { parts, values, types } = conditions(filters);
  const beyond = after === undefined ? null : conditionAfter(after, filters, values.length + 1);
  const all = beyond === null ? parts : [...parts, beyond.sql];
  const more = beyond?.values ?? [];
  return {
    from: `FROM match m ${byImportance(filters) ? 'JOIN tournament t ON t.id = m.tournament_id' : ''} ${all.length > 0 ? `WHERE ${all.join(' AND ')}` : ''}`,
    values: [...values, ...more],
    types: [...types, ...more.map(() => 'bigint')],
  };
}

export interface LiveFilters {
  sport?: string | undefined;
  tournament?: number | undefined;
  limit: number;
  blocks: ListedBlocks | null;
  access?: MatchAccess;
}

export interface LiveList {
  /** Identifies the list's content. */
  version: string;
  items: readonly CachedItem[];
  /** Time of the newest change. Null if the list is empty. */
  as_of: string | null;
}

/**
 * Lists matches in progress by start, then id.
 * @param cachedVersion version of the caller's cached list
 * @returns null if `cachedVersion` is current
 */
export async function listLive(
  source: ListSource,
  { sport, tournament, limit, blocks, access }: LiveFilters,
  cachedVersion?: string,
): Promise<LiveList | null> {
  const within = access === undefined ? '' : ` AND ${isWithinSql('m', '$4', '$5')}`;
  const list = await readList<{ versions: string; as_of: string | null }>(
    source,
    {
      sql: `SELECT ${VERSIONS}, ${wireTimeSql('max(m.updated_at)')} AS as_of FROM (
        SELECT m.id, m.version, m.updated_at FROM match m WHERE m.status = 'live' AND NOT m.awaiting_data
          AND ($1 IS NULL OR m.sport = $1) AND ($2 IS NULL OR m.tournament_id = $2)${within}
        ORDER BY m.scheduled_start, m.id LIMIT $3) m`,
      values: [sport, tournament, limit, access?.sports, access?.tournaments],
      types: ['text', 'bigint', 'bigint', 'text[]', 'bigint[]'],
      isSlow: false,
      blocks,
    },
    (versions) => hashVersions(versions) === cachedVersion,
  );
  return list === null ? null : { version: hashVersions(list.row.versions), items: list.items, as_of: list.row.as_of };
}
