/** Files whose rows are parts of the records of another file: loaded by key, then taken record by record. */
import { csvRows, isRow, type Row } from './csv.ts';
import type { FileError, InputFile } from './files.ts';

interface Table {
  file: InputFile;
  rows: Map<string, Row[]>;
  /** Lines of the rows, in the same order. */
  lines: Map<string, number[]>;
}

export class JoinedTables<Name extends string> {
  #tables = new Map<Name, Table>();

  /** @param required see `csvRows` */
  async *load(
    name: Name,
    file: InputFile,
    required: readonly string[],
    keyOf: (row: Row) => string,
  ): AsyncGenerator<FileError> {
    file.isPart = true;
    const table: Table = { file, rows: new Map(), lines: new Map() };
    this.#tables.set(name, table);
    for await (const item of csvRows(file, required)) {
      if (!isRow(item)) {
        yield item;
        continue;
      }
      const key = keyOf(item.row);
      const rows = table.rows.get(key);
      if (rows) {
        rows.push(item.row);
        table.lines.get(key)!.push(item.line);
      } else {
        table.rows.set(key, [item.row]);
        table.lines.set(key, [item.line]);
      }
    }
  }

  of(name: Name, key: string): readonly Row[] {
    return this.#tables.get(name)?.rows.get(key) ?? [];
  }

  has(name: Name): boolean {
    return (this.#tables.get(name)?.rows.size ?? 0) > 0;
  }

  /** Yields a fault for each row of these tables that belongs to no record. @param known keys of the records */
  *strays(names: readonly Name[], known: ReadonlySet<string>, records: InputFile): Generator<FileError> {
    for (const name of names) {
      const table = this.#tables.get(name);
      for (const [key, lines] of table?.lines ?? []) {
        if (known.has(key)) continue;
        const detail = `belongs to no match of ${records.name}: ${key || 'the key is missing'}`;
        for (const line of lines) yield { kind: 'fault', position: `${table!.file.path}:${line}`, detail };
      }
    }
  }
}

/** Returns the tables of a data set by name, and a fault for each file with a duplicate name. */
export function tablesByName(files: readonly InputFile[]): { tables: Map<string, InputFile>; faults: FileError[] } {
  const tables = new Map<string, InputFile>();
  const faults: FileError[] = [];
  for (const file of files) {
    const name = file.name.replace(/\.csv$/u, '');
    const first = tables.get(name);
    if (!first) tables.set(name, file);
    else
      faults.push({
        kind: 'fault',
        position: file.path,
        detail: `is left out: ${first.path} is read; import one data set at a time`,
        endsFile: true,
      });
  }
  return { tables, faults };
}
