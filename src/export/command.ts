/** `touchline export`: writes matches, incidents, line-ups or odds into a file or to standard output. */
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { errorMessage, readErrorCode } from '../runtime/unknown-values.ts';
import type { Row } from '../wire/table-columns.ts';
import { FORMATS, type FormatName } from './formats.ts';
import { EXPORTED, type ExportFilters, type ExportKind, exportedRows } from './rows.ts';

export interface ExportOptions extends ExportFilters {
  format: FormatName;
  /** The file to write. Standard output if absent. */
  output?: string | undefined;
}

/** Returns why an export ended early. */
function reason(error: unknown): string {
  const code = readErrorCode(error);
  if (code === 'ENOSPC') return 'no space is left on the device';
  return code === 'EPIPE' ? 'the reader closed the output' : errorMessage(error);
}

/** Returns a row count as text. */
export const rowCount = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'row' : 'rows'}`;

/**
 * Exports rows to a file or to standard output. Until the export is complete, the file has the suffix `.part`. If the export
 * fails, the file is removed.
 * @returns number of rows
 * @throws {Error} for a filter that nothing can match, or with the reason why the export is incomplete
 */
export async function exportCommand(pool: pg.Pool, kind: ExportKind, options: ExportOptions): Promise<number> {
  const { format, output, ...filters } = options;
  const batches = exportedRows(pool, kind, filters);
  // An unknown filter fails here, before a file is created.
  const first = await batches.next();
  let count = 0;
  async function* counted(): AsyncGenerator<Row[]> {
    for (let batch = first; !batch.done; batch = await batches.next()) {
      yield batch.value;
      count += batch.value.length;
    }
  }
  const content = FORMATS[format](EXPORTED[kind], counted());
  const part = `${output}.part`;
  try {
    if (output === undefined) await pipeline(content, process.stdout, { end: false });
    else {
      await pipeline(content, createWriteStream(part, { flush: true }));
      await rename(part, output);
    }
  } catch (error) {
    if (output !== undefined) await rm(part, { force: true });
    throw new Error(`The export ended after ${rowCount(count)}: ${reason(error)}`, { cause: error });
  } finally {
    await batches.return(undefined);
  }
  return count;
}
