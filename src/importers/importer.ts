/**
 * The importer interface. An importer is a reader that turns files in one public format into feed updates, rankings,
 * transfers or entries of a register.
 */
import type { Snapshot } from '../rankings/index.ts';
import type { RegisterEntry } from '../register/index.ts';
import type { ListedTransfer } from '../transfers/index.ts';
import type { FeedUpdateInput } from '../wire/feed-update.ts';
import { type FileError, faultAt, type InputFile, inputFiles, type Meter } from './files.ts';

/** One day's ranking, with all rows. */
export interface RankingItem {
  kind: 'ranking';
  snapshot: Snapshot;
  /** Each entry's position in the files. */
  positions: readonly string[];
}

export interface TransferItem {
  kind: 'transfer';
  position: string;
  transfer: ListedTransfer;
}

export interface EntryItem {
  kind: 'entry';
  position: string;
  entry: RegisterEntry;
}

export type ImportItem =
  /**
   * `position` is where the item is in the files: the file path, then `:` and the line or `#` and the record number.
   */
  { kind: 'update'; position: string; update: FeedUpdateInput } | RankingItem | TransferItem | EntryItem | FileError;

/** @param read an update, or a text that says why the record is refused */
export const toItem = (position: string, read: FeedUpdateInput | string): ImportItem =>
  typeof read === 'string' ? faultAt(position, read) : { kind: 'update', position, update: read };

export interface Importer {
  /** The format's name on the command line. */
  format: string;
  /** Provider id in the updates. */
  provider: string;
  /** One line in the usage text. */
  description: string;
  /** If true, the updates are only about existing participants. An unknown participant is rejected, not created. */
  existingOnly?: true;
  /**
   * Yields items in file order. Only reads files, and stores nothing. `path` is a file or a folder; `.gz` is read
   * transparently.
   * @throws ImportError if there is no file in this format
   */
  read(path: string, meter?: Meter): AsyncGenerator<ImportItem>;
}

/** The members that distinguish one file format. */
interface FileFormat extends Omit<Importer, 'read'> {
  /** Names the expected content, for the error about a path that has none. */
  expected: string;
  /** Whether a file with this name is in the format. */
  accepts: (file: InputFile) => boolean;
  /** Yields the files' content, in file order. `path` is where the files were found. */
  readFiles: (files: readonly InputFile[], path: string) => AsyncGenerator<ImportItem>;
}

/** Creates the importer for a format whose files are found by name. */
export const fileImporter = ({ expected, accepts, readFiles, ...format }: FileFormat): Importer => ({
  ...format,
  async *read(path, meter) {
    yield* readFiles(await inputFiles(path, expected, accepts, meter), path);
  },
});

/** Returns a reader for independent files. */
export const eachFile = (readFile: (file: InputFile) => AsyncGenerator<ImportItem>): FileFormat['readFiles'] =>
  async function* (files) {
    for (const file of files) yield* readFile(file);
  };
