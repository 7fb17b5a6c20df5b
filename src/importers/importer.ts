/** The interface of an importer: a reader that turns the files of one public format into feed updates, rankings or transfers. */
import type { Snapshot } from '../rankings/index.ts';
import type { ListedTransfer } from '../transfers/index.ts';
import type { FeedUpdateInput } from '../wire/feed-update.ts';
import { type FileError, faultAt, type InputFile, inputFiles, type Meter } from './files.ts';

/** A ranking of one day, with all its rows. */
export interface RankingItem {
  kind: 'ranking';
  snapshot: Snapshot;
  /** Position of each entry. */
  positions: readonly string[];
}

export interface TransferItem {
  kind: 'transfer';
  position: string;
  transfer: ListedTransfer;
}

export type ImportItem =
  /**
   * `position` is the source position: the path of the file, then `:` and the line or `#` and the number of the record.
   */
  { kind: 'update'; position: string; update: FeedUpdateInput } | RankingItem | TransferItem | FileError;

/** @param read a text: why the record is refused */
export const toItem = (position: string, read: FeedUpdateInput | string): ImportItem =>
  typeof read === 'string' ? faultAt(position, read) : { kind: 'update', position, update: read };

export interface Importer {
  /** The name on the command line. */
  format: string;
  /** The provider id of its updates. */
  provider: string;
  /** One line for the usage. */
  description: string;
  /** Its updates concern existing participants: an unknown one is rejected, not created. */
  existingOnly?: true;
  /**
   * Yields in the order of the files; pure reading, no store. `path` is a file or a folder; `.gz` is read
   * transparently.
   * @throws ImportError if there is no file of this format
   */
  read(path: string, meter?: Meter): AsyncGenerator<ImportItem>;
}

/** The members that distinguish one file format. */
interface FileFormat extends Omit<Importer, 'read'> {
  /** The expected content of a path, for the error about a path without it. */
  expected: string;
  /** Whether the format has files of this name. */
  accepts: (file: InputFile) => boolean;
  /** Yields what the files hold, in their order. `path` is where they were found. */
  readFiles: (files: readonly InputFile[], path: string) => AsyncGenerator<ImportItem>;
}

/** Creates the importer of a format whose files are found by their names. */
export const fileImporter = ({ expected, accepts, readFiles, ...format }: FileFormat): Importer => ({
  ...format,
  async *read(path, meter) {
    yield* readFiles(await inputFiles(path, expected, accepts, meter), path);
  },
});

/** Reads files that do not depend on each other. */
export const eachFile = (readFile: (file: InputFile) => AsyncGenerator<ImportItem>): FileFormat['readFiles'] =>
  async function* (files) {
    for (const file of files) yield* readFile(file);
  };
