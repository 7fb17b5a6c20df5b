/**
 * Reads the files in a zip archive one by one. An archive may be damaged or hostile: names are never used as paths, and an entry that
 * would unpack to more than the limit is refused.
 */
import type { Readable } from 'node:stream';
import { type Entry, openPromise, validateFileName } from 'yauzl';
import { type FileError, faultAt, fileFault, type InputFile, reason } from './files.ts';

/** The largest file that an archive may hold, unpacked. */
export const MOST_ENTRY_BYTES = 32 * 1024 * 1024;
/** The most files that an archive may hold. */
const MOST_ENTRIES = 200_000;
/** Larger than any archive of text files. A bomb unpacks to much more than its size. */
const MOST_RATIO = 200;
/** Small entries may have any ratio. */
const RATIO_MATTERS_BYTES = 1024 * 1024;

export interface ZipFile {
  /** The archive's path, `#`, and the name in the archive. */
  position: string;
  /** File name without folders. */
  name: string;
  text: string;
}

/**
 * Yields the archive's files whose names are accepted. An entry that cannot be read is a fault, and reading continues.
 * @param accepts whether to read the file with this name
 */
export async function* zipFiles(
  archive: Pick<InputFile, 'path' | 'meter'>,
  accepts: (name: string) => boolean,
): AsyncGenerator<ZipFile | FileError> {
  let count = 0;
  const counted = (bytes: number) => {
    if (archive.meter) archive.meter.done += bytes;
  };
  try {
    // With names as bytes, a name that is not allowed does not end the reading.
    const zip = await openPromise(archive.path, { lazyEntries: true, decodeStrings: false, validateEntrySizes: true });
    for await (const entry of zip.eachEntry()) {
      counted(entry.compressedSize);
      const path = entry.fileNameRaw.toString('utf8');
      const name = path.slice(path.lastIndexOf('/') + 1);
      if (!accepts(name)) continue;
      count++;
      const position = `${archive.path}#${path}`;
      if (count > MOST_ENTRIES) {
        yield fileFault(position, `the archive has more than ${MOST_ENTRIES} files; the rest is not read`);
        return;
      }
      const refusal = refuse(path, entry);
      if (refusal !== undefined) {
        yield faultAt(position, refusal);
        continue;
      }
      try {
        yield { position, name, text: await readEntry(await zip.openReadStreamPromise(entry)) };
      } catch (error) {
        yield faultAt(position, `cannot be read: ${reason(error)}`);
      }
    }
  } catch (error) {
    yield fileFault(archive.path, `cannot be read as a zip archive any further: ${reason(error)}`);
  }
}

/** Returns why an entry is not read. */
function refuse(path: string, entry: Entry): string | undefined {
  const { uncompressedSize, compressedSize } = entry;
  const badName = validateFileName(path);
  if (badName !== null) return `the name is not allowed: ${badName}`;
  if (entry.isEncrypted()) return 'is encrypted';
  if (!entry.canDecodeFileData()) return `is packed by method ${entry.compressionMethod}, which is not supported`;
  if (uncompressedSize > MOST_ENTRY_BYTES) return `unpacks to ${uncompressedSize} bytes, more than ${MOST_ENTRY_BYTES}`;
  if (uncompressedSize > RATIO_MATTERS_BYTES && uncompressedSize > compressedSize * MOST_RATIO)
    return `unpacks to ${uncompressedSize} bytes from ${compressedSize}, which is not a text file`;
  return undefined;
}

/** Reads an entry's text. The library fails if there are more bytes than the archive says. */
async function readEntry(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\ufeff/u, '');
}
