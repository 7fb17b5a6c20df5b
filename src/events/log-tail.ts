/**
 * The newest records, as this process received them when they were appended. A reader at the log's end does not have
 * to fetch them.
 */

/** Maximum total size of the records' texts. If it is exceeded, the tail starts over with the next records. */
const TAIL_BYTES = 1024 * 1024;

export class LogTail<R> {
  readonly #positionOf: (record: R) => number;
  readonly #textOf: (record: R) => string;
  /** Records with consecutive positions. */
  #records: R[] = [];
  #bytes = 0;

  /**
   * @param positionOf returns a record's position, which rises by one from record to record
   * @param textOf returns the text that takes up most of a record's memory
   */
  constructor(positionOf: (record: R) => number, textOf: (record: R) => string) {
    this.#positionOf = positionOf;
    this.#textOf = textOf;
  }

  /** @param records in order; if they do not follow directly, the tail starts over with them */
  add(records: readonly R[]): void {
    for (const record of records) {
      const last = this.#records.at(-1);
      const isGap = last !== undefined && this.#positionOf(record) !== this.#positionOf(last) + 1;
      if (isGap || this.#bytes > TAIL_BYTES) this.clear();
      this.#records.push(record);
      this.#bytes += this.#textOf(record).length;
    }
  }

  clear(): void {
    this.#records = [];
    this.#bytes = 0;
  }

  /** @returns the record at this position and all after it; an empty list if the record is not in the tail */
  from(position: number): R[] {
    const [first] = this.#records;
    return first !== undefined && position >= this.#positionOf(first)
      ? this.#records.slice(position - this.#positionOf(first))
      : [];
  }
}
