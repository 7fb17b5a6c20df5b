/**
 * One page of sync in one statement: the changes after a cursor in the order in which they were stamped, tombstones among them, each
 * match with its card of this moment. A page costs the same wherever it lies: it looks at a bounded stretch of an index.
 */
import type { Queryable } from '../db/postgres.ts';
import { cardSql } from './card.ts';
import type { BlockName } from './schema.ts';
import type { SyncPosition } from './sync-cursor.ts';

export interface SyncFilters {
  sport?: string | undefined;
  tournament?: number | undefined;
  /** Inclusive. */
  updated_since?: string | undefined;
  /** null: all. */
  blocks: readonly BlockName[] | null;
}

export interface SyncPage {
  /** The last change cursor given so far. */
  seq: number;
  bound: number;
  stream: number;
  /** Cards in the page. */
  count: number;
  /** Cards as JSON text, comma-separated. */
  events: string;
  deleted: string;
  /** Names the content of the cards: ids with versions. */
  versions: string;
  /** How far the page has come; null: there was nothing to look at. */
  reached: number | null;
  more: boolean;
}

/** A page ends before its cards pass this; it has one at least. */
const PAGE_BYTES = 16 * 1024 * 1024;
/** Changes looked at for a page when most of them may be too old for `updated_since`. */
const EXAMINED_CHANGES = 10_000;
const LAST_ID = Number.MAX_SAFE_INTEGER;

/** Where a tail begins: at the largest id, going down, so that matches made meanwhile lie behind. */
export const TAIL_START = LAST_ID;

export async function readSyncPage(
  db: Queryable,
  filters: SyncFilters,
  { after, pass }: SyncPosition,
  limit: number,
): Promise<SyncPage> {
  // One more than the page holds tells whether there is more.
  const window = filters.updated_since === undefined ? limit + 1 : Math.max(EXAMINED_CHANGES, limit + 1);
  const values: unknown[] = [pass?.bound ?? null, pass?.stream ?? null, after, window, limit, PAGE_BYTES];
  const place = (value: unknown) => `$${values.push(value)}`;
  const text = pageSql(pass?.tail ?? false, {
    sport: filters.sport === undefined ? null : place(filters.sport),
    tournament: filters.tournament === undefined ? null : place(filters.tournament),
    updatedSince: filters.updated_since === undefined ? null : place(filters.updated_since),
    blocks: filters.blocks === null ? null : place(filters.blocks),
  });
  // Not prepared: the plan is to know the limit.
  const { rows } = await db.query<SyncPage>(text, values);
  return rows[0]!;
}

/** The places of the filters' values in the statement; null: no such filter. */
interface Places {
  sport: string | null;
  tournament: string | null;
  updatedSince: string | null;
  blocks: string | null;
}

function pageSql(tail: boolean, { sport, tournament, updatedSince, blocks }: Places): string {
  const within = (alias: string) =>
    `${sport === null ? '' : ` AND ${alias}.sport = ${sport}`}${tournament === null ? '' : ` AND ${alias}.tournament_id = ${tournament}`}`;
  const wanted = blocks === null ? 'true' : `b.block = ANY (${blocks}::text[])`;
  // Nothing leaves a sync without filters.
  const left = sport === null && tournament === null ? " AND d.reason <> 'moved'" : '';
  const changes = `SELECT s.change_cursor, s.match_id, NULL::text AS reason, NULL::bigint AS merged_into FROM match_change s WHERE true${within('s')}`;
  const tombstones = `SELECT d.change_cursor, d.match_id, d.reason, d.merged_into FROM match_tombstone d WHERE true${within('d')}${left}`;
  return `WITH pass AS (
      SELECT change_seq AS seq, coalesce($1::bigint, change_seq) AS bound, coalesce($2::bigint, stamped_cursor) AS stream FROM relay
    ), candidate AS (${tail ? byMatch(changes, tombstones) : byChange(changes, tombstones)}
    ), shown AS (
      SELECT k.*, m.id IS NOT NULL AS inside, m.version FROM candidate k LEFT JOIN match m ON m.id = k.match_id${within('m')}
      WHERE ${tail ? '(m.id IS NOT NULL OR k.reason IS NOT NULL)' : '(k.reason IS NULL) = (m.id IS NOT NULL)'}
        ${updatedSince === null ? '' : `AND (m.id IS NULL OR m.updated_at >= ${updatedSince}::timestamptz)`}
      ORDER BY place LIMIT $5::int + 1
    ), sized AS (
      SELECT shown.*, row_number() OVER (ORDER BY place) AS nth, sum(CASE WHEN inside THEN octet_length(c.item) + octet_length(c.detail)
        + (SELECT coalesce(sum(octet_length(b.json)), 0) FROM match_block b WHERE b.match_id = c.match_id AND (${wanted})) END) OVER (ORDER BY place) AS bytes
      FROM shown LEFT JOIN match_card c ON c.match_id = shown.match_id
    ), page AS (
      SELECT * FROM sized WHERE nth <= $5 AND (nth = 1 OR coalesce(bytes, 0) <= $6)
    ), counted AS (
      SELECT (SELECT count(*) FROM candidate) AS candidates, (SELECT max(place) FROM candidate) AS last,
        (SELECT count(*) FROM shown) > (SELECT count(*) FROM page) AS cut
    )
    SELECT pass.*, counted.cut OR counted.candidates = $4 AS more,
      abs(CASE WHEN counted.cut THEN (SELECT max(place) FROM page) ELSE counted.last END) AS reached, cards.*,
      (SELECT coalesce(string_agg('{"id":' || match_id || ',"reason":"' || reason || '","merged_into":' || coalesce(merged_into::text, 'null') || '}',
        ',' ORDER BY place), '') FROM (
        SELECT DISTINCT ON (match_id) * FROM page WHERE NOT inside ORDER BY match_id, place DESC) gone) AS deleted
    FROM pass, counted, (
      SELECT count(*)::int AS count, coalesce(string_agg(p.match_id || '.' || p.version, ',' ORDER BY p.place), '') AS versions,
        coalesce(string_agg(${cardSql('p.match_id', 'c', wanted)}, ',' ORDER BY p.place), '') AS events
      FROM page p JOIN match_card c ON c.match_id = p.match_id WHERE p.inside
    ) cards`;
}

/** The changes of the pass, the oldest first. */
const byChange = (changes: string, tombstones: string) => {
  const stretch = (select: string, alias: string) =>
    `(${select} AND ${alias}.change_cursor > $3 AND ${alias}.change_cursor <= (SELECT bound FROM pass) ORDER BY ${alias}.change_cursor LIMIT $4)`;
  return `SELECT *, change_cursor AS place FROM (${stretch(changes, 's')} UNION ALL ${stretch(tombstones, 'd')}) either
      ORDER BY place LIMIT $4`;
};

/**
 * What has changed since the first page, each match once. One of the pass's own matches may be among them, whose newer stamp has
 * taken it out of the stretch before it was given; by id it keeps its place however often it changes.
 */
const byMatch = (changes: string, tombstones: string) => {
  const since = (select: string, alias: string) =>
    `${select} AND ${alias}.change_cursor > (SELECT bound FROM pass) AND ${alias}.match_id < $3`;
  return `SELECT * FROM (
        SELECT DISTINCT ON (match_id) *, -match_id AS place FROM (${since(changes, 's')} UNION ALL ${since(tombstones, 'd')}) either
        ORDER BY match_id DESC, change_cursor DESC) latest
      ORDER BY place LIMIT $4`;
};
