/**
 * The newest records, as this process received them when they were appended, so that a reader at the log's end need not
 * fetch them.
 */

/** Maximum size for the record texts. When it is exceeded, the tail restarts with the next records. */
const TAIL_BYTES = 1024 * 1024;

export class LogTail<R> {
  readonly #positionOf: (record: R) => number;
  readonly #textOf: (record: R) => string;
  /** The positions are consecutive. */
  #records: R[] = [];
  #bytes = 0;

  /**
   * @param positionOf an integer, one more for each record
   * @param textOf what takes up most of the record's memory
   */
  constructor(positionOf: (record: R) => number, textOf: (record: R) => string) {
    this.#positionOf = positionOf;
    this.#textOf = textOf;
  }

  /** @param records in order; a record behind a gap restarts the tail */
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

  /** @returns the record at this position and all after it; none if it is not in the tail */
  from(position: number): R[] {
    const [first] = this.#records;
    return first !== undefined && position >= this.#positionOf(first)
      ? this.#records.slice(position - this.#positionOf(first))
      : [];
  }
}
