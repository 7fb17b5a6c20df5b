/** Counts the files of an import from which a record was taken. */
import type { InputFile } from './files.ts';

export class FileCounts {
  #files: readonly InputFile[];
  #taken = new Set<string>();

  /** @param files may grow while they are read */
  constructor(files: readonly InputFile[]) {
    this.#files = files;
  }

  /** @param position of a record: the path of its file, then `:` or `#` and the place in it */
  take(position: string): void {
    this.#taken.add(position.slice(0, position.search(/[:#][^:#]*$/u)));
  }

  /** Returns the paths of files without records, except files whose rows are parts of other files' records. */
  withoutRecords(): string[] {
    return this.#files.filter(({ path, isPart }) => !isPart && !this.#taken.has(path)).map(({ path }) => path);
  }
}
