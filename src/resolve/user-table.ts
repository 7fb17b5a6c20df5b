/**
 * Reads a user's table as rows of cells. The encoding is UTF-8 or Windows-1251, and the delimiter is a comma, a semicolon or a tab;
 * both are detected. Memory does not depend on the size of the file.
 */
import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { parse } from 'csv-parse';

/** Thrown if a file is not a table. The message is one line. */
export class TableError extends Error {}

interface UserTable {
  header: string[];
  delimiter: string;
  encoding: Encoding;
  rows: AsyncGenerator<UserRow>;
}
export interface UserRow {
  /** Where the row ends, from 1. */
  line: number;
  cells: string[];
}

type Encoding = 'utf-8' | 'windows-1251';
const DELIMITERS = [',', ';', '\t'] as const;
/** The start of the file from which the delimiter is detected. */
const HEAD_BYTES = 64 * 1024;
/** Longest row. A file without line ends is refused after so many characters. */
const MOST_ROW_BYTES = 1_000_000;

/** @throws {TableError} if the file is empty, is not text, or has no header with several columns */
export async function readTable(path: string): Promise<UserTable> {
  const head = await readHead(path);
  if (head.length === 0) throw new TableError(`${path} is empty`);
  if (head.includes(0)) throw new TableError(`${path} is not a table: it contains NUL bytes`);
  const encoding = await detectEncoding(path);
  const text = new TextDecoder(encoding).decode(head, { stream: true });
  const delimiter = detectDelimiter(text);
  if (delimiter === undefined)
    throw new TableError(`${path} is not a table: its first line has no comma, semicolon or tab`);
  const rows = readRows(path, encoding, delimiter);
  const first = await rows.next();
  if (first.done === true) throw new TableError(`${path} is empty`);
  return { header: first.value.cells.map((name) => name.trim()), delimiter, encoding, rows };
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new TableError(`${path}: no such file`) : error;
  });
  try {
    if (!(await file.stat()).isFile()) throw new TableError(`${path} is not a file`);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Reads the whole file, because the first character that is not ASCII may be in its last row. */
async function detectEncoding(path: string): Promise<Encoding> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path)) {
    const bytes = Buffer.concat([rest, chunk as Buffer]);
    const whole = bytes.subarray(0, bytes.length - cutCharacter(bytes));
    if (!isUtf8(whole)) return 'windows-1251';
    rest = bytes.subarray(whole.length);
  }
  return rest.length === 0 ? 'utf-8' : 'windows-1251';
}

/** Returns how many bytes at the end are the beginning of a UTF-8 character. */
function cutCharacter(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? back : 0;
  }
  return 0;
}

/** Returns the delimiter that the first line has most often outside of quotes; undefined if it has none. */
function detectDelimiter(text: string): string | undefined {
  const counts = new Map<string, number>(DELIMITERS.map((delimiter) => [delimiter, 0]));
  let isQuoted = false;
  for (const letter of text) {
    if (letter === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (letter === '\n' || letter === '\r') break;
    const count = counts.get(letter);
    if (count !== undefined) counts.set(letter, count + 1);
  }
  const [[best, count]] = [...counts].toSorted((a, b) => b[1] - a[1]) as [[string, number]];
  return count === 0 ? undefined : best;
}

async function* readRows(path: string, encoding: Encoding, delimiter: string): AsyncGenerator<UserRow> {
  const parser = parse({
    bom: true,
    delimiter,
    info: true,
    max_record_size: MOST_ROW_BYTES,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  });
  const source = Readable.from(decoded(path, encoding)).on('error', (error) => parser.destroy(error));
  try {
    for await (const { record, info } of source.pipe(parser) as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>) {
      if (record.some((cell) => cell.includes('\0'))) throw new TableError(`${path}:${info.lines}: contains NUL`);
      yield { line: info.lines, cells: record };
    }
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === 'CSV_MAX_RECORD_SIZE')
      throw new TableError(
        `${path} is not a table: a row has more than ${MOST_ROW_BYTES.toLocaleString('en')} characters; is a quote not closed?`,
      );
    if (code?.startsWith('CSV_') === true) throw new TableError(`${path} is not a table: ${message.split('\n')[0]}`);
    throw error;
  } finally {
    source.destroy();
  }
}

async function* decoded(path: string, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of createReadStream(path)) yield decoder.decode(chunk as Buffer, { stream: true });
  yield decoder.decode();
}
