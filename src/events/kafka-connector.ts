/** Keeps one connection to Kafka for one purpose and replaces it when it is broken. */
import { KafkaRefused } from './kafka-access.ts';
import type { KafkaOptions } from './kafka-cluster.ts';
import { type KafkaConnection, openKafkaConnection } from './kafka-connection.ts';

export class KafkaConnector {
  readonly #options: KafkaOptions;
  #opening: Promise<KafkaConnection> | null = null;
  #connection: KafkaConnection | null = null;
  /** The latest refusal. No connection is attempted before `until`. */
  #refused: { error: KafkaRefused; until: number } | null = null;
  #isClosed = false;

  constructor(options: KafkaOptions) {
    this.#options = options;
  }

  /** @returns the current connection; null if there is no connection or it is broken */
  healthy(): KafkaConnection | null {
    return this.#connection?.isBroken() === false ? this.#connection : null;
  }

  /**
   * Returns the current connection. If there is none or it is broken, opens a new one.
   * @throws {KafkaRefused} also for some time after a refusal
   */
  async get(): Promise<KafkaConnection> {
    if (this.#isClosed) throw new Error('the event log is closed');
    if (this.#connection?.isBroken()) this.drop();
    if (this.#opening === null && this.#refused !== null && performance.now() < this.#refused.until)
      throw this.#refused.error;
    this.#opening ??= openKafkaConnection(this.#options);
    const opening = this.#opening;
    try {
      const connection = await opening;
      if (opening === this.#opening) this.#connection = connection;
      return connection;
    } catch (error) {
      if (opening === this.#opening) this.#opening = null;
      if (error instanceof KafkaRefused) this.#refused = { error, until: performance.now() + error.retryMs };
      throw error;
    }
  }

  /** Closes the connection, even while it is being opened. The next `get` opens a new one. */
  drop(): void {
    this.#connection?.close();
    this.#opening?.then(
      (connection) => connection.close(),
      () => {},
    );
    this.#connection = null;
    this.#opening = null;
  }

  close(): void {
    this.#isClosed = true;
    this.drop();
  }
}
