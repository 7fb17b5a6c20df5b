/** Reads matches and blocks for an export, batch by batch. All batches show the data of the same moment. */
import type pg from 'pg';
import { z } from 'zod';
import { firstRow } from '../db/postgres.ts';
import { shownBlockSql } from '../db/shown-blocks.ts';
import { detailBlocks, id, matchItem } from '../wire/match.ts';
import { type Column, columnsOf, type Row } from '../wire/table-columns.ts';

/** Returns the columns for a block's rows. Each entry in the block is a row. */
const columnsOfBlock = (block: 'incidents' | 'lineups' | 'odds') =>
  columnsOf(z.object({ match_id: id, ...detailBlocks[block].element.shape }));
export const EXPORT_KINDS = ['matches', 'incidents', 'lineups', 'odds'] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];
export const EXPORTED: Readonly<Record<ExportKind, readonly Column[]>> = {
  matches: columnsOf(matchItem),
  incidents: columnsOfBlock('incidents'),
  lineups: columnsOfBlock('lineups'),
  odds: columnsOfBlock('odds'),
};

export interface ExportFilters {
  sport?: string | undefined;
  tournament?: number | undefined;
  /** A season's label as the tournament shows it, such as 2023/24 or 2022. */
  season?: string | undefined;
  /** An inclusive time with a zone. Only matches that have changed since then are exported. */
  since?: string | undefined;
}

/** Maximum number of matches in memory. */
const BATCH = 500;

const itemSql = (kind: ExportKind, where: string) =>
  kind === 'matches'
    ? `SELECT m.id, c.item AS json FROM match m JOIN match_card c ON c.match_id = m.id WHERE ${where} ORDER BY m.id`
    : `SELECT m.id, ${shownBlockSql('b')} AS json FROM match m JOIN match_block b ON b.match_id = m.id AND b.block = '${kind}'
        WHERE ${where} ORDER BY m.id`;

/** Checks that the sport, tournament and season exist. @throws {Error} that names a filter which nothing can match */
async function checkFilters(client: pg.ClientBase, { sport, tournament, season }: ExportFilters): Promise<void> {
  const { rows } = await client.query<{ sport: boolean; tournament: boolean; season: boolean }>(
    `SELECT EXISTS (SELECT FROM sport WHERE slug = $1) AS sport, EXISTS (SELECT FROM tournament WHERE id = $2) AS tournament,
      EXISTS (SELECT FROM season WHERE season_label = $3 AND ($2::bigint IS NULL OR tournament_id = $2)) AS season`,
    [sport ?? null, tournament ?? null, season ?? null],
  );
  const known = firstRow(rows);
  if (sport !== undefined && !known.sport) throw new Error(`There is no sport ${JSON.stringify(sport)}`);
  if (tournament !== undefined && !known.tournament) throw new Error(`There is no tournament ${tournament}`);
  if (season !== undefined && !known.season) {
    const owner = tournament === undefined ? 'No tournament' : `Tournament ${tournament}`;
    const has = tournament === undefined ? 'has' : 'does not have';
    throw new Error(`${owner} ${has} a season ${JSON.stringify(season)}; labels are like 2023/24 or 2022`);
  }
}

/**
 * Yields batches of rows, ordered by match id. A batch may be empty. The whole result is never held in memory, because rows
 * are read from the database as they are written to the output. All batches are read in one transaction, so that later
 * changes do not appear.
 * @param batch matches in a batch
 * @throws {Error} for an unknown sport, tournament or season, before the first batch
 */
export async function* exportedRows(
  pool: pg.Pool,
  kind: ExportKind,
  filters: ExportFilters,
  batch = BATCH,
): AsyncGenerator<Row[]> {
  const client = await pool.connect();
  // If the caller stops early, the transaction is still open. Closing the connection ends it.
  let failure: Error | true = true;
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await checkFilters(client, filters);
    const where = `($1::text IS NULL OR m.sport = $1) AND ($2::bigint IS NULL OR m.tournament_id = $2)
      AND ($3::text IS NULL OR m.season_id IN (SELECT s.id FROM season s WHERE s.season_label = $3))
      AND ($4::timestamptz IS NULL OR m.updated_at >= $4)`;
    await client.query(`DECLARE exported NO SCROLL CURSOR FOR ${itemSql(kind, where)}`, [
      filters.sport ?? null,
      filters.tournament ?? null,
      filters.season ?? null,
      filters.since ?? null,
    ]);
    for (;;) {
      // The query has no row type, because the row type check cannot describe a cursor.
      const { rows } = await client.query(`FETCH ${batch} FROM exported`);
      if (rows.length === 0) break;
      yield (rows as { id: number; json: string }[]).flatMap(({ id, json }) => {
        const value = JSON.parse(json) as Row | Row[];
        return Array.isArray(value) ? value.map((entry) => ({ match_id: id, ...entry })) : [value];
      });
    }
    await client.query('COMMIT');
  } catch (error) {
    if (error instanceof Error) failure = error;
    throw error;
  } finally {
    client.release(failure);
  }
}
