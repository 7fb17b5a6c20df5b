/** Finds an import's files under a path, and opens, unpacks and decodes them in chunks. */
import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { wireTime } from '../wire/time.ts';

/** Thrown if a path has no file that the importer can read. */
export class ImportError extends Error {}

export interface InputFile {
  path: string;
  /** File name without folder and `.gz`. */
  name: string;
  /** Name of the containing folder, which has a meaning in some formats. */
  folder: string;
  /** Modification time. The content is assumed to be true at this time. */
  observedAt: string;
  /** True if the rows are only parts of records in another file. */
  isPart?: boolean;
  meter?: Meter | undefined;
}

/**
 * A record that cannot be read. Reading continues with the next record or, if the rest of the file cannot be read, with
 * the next file.
 */
export interface FileError {
  kind: 'fault';
  position: string;
  detail: string;
  endsFile?: true;
}

export const faultAt = (position: string, detail: string): FileError => ({ kind: 'fault', position, detail });
/** Creates the fault for a file whose rest cannot be read. */
export const fileFault = (position: string, detail: string): FileError => ({
  ...faultAt(position, detail),
  endsFile: true,
});

/** Counts the bytes that a reader has read. */
export interface Meter {
  total: number;
  done: number;
  files: InputFile[];
}

/**
 * Finds the files below `path` (or `path` itself) whose names `accept` recognizes, in a stable order.
 * @throws ImportError that says what was expected, if there is none
 */
export async function inputFiles(
  path: string,
  expected: string,
  accept: (file: InputFile) => boolean,
  meter?: Meter,
): Promise<InputFile[]> {
  const found: InputFile[] = [];
  const visit = async (at: string) => {
    const info = await stat(at).catch(() => {
      throw new ImportError(`${at}: no such file or folder`);
    });
    if (info.isDirectory()) {
      const names = (await readdir(at)).filter((name) => !name.startsWith('.')).sort();
      for (const name of names) await visit(join(at, name));
      return;
    }
    const file = {
      path: at,
      name: basename(at).replace(/\.gz$/u, ''),
      folder: basename(join(at, '..')),
      observedAt: wireTime(info.mtime.getTime()),
      meter,
    };
    if (!accept(file)) return;
    found.push(file);
    if (meter) {
      meter.total += info.size;
      meter.files.push(file);
    }
  };
  await visit(path);
  if (found.length === 0) throw new ImportError(`${path}: nothing to import; expected ${expected}`);
  return found;
}

/** Replaces bytes that are not UTF-8 in a UTF-8 file. A record that contains this character is damaged. */
const DAMAGE = '\ufffd';
/** Characters that no record may contain. */
const UNREADABLE = /[\0\ufffd]/u;

/** Returns why a text cannot be part of a record, or undefined if it can. */
export function textDamage(text: string): string | undefined {
  if (!UNREADABLE.test(text)) return undefined;
  return text.includes(DAMAGE) ? 'contains bytes that are not UTF-8' : 'contains NUL';
}

/**
 * Reads a file as text in chunks. The encoding is UTF-8, with or without a byte order mark. From the first byte that is
 * not UTF-8, the file is read as Windows-1252. However, if UTF-8 characters came before that byte, the file is damaged,
 * and invalid bytes become U+FFFD. An error from the file system or from a truncated archive is thrown after the text
 * before it has been yielded.
 */
export async function* readText(file: InputFile): AsyncGenerator<string> {
  const source = createReadStream(file.path);
  const bytes: AsyncIterable<Buffer> = file.path.endsWith('.gz') ? source.pipe(unpack(source)) : source;
  const western = new TextDecoder('windows-1252');
  let rest: Buffer = Buffer.alloc(0);
  let hasUtf8 = false;
  let isWestern = false;
  let first = true;
  let counted = 0;
  for await (const chunk of bytes) {
    if (file.meter) file.meter.done += source.bytesRead - counted;
    counted = source.bytesRead;
    const piece = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const whole = piece.subarray(0, isWestern ? piece.length : wholeCharacters(piece));
    let text: string = isWestern ? western.decode(whole) : whole.toString('utf8');
    if (!isWestern && !isUtf8(whole)) {
      hasUtf8 ||= UTF8_CHARACTER.test(text);
      isWestern = !hasUtf8;
      if (isWestern) text = western.decode(whole);
    }
    hasUtf8 ||= !isWestern && text.length !== whole.length;
    rest = piece.subarray(whole.length);
    if (first) text = text.replace(/^\ufeff/u, '');
    first = false;
    if (text !== '') yield text;
  }
  if (rest.length > 0) yield hasUtf8 ? DAMAGE : western.decode(rest);
}

/** Matches a non-ASCII character, except the one that replaces invalid bytes. */
const UTF8_CHARACTER = /[^\0-\x7f\ufffd]/u;

function unpack(source: NodeJS.ReadableStream) {
  const gunzip = createGunzip();
  source.on('error', (error) => gunzip.destroy(error));
  return gunzip;
}

/** Returns the position after the last complete character. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) break;
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return needed > back ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}

/** Returns a file's whole text. */
export async function wholeText(file: InputFile): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of readText(file)) pieces.push(piece);
  return pieces.join('');
}

/**
 * Reads a file's lines, with any kind of line end. Returns a fault if the file cannot be read to its end or has no
 * lines.
 */
export async function linesOrError(file: InputFile): Promise<string[] | FileError> {
  const fault = (detail: string): FileError => fileFault(`${file.path}:1`, detail);
  try {
    const text = await wholeText(file);
    return text.trim() === '' ? fault('is empty') : text.split(/\r\n|\n|\r/u);
  } catch (error) {
    return fault(`cannot be read: ${reason(error)}`);
  }
}

/** Returns an error's message in one line. */
export const reason = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).replace(/\n.*/su, '');
