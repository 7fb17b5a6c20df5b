/** The interface of an importer: a reader that turns the files of one public format into feed updates. */
import type { FeedUpdateInput } from '../wire/feed-update.ts';

export type ImportItem =
  /** `position` says where it was read, for messages: file name and line or index. */
  | { kind: 'update'; position: string; update: FeedUpdateInput }
  /** A record that cannot be read; reading continues with the next one. */
  | { kind: 'fault'; position: string; detail: string };

/** How far a reader is, in bytes of its files: for the progress bar. */
export interface Meter {
  total: number;
  done: number;
}

export interface Importer {
  /** The name on the command line. */
  format: string;
  /** The provider id that its updates carry. */
  provider: string;
  /** One line for the usage. */
  description: string;
  /**
   * Yields in the order of the files; pure reading, no store. `path` is a file or a folder; `.gz` is read transparently.
   * @throws ImportError when there is nothing of this format
   */
  read(path: string, meter?: Meter): AsyncGenerator<ImportItem>;
}
