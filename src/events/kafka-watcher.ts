/**
 * Waits at the log's end while there are listeners. Readers are called as soon as a process has appended
 * records.
 */
import { type Loop, startLoop } from '../runtime/loop.ts';
import type { AppendListeners } from './append-listeners.ts';
import { type KafkaRecord, NEARBY_MS, OffsetOutOfRange } from './kafka-connection.ts';
import type { KafkaConnector } from './kafka-connector.ts';
import { cursorOf } from './kafka-record.ts';
import type { LogTail } from './log-tail.ts';

const FETCH_BYTES = 256 * 1024;
/** Maximum time for which the broker holds a request for new records. */
const WATCH_MS = 1_000;
const RETRY_MS = 500;

export class KafkaWatcher {
  readonly #connector: KafkaConnector;
  readonly #listeners: AppendListeners;
  readonly #tail: LogTail<KafkaRecord>;
  readonly #loop: Loop;
  /** The next record's offset. Null if the log's end is not known yet. */
  #next: number | null = null;
  /** Until then, in ms of performance.now(), the leader serves this process, because the replica may be what failed. */
  #avoidsReplicas = 0;

  /** @param tail receives the appended records as well */
  constructor(connector: KafkaConnector, listeners: AppendListeners, tail: LogTail<KafkaRecord>) {
    this.#connector = connector;
    this.#listeners = listeners;
    this.#tail = tail;
    this.#loop = startLoop({
      run: () => this.#watch(),
      retryMs: RETRY_MS,
      // Not logged, since the log's readers report an outage.
      onError: () => {
        this.#restart();
        connector.drop();
        return true;
      },
    });
  }

  /** Continues waiting. Call it when the first listener is added. */
  wake(): void {
    this.#loop.wake();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #watch(): Promise<number> {
    if (this.#listeners.isEmpty) {
      this.#next = null;
      this.#connector.drop();
      return Number.POSITIVE_INFINITY;
    }
    const connection = await this.#connector.get();
    if (this.#next === null) {
      this.#next = (await connection.bounds()).end;
      this.#tail.clear();
      // Records may have been appended while nobody was waiting.
      this.#listeners.call();
    }
    try {
      const limit = { bytes: FETCH_BYTES, waitMs: WATCH_MS };
      const avoids = performance.now() < this.#avoidsReplicas;
      const { records } = await (avoids
        ? connection.fetch(this.#next, limit)
        : connection.fetchNearby(this.#next, limit));
      const last = records.at(-1);
      if (last === undefined) return 0;
      this.#next = last.offset + 1;
      this.#tail.add(records);
      this.#listeners.call(cursorOf(last));
    } catch (error) {
      if (!(error instanceof OffsetOutOfRange)) throw error;
      this.#restart();
    }
    return 0;
  }

  #restart(): void {
    this.#next = null;
    this.#avoidsReplicas = performance.now() + NEARBY_MS;
  }
}
