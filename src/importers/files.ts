/** Files of an import: found under a path, opened, unpacked and decoded in chunks. */
import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { wireTime } from '../wire/time.ts';
import type { Meter } from './importer.ts';

/** The path holds nothing that the importer can read; nothing was read. */
export class ImportError extends Error {}

export interface InputFile {
  path: string;
  /** Without folder and `.gz`. */
  name: string;
  /** The name of its folder, which has a meaning in some formats. */
  folder: string;
  /** When it was last modified: the time for which its content is taken to be true. */
  observedAt: string;
  meter?: Meter | undefined;
}

/**
 * The files below `path` (or `path` itself) whose names `accept` recognizes, in a stable order.
 * @throws ImportError when there is none, with what was expected
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
    if (meter) meter.total += info.size;
  };
  await visit(path);
  if (found.length === 0) throw new ImportError(`${path}: nothing to import; expected ${expected}`);
  return found;
}

/**
 * The text of a file in chunks. UTF-8 without its byte order mark; a file that is not UTF-8 is read as Windows-1252 from the first
 * invalid byte. Throws the error of the file system or of a truncated archive, after the text before it.
 */
export async function* readText(file: InputFile): AsyncGenerator<string> {
  const source = createReadStream(file.path);
  const bytes: AsyncIterable<Buffer> = file.path.endsWith('.gz') ? source.pipe(unpack(source)) : source;
  const western = new TextDecoder('windows-1252');
  let rest: Buffer = Buffer.alloc(0);
  let utf8 = true;
  let first = true;
  let counted = 0;
  for await (const chunk of bytes) {
    if (file.meter) file.meter.done += source.bytesRead - counted;
    counted = source.bytesRead;
    const piece = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const end = utf8 ? wholeCharacters(piece) : piece.length;
    utf8 &&= isUtf8(piece.subarray(0, end));
    const whole = utf8 ? piece.subarray(0, end) : piece;
    rest = piece.subarray(whole.length);
    let text = utf8 ? whole.toString('utf8') : western.decode(whole);
    if (first) text = text.replace(/^\ufeff/u, '');
    first = false;
    if (text !== '') yield text;
  }
  if (rest.length > 0) yield western.decode(rest);
}

function unpack(source: NodeJS.ReadableStream) {
  const gunzip = createGunzip();
  source.on('error', (error) => gunzip.destroy(error));
  return gunzip;
}

/** The end of the last complete character. */
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

/** The whole text of a file. */
export async function wholeText(file: InputFile): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of readText(file)) pieces.push(piece);
  return pieces.join('');
}

/** The lines of a file, with any kind of line ends. */
export const wholeLines = async (file: InputFile): Promise<string[]> => (await wholeText(file)).split(/\r\n|\n|\r/u);

/** The message of an error, in one line. */
export const reason = (error: unknown) => (error instanceof Error ? error.message : String(error)).split('\n')[0]!;
