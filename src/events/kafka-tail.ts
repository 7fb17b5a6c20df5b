/** The newest records, as the watcher has got them: who follows the log's end need not fetch them again. */
import type { KafkaPage, KafkaRecord } from './kafka-connection.ts';

/** Of their values; then it begins anew with the next page. */
const TAIL_BYTES = 1024 * 1024;

export class KafkaTail {
  #topicId = '';
  /** In the order of their offsets, none missing. */
  #records: KafkaRecord[] = [];
  #bytes = 0;
  #end = 0;

  /** @param page begins where the one before has ended, or somewhere else after a gap */
  add(topicId: string, { records, end }: Pick<KafkaPage, 'records' | 'end'>): void {
    const next = (this.#records.at(-1)?.offset ?? -1) + 1;
    if (topicId !== this.#topicId || records[0]?.offset !== next || this.#bytes > TAIL_BYTES) {
      this.#topicId = topicId;
      this.#records = [];
      this.#bytes = 0;
    }
    this.#records = [...this.#records, ...records];
    for (const { value } of records) this.#bytes += value.length;
    this.#end = end;
  }

  /** @returns the records from this offset on, as a fetch would give them; null: it is not among them */
  from(topicId: string, offset: number): Pick<KafkaPage, 'records' | 'end'> | null {
    const first = this.#records[0]?.offset ?? Number.POSITIVE_INFINITY;
    const records = topicId === this.#topicId && offset >= first ? this.#records.slice(offset - first) : [];
    return records[0]?.offset === offset ? { records, end: this.#end } : null;
  }
}
