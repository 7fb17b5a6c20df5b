/**
 * Reads one sync page in one statement. The page has the changes after a change cursor, in order, with tombstones, and each
 * match with its current card. Every page costs about the same, because it reads a bounded index range.
 */
import type pg from 'pg';
import type { MatchAccess } from '../wire/access.ts';
import type { BlockName } from '../wire/match.ts';
import { literal, type Parts, readRows } from './binary-row.ts';
import { cardSql } from './card-sql.ts';
import type { SyncPosition } from './sync-cursor.ts';

export interface SyncFilters {
  sport?: string | undefined;
  tournament?: number | undefined;
  /** Inclusive time. */
  updated_since?: string | undefined;
  /** Null for all blocks. */
  blocks: readonly BlockName[] | null;
  /** The client's access. Absent for all matches. */
  access?: MatchAccess;
}

export interface SyncPage {
  /** The newest assigned change cursor. */
  seq: number;
  bound: number;
  stream: number;
  /** Number of cards in the page. */
  count: number;
  /** Cards as JSON text, comma-separated, in UTF-8. */
  events: Parts;
  /** Deleted matches as JSON text, comma-separated. */
  deleted: string;
  /** The cards' ids and versions, which identify the content. */
  versions: string;
  /** The position after the page. Null if no change was left to examine. */
  reached: number | null;
  more: boolean;
}

/** A page ends before its cards exceed this size, but has at least one card. */
const PAGE_BYTES = 16 * 1024 * 1024;
/** Maximum number of changes examined for a page with `updated_since`, since most of them may be too old. */
const EXAMINED_CHANGES = 10_000;
const LAST_ID = Number.MAX_SAFE_INTEGER;

/** A tail starts at the largest id and goes down. Matches created in the meantime have larger ids, so the tail does not reach them. */
export const TAIL_START = LAST_ID;

export async function readSyncPage(
  pool: Pick<pg.Pool, 'connect'>,
  filters: SyncFilters,
  position: SyncPosition,
  limit: number,
): Promise<SyncPage> {
  // A cursor that was made without replicas does not say what its pages have shown, so the page is read on the primary.
  const isFirst = position.after === 0 && position.pass === null;
  const at = position.at ?? (isFirst ? undefined : null);
  const rows = await readRows(pool, pageSql(filters, position, limit), at);
  const [[, facts], ...cards] = rows
    .map(([nth, text]) => [Buffer.concat(nth!).readInt32BE(0), text!] as const)
    .sort(([a], [b]) => a - b) as [[number, Parts], ...[number, Parts][]];
  const events = cards.flatMap(([, card], index) => (index === 0 ? card : [COMMA, ...card]));
  return { ...(JSON.parse(Buffer.concat(facts).toString('utf8')) as Omit<SyncPage, 'events'>), events };
}
const COMMA = Buffer.from(',');

/** SQL for a row with 0 and the facts about the page, and a row for each card with its number from 1, in no order. */
function pageSql(
  { sport, tournament, updated_since, blocks, access }: SyncFilters,
  position: SyncPosition,
  limit: number,
) {
  const { after, pass } = position;
  const tail = pass?.tail ?? false;
  // One row more than the page has is read, which shows whether there are more.
  const window = updated_since === undefined ? limit + 1 : Math.max(EXAMINED_CHANGES, limit + 1);
  const within = (alias: string) =>
    [
      ...(sport === undefined ? [] : [` AND ${alias}.sport = ${literal(sport)}`]),
      ...(tournament === undefined ? [] : [` AND ${alias}.tournament_id = ${literal(tournament)}`]),
      ...(access === undefined ? [] : [` AND ${isWithinSql(alias, access)}`]),
    ].join('');
  const wanted = blocks === null ? 'true' : `b.block = ANY (${literal(blocks)}::text[])`;
  // Without filters, a match cannot move out of the result, so `moved` tombstones are left out.
  const isFiltered = sport !== undefined || tournament !== undefined || access !== undefined;
  const left = !isFiltered ? " AND d.reason <> 'moved'" : '';
  const changes = `SELECT s.change_cursor, s.match_id, NULL::text AS reason, NULL::bigint AS merged_into FROM match_change s WHERE true${within('s')}`;
  const tombstones = `SELECT d.change_cursor, d.match_id, d.reason, d.merged_into FROM match_tombstone d WHERE true${within('d')}${left}`;
  return `WITH pass AS (
      SELECT change_seq AS seq, coalesce(${literal(pass?.bound ?? null)}, change_seq) AS bound,
        coalesce(${literal(pass?.stream ?? null)}, stamped_cursor) AS stream FROM relay
    ), candidate AS (${(tail ? byMatch : byChange)(changes, tombstones, after, window)}
    ), shown AS (
      SELECT k.*, m.id IS NOT NULL AS inside, m.version FROM candidate k LEFT JOIN match m ON m.id = k.match_id${within('m')}
      WHERE ${tail ? '(m.id IS NOT NULL OR k.reason IS NOT NULL)' : '(k.reason IS NULL) = (m.id IS NOT NULL)'}
        ${updated_since === undefined ? '' : `AND (m.id IS NULL OR m.updated_at >= ${literal(updated_since)}::timestamptz)`}
      ORDER BY sort_key LIMIT ${limit + 1}
    ), sized AS (
      SELECT shown.*, row_number() OVER (ORDER BY sort_key) AS nth, sum(CASE WHEN inside THEN octet_length(c.item) + octet_length(c.detail)
        + (SELECT coalesce(sum(octet_length(b.json)), 0) FROM match_block b WHERE b.match_id = c.match_id AND (${wanted})) END) OVER (ORDER BY sort_key) AS bytes
      FROM shown LEFT JOIN match_card c ON c.match_id = shown.match_id
    ), page AS (
      SELECT * FROM sized WHERE nth <= ${limit} AND (nth = 1 OR coalesce(bytes, 0) <= ${PAGE_BYTES})
    ), counted AS (
      SELECT (SELECT count(*) FROM candidate) AS candidates, (SELECT max(sort_key) FROM candidate) AS last,
        (SELECT count(*) FROM shown) > (SELECT count(*) FROM page) AS cut
    )
    SELECT 0 AS nth, (SELECT row_to_json(facts)::text FROM (
        SELECT pass.*, cards.count, cards.versions, counted.cut OR counted.candidates = ${window} AS more,
          abs(CASE WHEN counted.cut THEN (SELECT max(sort_key) FROM page) ELSE counted.last END) AS reached,
          (SELECT coalesce(string_agg('{"id":' || match_id || ',"reason":"' || reason || '","merged_into":' || coalesce(merged_into::text, 'null') || '}',
            ',' ORDER BY sort_key), '') FROM (
            SELECT DISTINCT ON (match_id) * FROM page WHERE NOT inside ORDER BY match_id, sort_key DESC) gone) AS deleted
      ) facts) AS text
    FROM pass, counted, (
      SELECT count(*) AS count, coalesce(string_agg(p.match_id || '.' || p.version, ',' ORDER BY p.sort_key), '') AS versions
      FROM page p JOIN match_card c ON c.match_id = p.match_id WHERE p.inside
    ) cards
    UNION ALL SELECT p.nth::int, ${cardSql('p.match_id', 'c', wanted)} FROM page p JOIN match_card c ON c.match_id = p.match_id WHERE p.inside`;
}

/** Returns SQL that is true if the client may see a row. @param alias names a table with the columns sport and tournament_id */
const isWithinSql = (alias: string, { sports, tournaments }: MatchAccess) =>
  `(${alias}.sport = ANY (${literal(sports)}::text[]) OR ${alias}.tournament_id = ANY (${literal(tournaments.map(String))}::bigint[]))`;

/** Selects the pass's changes, oldest first. */
const byChange = (changes: string, tombstones: string, after: number, window: number) => {
  const range = (select: string, alias: string) =>
    `(${select} AND ${alias}.change_cursor > ${after} AND ${alias}.change_cursor <= (SELECT bound FROM pass) ORDER BY ${alias}.change_cursor LIMIT ${window})`;
  return `SELECT *, change_cursor AS sort_key FROM (${range(changes, 's')} UNION ALL ${range(tombstones, 'd')}) either
      ORDER BY sort_key LIMIT ${window}`;
};

/**
 * Selects the matches that have changed since the first page, each once. Some of them belong to the pass but have not been
 * delivered, because the newer change moved them beyond the pass's end. Matches are ordered by id, so the position does not
 * depend on how often a match changes.
 */
const byMatch = (changes: string, tombstones: string, after: number, window: number) => {
  const since = (select: string, alias: string) =>
    `${select} AND ${alias}.change_cursor > (SELECT bound FROM pass) AND ${alias}.match_id < ${after}`;
  return `SELECT * FROM (
        SELECT DISTINCT ON (match_id) *, -match_id AS sort_key FROM (${since(changes, 's')} UNION ALL ${since(tombstones, 'd')}) either
        ORDER BY match_id DESC, change_cursor DESC) latest
      ORDER BY sort_key LIMIT ${window}`;
};
