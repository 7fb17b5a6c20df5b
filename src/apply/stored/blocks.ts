/** Stored blocks as JSON, and the SQL statements that read and write blocks. Each statement handles a whole batch. */
import { isDeepStrictEqual } from 'node:util';
import { prepared, type Queryable, texts } from '../../db/postgres.ts';

export interface BlockRow {
  match_id: number;
  block: string;
  json: string;
  source: Record<string, string> | null;
}

/** A match's blocks by name. */
export type StoredBlocks = ReadonlyMap<string, BlockRow>;

/** Returns the items in a stored list. Empty if there is no such block. */
export const parseList = <T>(stored: Pick<BlockRow, 'json'> | undefined): T[] =>
  stored ? JSON.parse(stored.json) : [];

/** True if two texts written by JSON.stringify have the same value, ignoring key order. */
export function sameJson(a: string, b: string): boolean {
  return a === b || (sameCharacters(a, b) && isDeepStrictEqual(JSON.parse(a), JSON.parse(b)));
}

/**
 * True if two texts have the same length and the same sum of characters. Texts that differ only in key order always do; most
 * texts with different values do not. The test costs a tenth of parsing.
 */
function sameCharacters(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i += 1) difference += a.charCodeAt(i) - b.charCodeAt(i);
  return difference === 0;
}

const LOAD_BLOCKS = prepared(
  'load blocks',
  `SELECT match_id, block, json, source FROM unnest($1::bigint[], $2::text[]) AS wanted (match_id, block)
   JOIN match_block USING (match_id, block)`,
);

/** Returns blocks by match id and name. @param wanted each match with block names */
export async function loadBlocksByMatch(
  client: Queryable,
  wanted: Iterable<readonly [match: number, blocks: Iterable<string>]>,
): Promise<Map<number, Map<string, BlockRow>>> {
  const found = new Map<number, Map<string, BlockRow>>();
  const pairs = [...wanted].flatMap(([match, blocks]) => [...new Set(blocks)].map((block) => ({ match, block })));
  if (pairs.length === 0) return found;
  const { rows } = await client.query<BlockRow>(
    LOAD_BLOCKS([pairs.map(({ match }) => match), pairs.map(({ block }) => block)]),
  );
  for (const row of rows) {
    const blocksOfMatch = found.get(row.match_id) ?? new Map<string, BlockRow>();
    found.set(row.match_id, blocksOfMatch.set(row.block, row));
  }
  return found;
}

/** Returns the blocks with the given names for all matches. */
export const loadBlocks = (client: Queryable, ids: readonly number[], blocks: readonly string[]) =>
  loadBlocksByMatch(
    client,
    [...new Set(ids)].map((id) => [id, blocks] as const),
  );

const WRITE_BLOCKS = prepared(
  'write blocks',
  // When a block is replaced or removed, its mentions are deleted, too.
  `WITH gone AS (
     DELETE FROM player_mention p USING unnest($1::bigint[], $2::text[]) AS r (match_id, block)
     WHERE p.match_id = r.match_id AND p.block = r.block
   )
   INSERT INTO match_block (match_id, block, json, source)
   SELECT match_id, block, json, source::jsonb
   FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) AS r (match_id, block, json, source)
   ON CONFLICT (match_id, block) DO UPDATE SET json = excluded.json, source = excluded.source`,
);

export async function writeBlocks(client: Queryable, rows: readonly BlockRow[]): Promise<void> {
  if (rows.length === 0) return;
  await client.query(
    WRITE_BLOCKS([
      rows.map((row) => row.match_id),
      rows.map((row) => row.block),
      texts(rows.map((row) => row.json)),
      texts(rows.map((row) => row.source && JSON.stringify(row.source))),
    ]),
  );
}

/**
 * Writes blocks that name the same players as before, with new ids or figures. Stored names that have no id are left
 * unchanged.
 */
export async function relinkBlocks(
  client: Queryable,
  rows: readonly Pick<BlockRow, 'match_id' | 'block' | 'json'>[],
): Promise<void> {
  if (rows.length === 0) return;
  await client.query(
    `UPDATE match_block b SET json = r.json FROM unnest($1::bigint[], $2::text[], $3::text[]) AS r (match_id, block, json)
     WHERE b.match_id = r.match_id AND b.block = r.block`,
    [rows.map(({ match_id }) => match_id), rows.map(({ block }) => block), texts(rows.map(({ json }) => json))],
  );
}

export async function deleteBlocks(
  client: Queryable,
  rows: readonly { match_id: number; block: string }[],
): Promise<void> {
  if (rows.length === 0) return;
  await client.query(
    `WITH gone AS (
       DELETE FROM player_mention p USING unnest($1::bigint[], $2::text[]) AS r (match_id, block)
       WHERE p.match_id = r.match_id AND p.block = r.block
     )
     DELETE FROM match_block b USING unnest($1::bigint[], $2::text[]) AS r (match_id, block) WHERE b.match_id = r.match_id AND b.block = r.block`,
    [rows.map((row) => row.match_id), rows.map((row) => row.block)],
  );
}
