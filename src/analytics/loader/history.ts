/** Writes changed matches to ClickHouse. Each match is counted only once, even if the loader is interrupted at any point. */
import type { ClickHouse } from '../../db/clickhouse.ts';
import { ERAS } from './current-copy.ts';
import type { HistoryChange, HistoryKey } from './history-page.ts';

/** Number of `played_match` columns between the key and `version`. */
const COLUMNS_AFTER_KEY = 14;
/** Placeholders in a deletion row. They can be any values that the types allow. */
const NO_VALUES = ['0', '', '0', '0', '0', 'draw', '0', '0', '0', '0', '\\N', '\\N', '\\N', '\\N'].join('\t');
if (NO_VALUES.split('\t').length !== COLUMNS_AFTER_KEY)
  throw new Error('the table played_match does not have the expected columns');

const keyText = ({ match_id, tournament_id, day, home_id, away_id }: HistoryKey) =>
  [match_id, tournament_id, day, home_id, away_id].join('\t');

/**
 * Writes the keys before the rows. Each row's key is then known, even if a loader is killed before it saves the position. Rows with keys
 * that the match no longer has are deleted.
 * @param mayWrite called before the rows are sent; throws if a new loader has taken over
 * @returns whether there was anything to write, and whether a match's previous row was deleted
 */
export async function writeHistory(
  clickhouse: ClickHouse,
  era: number,
  changes: readonly HistoryChange[],
  mayWrite: () => Promise<void>,
): Promise<{ hasWritten: boolean; hasRemoved: boolean }> {
  if (changes.length === 0) return { hasWritten: false, hasRemoved: false };
  // A match that has changed twice appears twice, both times in its current state.
  const latest = new Map(changes.map((change) => [change.match_id, change]));
  const known = await knownKeys(clickhouse, era, [...latest.keys()]);
  const added = [...latest.values()].flatMap(({ match_id, row }) => {
    const key = row && keyText(row.key);
    return key === null || known.get(match_id)?.has(key) ? [] : [`${era}\t${key}\n`];
  });
  await clickhouse.insert('match_key', added.join(''));
  const removed: string[] = [];
  const rows = [...latest.values()].flatMap(({ match_id, change_cursor, row }) => {
    const key = row && keyText(row.key);
    const gone = [...(known.get(match_id) ?? [])].filter((one) => one !== key);
    removed.push(...gone);
    return [
      ...gone.map((one) => `${era}\t${one}\t${NO_VALUES}\t${change_cursor}\t1\n`),
      ...(row === null ? [] : [`${era}\t${key}\t${row.rest}\t${change_cursor}\t0\n`]),
    ];
  });
  if (rows.length === 0) return { hasWritten: false, hasRemoved: false };
  const hasRemoved = await areStored(clickhouse, era, removed);
  await mayWrite();
  await clickhouse.insert('played_match', rows.join(''));
  return { hasWritten: true, hasRemoved };
}

/**
 * Returns true if any of these keys still has a row. Often none has, because each change to a match deletes all its former keys again. If a
 * match was marked as finished too early, this happens every minute.
 */
async function areStored(clickhouse: ClickHouse, era: number, keys: readonly string[]): Promise<boolean> {
  if (keys.length === 0) return false;
  const rows = await clickhouse.query(
    `SELECT 1 FROM played_match FINAL
     WHERE era = {era: UInt32} AND (match_id, tournament_id, day, home_id, away_id) IN (${keys.map((key) => `(${key.replaceAll('\t', ', ')})`).join(', ')})
     LIMIT 1`,
    { era },
  );
  return rows.length > 0;
}

/** Returns the keys as text, by match. */
async function knownKeys(
  clickhouse: ClickHouse,
  era: number,
  ids: readonly number[],
): Promise<Map<number, Set<string>>> {
  const keys = await clickhouse.query<HistoryKey>(
    `SELECT DISTINCT match_id, tournament_id, day, home_id, away_id FROM match_key
     WHERE era = {era: UInt32} AND match_id IN {ids: Array(UInt64)}`,
    { era, ids },
  );
  const byMatch = new Map<number, Set<string>>();
  for (const key of keys) byMatch.set(key.match_id, (byMatch.get(key.match_id) ?? new Set()).add(keyText(key)));
  return byMatch;
}

/**
 * Clears an era that does not contain the beginning of this database's history. Its rows come from another database, whose matches have the
 * same ids, or are left over from an interrupted removal.
 * @returns the change cursor up to which this database's changes are in the era; 0 if there are none
 */
export async function loadedUpTo(clickhouse: ClickHouse, era: number, databaseId: string): Promise<number> {
  const [row] = await clickhouse.query<{ reached: number; foreign: number }>(
    `SELECT maxIf(change_cursor, database_id = {id: UUID}) AS reached, countIf(database_id != {id: UUID}) AS foreign
     FROM loader_position WHERE era = {era: UInt32}`,
    { era, id: databaseId },
  );
  const { reached, foreign } = row!;
  if (reached > 0 && foreign === 0) return reached;
  await dropEra(clickhouse, era);
  return 0;
}

export async function savePosition(
  clickhouse: ClickHouse,
  era: number,
  databaseId: string,
  cursor: number,
): Promise<void> {
  await clickhouse.insert('loader_position', `${era}\t${databaseId}\t${cursor}\n`);
}

const ERA_TABLES = ['played_match', 'side_match', 'match_key', 'loader_position'];

/**
 * Deletes the position first. If the removal is interrupted, the era then has no position, so the leftovers are cleared before it is used
 * again.
 */
export async function dropEra(clickhouse: ClickHouse, era: number): Promise<void> {
  for (const table of ERA_TABLES.toReversed())
    await clickhouse.command(`ALTER TABLE ${table} DROP PARTITION {era: UInt32}`, { era });
}

/**
 * @param era any era that belongs to this installation
 * @returns the installation's eras that have rows
 */
export async function storedEras(clickhouse: ClickHouse, era: number): Promise<number[]> {
  const rows = await clickhouse.query<{ era: number }>(
    `SELECT DISTINCT toUInt32(partition) AS era FROM system.parts
     WHERE active AND database = currentDatabase() AND table IN {tables: Array(String)}
       AND intDiv(era, {eras: UInt32}) = intDiv({era: UInt32}, {eras: UInt32})`,
    { tables: ERA_TABLES, era, eras: ERAS },
  );
  return rows.map(({ era }) => era);
}
