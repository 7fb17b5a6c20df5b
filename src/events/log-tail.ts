/** The newest records, as this process was given them when they were appended: who follows the log's end need not fetch them. */

/** Of their texts; then it begins anew with what comes next. */
const TAIL_BYTES = 1024 * 1024;

export class LogTail<R> {
  readonly #positionOf: (record: R) => number;
  readonly #textOf: (record: R) => string;
  /** Their positions are consecutive. */
  #records: R[] = [];
  #bytes = 0;

  /**
   * @param positionOf an integer, one more for each record
   * @param textOf most of what the record takes in memory
   */
  constructor(positionOf: (record: R) => number, textOf: (record: R) => string) {
    this.#positionOf = positionOf;
    this.#textOf = textOf;
  }

  /** @param records in order; one behind a gap begins the tail anew */
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

  /** @returns the record at this position and all behind it; none where it is not held */
  from(position: number): R[] {
    const [first] = this.#records;
    return first !== undefined && position >= this.#positionOf(first)
      ? this.#records.slice(position - this.#positionOf(first))
      : [];
  }
}
