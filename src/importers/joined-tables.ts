/**
 * Joins files whose rows are parts of records in another file. All rows are loaded by key; the caller then takes them
 * record by record.
 */
import { eachRow, type Row } from './csv.ts';
import { type FileError, faultAt, fileFault, type InputFile } from './files.ts';

interface Table {
  file: InputFile;
  /** Rows by key, with line numbers. */
  parts: Map<string, { rows: Row[]; lines: number[] }>;
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
    const table: Table = { file, parts: new Map() };
    this.#tables.set(name, table);
    yield* eachRow(file, required, ({ row, line }) => {
      const key = keyOf(row);
      const part = table.parts.get(key);
      if (part) {
        part.rows.push(row);
        part.lines.push(line);
      } else table.parts.set(key, { rows: [row], lines: [line] });
      return undefined;
    });
  }

  of(name: Name, key: string): readonly Row[] {
    return this.#tables.get(name)?.parts.get(key)?.rows ?? [];
  }

  has(name: Name): boolean {
    return (this.#tables.get(name)?.parts.size ?? 0) > 0;
  }

  /**
   * Yields a fault for each row that belongs to no record.
   * @param known the records' keys
   */
  *strays(names: readonly Name[], known: ReadonlySet<string>, records: InputFile): Generator<FileError> {
    for (const name of names) {
      const table = this.#tables.get(name);
      if (!table) continue;
      for (const [key, { lines }] of table.parts) {
        if (known.has(key)) continue;
        const detail = `belongs to no match of ${records.name}: ${key || 'the key is missing'}`;
        for (const line of lines) yield faultAt(`${table.file.path}:${line}`, detail);
      }
    }
  }
}

/** Returns a data set's tables by name, and a fault for each file that repeats a name. */
export function tablesByName(files: readonly InputFile[]): { tables: Map<string, InputFile>; faults: FileError[] } {
  const tables = new Map<string, InputFile>();
  const faults: FileError[] = [];
  for (const file of files) {
    const name = file.name.replace(/\.csv$/u, '');
    const first = tables.get(name);
    if (!first) tables.set(name, file);
    else
      faults.push(
        fileFault(file.path, `is left out, because ${first.path} is read instead: import one data set at a time`),
      );
  }
  return { tables, faults };
}
