/** The command `touchline resolve <file>`: writes a copy of a user's table with our ids in further columns. */
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import type pg from 'pg';
import type { Clock } from '../runtime/clock.ts';
import { utcDay } from '../wire/time.ts';
import { resolveRows } from './resolve-rows.ts';
import type { Resolution, Row } from './schema.ts';
import { type Defaults, type FieldColumns, findColumns, toRow } from './table-rows.ts';
import { readTable, TableError, type UserRow } from './user-table.ts';

export interface ResolveOptions extends Defaults {
  /** The file to write; the default is the input's name with `.resolved`. */
  output?: string;
}

interface ResolveDeps {
  pool: pg.Pool;
  clock: Clock;
}

/** Rows that are looked up together. */
const BATCH = 1_000;
/** The columns that are added. */
const ADDED = ['touchline_id', 'touchline_name', 'touchline_confidence', 'touchline_reason', 'touchline_candidates'];

interface ResolveSummary {
  output: string;
  rows: number;
  resolved: number;
  /** Rows that could not be read. The reason is in the row. */
  refused: number;
}

/**
 * Writes the copy as UTF-8 with the delimiter of the input. The copy appears when it is complete; the input is never changed.
 * @throws {TableError} if the file is not a table, or if the output exists
 */
export async function resolveFile(
  { pool, clock }: ResolveDeps,
  path: string,
  { output, ...defaults }: ResolveOptions,
): Promise<ResolveSummary> {
  const target = output ?? `${path.slice(0, path.length - extname(path).length)}.resolved${extname(path)}`;
  if (await stat(target).catch(() => undefined))
    throw new TableError(`${target} exists already: remove it, or name another file with --output`);
  const { header, delimiter, rows } = await readTable(path);
  const columns = findColumns(header);
  if (!columns.has('name') && !columns.has('external_id'))
    throw new TableError(
      `${path} has no column name or external_id; its columns are ${header.slice(0, 20).join(', ')}`,
    );
  if (!columns.has('type') && defaults.type === undefined)
    throw new TableError(`${path} has no column type: say with --type what its rows are`);
  const taken = ADDED.find((name) => header.includes(name));
  if (taken !== undefined) throw new TableError(`${path} has a column ${taken} already`);
  const summary: ResolveSummary = { output: target, rows: 0, resolved: 0, refused: 0 };
  const work = new TableWork(pool, columns, defaults, utcDay(clock.now()), summary);
  const partial = `${target}.${process.pid}.part`;
  try {
    await pipeline(
      Readable.from(work.records(header, rows)),
      stringify({ delimiter }),
      createWriteStream(partial, { flags: 'wx' }),
    );
    await rename(partial, target);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  return summary;
}

class TableWork {
  readonly #pool: pg.Pool;
  readonly #columns: FieldColumns;
  readonly #defaults: Defaults;
  readonly #today: string;
  readonly #summary: ResolveSummary;

  constructor(pool: pg.Pool, columns: FieldColumns, defaults: Defaults, today: string, summary: ResolveSummary) {
    this.#pool = pool;
    this.#columns = columns;
    this.#defaults = defaults;
    this.#today = today;
    this.#summary = summary;
  }

  async *records(header: readonly string[], rows: AsyncIterable<UserRow>): AsyncGenerator<string[]> {
    yield [...header, ...ADDED];
    let batch: UserRow[] = [];
    for await (const row of rows) {
      const extra = row.cells.slice(header.length).find((cell) => cell !== '');
      if (extra !== undefined)
        throw new TableError(
          `line ${row.line} has ${row.cells.length} cells, and the header has ${header.length}: is a text with the delimiter not quoted?`,
        );
      batch.push(row);
      if (batch.length < BATCH) continue;
      yield* await this.#resolve(batch, header.length);
      batch = [];
    }
    yield* await this.#resolve(batch, header.length);
  }

  async #resolve(batch: readonly UserRow[], width: number): Promise<string[][]> {
    const read = batch.map((row) => toRow(row, this.#columns, this.#defaults, this.#today));
    const asked = read.filter((row): row is Row => typeof row !== 'string');
    const answers = (await resolveRows(this.#pool, asked, null)).values();
    return batch.map(({ cells }, at) => {
      const row = read[at]!;
      const added = typeof row === 'string' ? refusal(row) : toCells(answers.next().value!);
      this.#summary.rows++;
      if (typeof row === 'string') this.#summary.refused++;
      else if (added[0] !== '') this.#summary.resolved++;
      // A short row is filled, so that the added cells stand in the right columns.
      const missing = Array.from({ length: Math.max(0, width - cells.length) }, () => '');
      return [...cells.slice(0, width), ...missing, ...added];
    });
  }
}

const refusal = (reason: string): string[] => ['', '', '', reason, ''];

const toCells = ({ id, name, confidence, reason, candidates }: Resolution): string[] => [
  id === null ? '' : String(id),
  name ?? '',
  confidence ?? '',
  reason,
  candidates.map((candidate) => `${candidate.id} ${candidate.name}`).join(' | '),
];
