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

  /** @param records in order; they continue the tail, or begin it anew behind a gap */
  add(records: readonly R[]): void {
    const last = this.#records.at(-1);
    const continues = last !== undefined && records[0] !== undefined;
    if (!continues || this.#positionOf(records[0]!) !== this.#positionOf(last) + 1 || this.#bytes > TAIL_BYTES)
      this.clear();
    this.#records = [...this.#records, ...records];
    for (const record of records) this.#bytes += this.#textOf(record).length;
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
