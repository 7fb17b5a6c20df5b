/** Reads lists of matches, as concatenated list items. */
import { hash } from 'node:crypto';
import { type Queryable, wireTimeSql } from '../db/postgres.ts';
import type { MatchAccess } from '../wire/access.ts';
import { AWAITING_DATA, type ShownStatusDetail } from '../wire/match.ts';

/** A tournament counts as top from this importance on, unless it is amateur or youth. */
const TOP_IMPORTANCE = 50;

export interface EventFilters {
  ids?: readonly number[] | undefined;
  sport?: readonly string[] | undefined;
  status?: string | undefined;
  status_detail?: ShownStatusDetail | undefined;
  tournament?: readonly number[] | undefined;
  participant?: readonly number[] | undefined;
  season?: number | undefined;
  /** Number or name of a round, in any case. */
  round?: string | undefined;
  /** Country of the tournament. */
  country?: string | undefined;
  /** YYYY-MM-DD, in the zone `tz`. */
  date?: string | undefined;
  /** IANA name; default UTC. */
  tz?: string | undefined;
  /** Inclusive. */
  updated_since?: string | undefined;
  /** By start, then id; default asc. */
  order?: 'asc' | 'desc' | undefined;
  /** Inclusive. */
  from?: string | undefined;
  /** Exclusive. */
  to?: string | undefined;
  top?: boolean | undefined;
  min_importance?: number | undefined;
  /** Absent: all matches. */
  access?: MatchAccess;
}

/** Page of a list. */
export interface EventRange {
  limit: number;
  offset: number;
  /** The position of the previous page's last match, instead of an offset. */
  after?: string | undefined;
}

const IMPORTANCE = 'greatest(m.importance, t.importance)';

const TOURNAMENTS = '(SELECT t.id FROM tournament t';
/** A subquery instead of a join, for which Postgres would look up the tournament of each match. */
const isImportant = (least: string) =>
  `(m.importance >= ${least} OR m.tournament_id IN ${TOURNAMENTS} WHERE t.importance >= ${least}))`;

/** @param table with the columns sport and tournament_id */
const isWithinSql = (table: string, sports: string, tournaments: string) =>
  `(${table}.sport = ANY (${sports}::text[]) OR ${table}.tournament_id = ANY (${tournaments}::bigint[]))`;

/** Conditions with their values, parameters from $1. */
function conditions(filters: EventFilters): { parts: string[]; values: unknown[] } {
  const values: unknown[] = [];
  const parts: string[] = [];
  const add = (sql: (parameter: string) => string, value: unknown) => {
    if (value === undefined) return;
    values.push(value);
    parts.push(sql(`$${values.length}`));
  };
  // One value is compared with =, so that the statement of a list by one tournament reads its index in order.
  const addAny = (column: string, type: string, given: readonly unknown[] | undefined) =>
    given?.length === 1
      ? add((p) => `${column} = ${p}`, given[0])
      : add((p) => `${column} = ANY (${p}::${type}[])`, given);
  addAny('m.id', 'bigint', filters.ids);
  addAny('m.sport', 'text', filters.sport);
  // A literal, by which Postgres knows that an index of these matches alone has them all.
  if (filters.status !== undefined) parts.push(`m.status = '${filters.status}'`);
  if (filters.status_detail === AWAITING_DATA) parts.push('m.awaiting_data');
  else add((p) => `m.status_detail = ${p} AND NOT m.awaiting_data`, filters.status_detail);
  addAny('m.tournament_id', 'bigint', filters.tournament);
  const [participant, ...others] = filters.participant ?? [];
  if (others.length === 0) add((p) => `(m.home_id = ${p} OR m.away_id = ${p})`, participant);
  else add((p) => `(m.home_id = ANY (${p}::bigint[]) OR m.away_id = ANY (${p}::bigint[]))`, filters.participant);
  add((p) => `m.season_id = ${p}`, filters.season);
  add((p) => `(m.round_num::text = ${p} OR lower(m.round_name) = lower(${p}))`, filters.round);
  add((p) => `m.tournament_id IN ${TOURNAMENTS} WHERE t.country = ${p})`, filters.country);
  add((p) => `m.updated_at >= ${p}::timestamptz`, filters.updated_since);
  if (filters.date !== undefined) {
    values.push(filters.date, filters.tz ?? 'UTC');
    const [day, zone] = [`$${values.length - 1}::date`, `$${values.length}`];
    parts.push(
      `m.scheduled_start >= (${day})::timestamp AT TIME ZONE ${zone} AND m.scheduled_start < (${day} + 1)::timestamp AT TIME ZONE ${zone}`,
    );
  }
  add((p) => `m.scheduled_start >= ${p}::timestamptz`, filters.from);
  add((p) => `m.scheduled_start < ${p}::timestamptz`, filters.to);
  add(isImportant, filters.min_importance);
  if (filters.access !== undefined) {
    values.push(filters.access.sports, filters.access.tournaments);
    parts.push(isWithinSql('m', `$${values.length - 1}`, `$${values.length}`));
  }
  if (filters.top)
    parts.push(
      isImportant(String(TOP_IMPORTANCE)),
      `m.tournament_id NOT IN ${TOURNAMENTS} WHERE t.amateur OR t.youth)`,
    );
  return { parts, values };
}

const isDescending = ({ order }: EventFilters) => order === 'desc';

/** With `date` and `top` a list is ordered by importance first. */
const byImportance = ({ date, top }: EventFilters) => date !== undefined && top === true;

/** Sort key before start and id, ascending, in SQL. */
interface FirstKey {
  key: string;
  /** The number for it in a position. */
  number: string;
  /** Returns the key for such a number. */
  toKey(number: string): string;
}

/** Returns null for a list in the order of start and id alone. */
function firstKey(filters: EventFilters): FirstKey | null {
  if (isDescending(filters)) return null;
  if (byImportance(filters)) return { key: `-${IMPORTANCE}`, number: IMPORTANCE, toKey: (number) => `-${number}` };
  // Matches to come are listed before the ones whose result is missing.
  if (filters.status === 'scheduled')
    return { key: 'm.awaiting_data', number: 'm.awaiting_data::int', toKey: (number) => `${number} = 1` };
  return null;
}

/**
 * Returns the sort keys of a list, all in one direction, so that a page begins with the first row beyond the previous
 * page's last.
 */
function sortKeys(filters: EventFilters): string[] {
  const first = firstKey(filters);
  return [...(first === null ? [] : [first.key]), 'm.scheduled_start', 'm.id'];
}
const orderSql = (filters: EventFilters) =>
  sortKeys(filters)
    .map((key) => (isDescending(filters) ? `${key} DESC` : key))
    .join(', ');

/** Begins the positions of lists with the newest match first. */
const DESCENDING = 'd';
/**
 * Position from the columns of a page: `d` in a descending list, the number of the first key, if any, the start in
 * microseconds since 1970, the id.
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

/** Whether a list with these filters has a position `after`. */
export const isPosition = (after: string, filters: EventFilters): boolean => conditionAfter(after, filters, 1) !== null;

/** Counts the matches on all pages together. */
export async function countEvents(db: Queryable, filters: EventFilters): Promise<number> {
  const { from, values } = listed(filters);
  const { rows } = await db.query<{ total: number }>(statement(`SELECT count(*) AS total ${from}`, values));
  return rows[0]!.total;
}

export interface EventPage {
  count: number;
  /** Identifies the content: each match in order with its version. */
  version: string;
  /** Position of the last match; null on an empty page. */
  position: string | null;
  /** List items as JSON text, comma-separated. */
  items: string;
}

/**
 * Lists items by start, then id; in ascending order with `date` and `top` by importance first, and scheduled matches without
 * the ones that await data first.
 * @param cachedVersion version of the page that the caller has
 * @returns null if `cachedVersion` is current
 */
export async function listEvents(
  db: Queryable,
  filters: EventFilters,
  range: EventRange,
  cachedVersion?: string,
): Promise<EventPage | null> {
  // The version is queried alone first: with the items in the same statement planning takes longer than this query
  // (measured: 0.50 ms, not 0.08).
  if (cachedVersion !== undefined && (await readPage(db, filters, range, false)).version === cachedVersion) return null;
  return readPage(db, filters, range, true);
}

/**
 * Up to these row counts the depth of a list is part of its statement: one plan serves all its pages. Without a known
 * bound Postgres plans each page again, which takes longer than reading it (measured: 4,000 lists a second instead of
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
  // To skip many matches Postgres reads an index, which has no versions.
  const [column, version] =
    depth === undefined ? ['', '(SELECT v.version FROM match v WHERE v.id = m.id)'] : [', m.version', 'm.version'];
  const first = firstKey(filters)?.number ?? 'NULL::int';
  const list = `SELECT m.id, m.scheduled_start, ${first} AS first${column} ${from} ORDER BY ${orderSql(filters)}`;
  // The page is read in its order, and the aggregates keep it.
  const text = `SELECT count(*)::int AS count, coalesce(string_agg(m.id || '.' || ${version}, ','), '') AS versions${withItems ? ITEMS : ''}
    FROM (${depth === undefined ? list : `SELECT * FROM (${list} LIMIT ${depth}) upper`}
      LIMIT $${values.length + 1} OFFSET $${values.length + 2}) m`;
  const { rows } = await db.query<{ count: number; versions: string; position?: string | null; items?: string }>(
    statement(text, [...values, limit, offset]),
  );
  const { count, versions, position: last = null, items = '' } = rows[0]!;
  const position = last !== null && isDescending(filters) ? `${DESCENDING}${last}` : last;
  return { count, position, items, version: hash('sha1', versions, 'base64url') };
}

/** A prepared statement for each combination of filters: planning would cost more than execution. */
const statement = (text: string, values: unknown[]) => ({
  name: `events ${hash('sha1', text, 'base64url')}`,
  text,
  values,
});

/** Returns the rows of a list. */
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
