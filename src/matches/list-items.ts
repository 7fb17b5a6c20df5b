/**
 * Reads match lists. A list's statement returns ids and versions. The items come from memory as far as possible. In the
 * same turn of the event loop, lists that differ only in values share a statement, and so do all missing items.
 */
import { hash } from 'node:crypto';
import type DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';
import { prepared, type Queryable } from '../db/postgres.ts';
import { type CachedItem, type ItemCache, JoinedBody, listItem, readTogether } from '../http/index.ts';
import { batchReads } from './batch-reads.ts';
import { itemWithBlocksSql } from './card-sql.ts';
import type { ListedBlocks } from './wanted-blocks.ts';

/** Maximum number of lists whose items are read with one statement. */
const LISTS_TOGETHER = 16;
/** Maximum number of lists that share a statement. Postgres reads them one after another. */
const VERSIONS_TOGETHER = 8;

/** Where lists are read from. */
export interface ListSource {
  pool: Queryable;
  caches: { items: ItemCache };
}

/** A list's statement, which returns one row. */
export interface ListStatement {
  /** Selects `VERSIONS` and other columns over the list's matches `m`. */
  sql: string;
  values: readonly unknown[];
  /** Each value's type in Postgres. */
  types: readonly string[];
  /** True if reading the list may take long, so that no other list should wait for it. */
  isSlow: boolean;
  /** Blocks to add to each item. Null for none. */
  blocks: ListedBlocks | null;
}

/** SQL for a list's matches `m` in order, each as `id.version`. */
export const VERSIONS = `coalesce(string_agg(m.id || '.' || m.version, ','), '') AS versions`;
/** Returns SQL for the versions and items. JSON texts contain no line breaks. @param item SQL for the item of a card `c` */
const versionsAndItems = (item: string) =>
  `${VERSIONS}, coalesce(string_agg((SELECT ${item} FROM match_card c WHERE c.match_id = m.id), E'\\n'), '') AS items`;

/** Returns the statement that reads versions and items together, as they are at one time. */
function wholeStatement({ sql, values, types, blocks }: ListStatement): ListStatement {
  // A function, because `$'` in a replacement text would stand for the text behind the match.
  const withItems = (item: string) => sql.replace(VERSIONS, () => versionsAndItems(item));
  if (blocks === null) return { sql: withItems('c.item'), values, types, isSlow: false, blocks };
  const [stored, fields] = [`$${values.length + 1}`, `$${values.length + 2}`];
  return {
    sql: withItems(itemWithBlocksSql('m.id', 'c', stored, fields)),
    values: [...values, blocks.stored, blocks.fields],
    types: [...types, 'text[]', 'text[]'],
    isSlow: true,
    blocks,
  };
}

interface Row {
  nth: number;
  versions: string;
}

/** Reads the rows of lists that have the same SQL. */
async function readRows(
  db: Queryable,
  { name, text }: { name: string; text: string },
  lists: readonly ListStatement[],
): Promise<Row[]> {
  const given = lists.map(({ values }, nth) =>
    Object.fromEntries([['nth', nth], ...values.map((value, index) => [`p${index + 1}`, value] as const)]),
  );
  const { rows } = await db.query<Row>({ name, text, values: [JSON.stringify(given)] });
  return rows.sort((a, b) => a.nth - b.nth);
}

/** Returns the statement that reads several lists. It is prepared, because planning costs more than execution. */
function statementFor({ sql, types }: ListStatement): { name: string; text: string } {
  const columns = ['nth int', ...types.map((type, index) => `p${index + 1} ${type}`)];
  const text = `SELECT w.nth, l.* FROM json_to_recordset($1) AS w (${columns.join()})
    CROSS JOIN LATERAL (${sql.replaceAll(/\$(\d+)/g, 'w.p$1')}) l`;
  return { name: `list ${hash('sha1', text, 'base64url')}`, text };
}

const MAX_LOADERS = 1_000;
const loaders = new WeakMap<Queryable, LRUCache<string, DataLoader<ListStatement, Row>>>();

function loaderFor(db: Queryable, list: ListStatement): DataLoader<ListStatement, Row> {
  const all = loaders.get(db) ?? new LRUCache<string, DataLoader<ListStatement, Row>>({ max: MAX_LOADERS });
  loaders.set(db, all);
  const known = all.get(list.sql);
  if (known !== undefined) return known;
  const statement = statementFor(list);
  const loader = batchReads(
    (lists: readonly ListStatement[]) => readRows(db, statement, lists),
    list.isSlow ? 1 : VERSIONS_TOGETHER,
  );
  all.set(list.sql, loader);
  return loader;
}

type Items = ReadonlyMap<string, CachedItem>;

const BY_ID = prepared(
  'list items',
  `SELECT m.id || '.' || m.version AS version, c.item FROM unnest($1::bigint[]) w (id)
   JOIN match m ON m.id = w.id JOIN match_card c ON c.match_id = m.id`,
);

async function readItems(db: Queryable, cache: ItemCache, versions: readonly string[]): Promise<Items> {
  const keep = cache.beginRead();
  const ids = new Set(versions.map((version) => version.slice(0, version.indexOf('.'))));
  const { rows } = await db.query<{ version: string; item: string }>(BY_ID([[...ids]]));
  return new Map(rows.map(({ version, item }) => [version, keep(version, item)]));
}

const itemLoaders = new WeakMap<ItemCache, DataLoader<readonly string[], Items>>();

function itemLoaderFor(db: Queryable, cache: ItemCache): DataLoader<readonly string[], Items> {
  const known = itemLoaders.get(cache);
  if (known !== undefined) return known;
  const loader = batchReads(async (lists: readonly (readonly string[])[]) => {
    const items = await readItems(db, cache, lists.flat());
    return lists.map(() => items);
  }, LISTS_TOGETHER);
  itemLoaders.set(cache, loader);
  return loader;
}

const split = (text: string, separator: string) => (text === '' ? [] : text.split(separator));

/** @returns the items in the order of their versions; null if one of the matches has changed in the meantime */
async function findItems(
  { pool, caches }: ListSource,
  versions: readonly string[],
): Promise<readonly CachedItem[] | null> {
  const known = versions.map((version) => caches.items.get(version));
  const missing = versions.filter((_, index) => known[index] === undefined);
  if (missing.length === 0) return known as CachedItem[];
  const read = await readTogether(pool, (shared) => itemLoaderFor(shared, caches.items).load(missing));
  const items: CachedItem[] = [];
  for (const [index, version] of versions.entries()) {
    const item = known[index] ?? read.get(version);
    if (item === undefined) return null;
    items.push(item);
  }
  return items;
}

/**
 * Reads a list in one state, although its items may come from several reads.
 * @param isKnown called with the versions
 * @returns the statement's row and the items; null if `isKnown` returns true
 */
export async function readList<R extends { versions: string }>(
  source: ListSource,
  list: ListStatement,
  isKnown: (versions: string) => boolean,
): Promise<{ row: R; items: readonly CachedItem[] } | null> {
  const { pool, caches } = source;
  const read = (wanted: ListStatement) => readTogether(pool, (shared) => loaderFor(shared, wanted).load(wanted));
  const row = (await read(list)) as unknown as R;
  if (isKnown(row.versions)) return null;
  const items = list.blocks === null ? await findItems(source, split(row.versions, ',')) : null;
  if (items !== null) return { row, items };
  // A match has changed in the meantime, or the list has blocks. A single statement sees all matches as they are at one time.
  const keep = caches.items.beginRead();
  const whole = (await read(wholeStatement(list))) as unknown as R & { items: string };
  const texts = split(whole.items, '\n');
  if (list.blocks !== null) return { row: whole, items: texts.map(listItem) };
  return { row: whole, items: split(whole.versions, ',').map((version, index) => keep(version, texts[index]!)) };
}

const COMMA = Buffer.from(',');

/** From this size on, a list is put together only when it is sent. */
const LARGE_BYTES = 256 * 1024;

/** Returns JSON text with the items, comma-separated, between two texts. */
export function joinItems(before: string, items: readonly CachedItem[], after: string): Buffer | JoinedBody {
  const parts: Buffer[] = [Buffer.from(before)];
  for (const { json } of items) parts.push(json, COMMA);
  if (items.length > 0) parts.pop();
  parts.push(Buffer.from(after));
  const joined = new JoinedBody(parts);
  return joined.length < LARGE_BYTES ? joined.toBuffer() : joined;
}
