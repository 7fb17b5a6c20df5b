/** Reads and writes one partition of a Kafka topic by offset, without consumer groups and without retries. */
import { explained, ForeignTopic, hinted } from './kafka-access.ts';
import {
  type Broker,
  checkVersion,
  endsSoon,
  type FetchedPartition,
  isType,
  type KafkaOptions,
  type OpenCluster,
  openCluster,
  type RawRecord,
  REQUEST_TIMEOUT_MS,
  readTopicId,
} from './kafka-cluster.ts';
import { ensureTopic, type KafkaTopic } from './kafka-topic.ts';

const LATEST = '-1';
const EARLIEST = '-2';
const TOPIC_RESOURCE = 2;
/** How often the leader is asked for a replica, since it names only replicas that are in sync. After an error, replicas are avoided for this time. */
export const NEARBY_MS = 30_000;

export interface KafkaRecord {
  offset: number;
  key: string;
  value: string;
  headers: Readonly<Record<string, string>>;
  /** When the record was appended, in ms since 1970. */
  timestamp: number;
}

export interface FetchLimit {
  bytes: number;
  /** How long the broker may wait for a record. Default 0. */
  waitMs?: number;
}

export interface KafkaPage {
  /** The records from the requested offset on. */
  records: KafkaRecord[];
  /** Offset of the first stored record. `end` is the offset that the next appended record will have. */
  start: number;
  end: number;
}

export class OffsetOutOfRange extends Error {
  constructor() {
    super('the offset is not in the log');
  }
}

/**
 * @throws {KafkaRefused} if a certificate, user or permission is wrong
 * @throws if no broker answers, or the topic does not exist and cannot be created
 */
export async function openKafkaConnection(options: KafkaOptions): Promise<KafkaConnection> {
  const { topic } = options;
  const opened = openCluster(options);
  try {
    await opened.cluster.connect();
    await ensureTopic(opened.cluster, topic);
    const partition = opened.cluster.findTopicPartitionMetadata(topic).find(({ partitionId }) => partitionId === 0);
    if (partition === undefined) throw new Error(`Kafka's topic ${topic} has no partition 0`);
    const broker = await opened.cluster.findBroker({ nodeId: partition.leader });
    checkVersion(broker);
    return new KafkaConnection(options, opened, broker, await readTopicId(broker, topic));
  } catch (error) {
    opened.close();
    const { access = {} } = options;
    throw hinted(explained(error, access, `use the topic ${topic}`), access);
  }
}

/**
 * A connection to the partition's leader and, for `fetchNearby`, to a replica. A broken connection is never repaired. Open a new one instead, and compare
 * their topic ids.
 */
export class KafkaConnection {
  /** The topic's id, which changes if the topic is deleted and created again under the same name. */
  readonly topicId: string;
  readonly #options: KafkaOptions;
  readonly #topic: string;
  readonly #timeout: number;
  readonly #opened: OpenCluster;
  readonly #broker: Broker;
  /** The replica in the same rack. Null if the leader serves this process. */
  #nearby: Broker | null = null;
  /** When the leader is asked for a replica again, in ms of performance.now(). */
  #askAt = 0;

  /** @param opened a connected cluster, with `broker` as the leader for the topic's partition 0 */
  constructor(options: KafkaOptions, opened: OpenCluster, broker: Broker, topicId: string) {
    this.#options = options;
    this.#topic = options.topic;
    this.#timeout = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
    this.#opened = opened;
    this.#broker = broker;
    this.topicId = topicId;
  }

  /**
   * Also returns true shortly before the broker ends the session, since a new connection costs less than an unanswered
   * request.
   */
  isBroken(): boolean {
    return this.#opened.isBroken() || endsSoon(this.#broker) || (this.#nearby !== null && endsSoon(this.#nearby));
  }

  /** Closes the connection at once, even if requests are in flight. */
  close(): void {
    this.#opened.close();
  }

  /** @throws {Error} if the topic was re-created under the same name, which makes this connection useless */
  async assertSameTopic(): Promise<void> {
    if ((await readTopicId(this.#broker, this.#topic)) !== this.topicId)
      throw new Error('the Kafka topic was re-created');
  }

  async describe(): Promise<KafkaTopic> {
    const { cluster } = this.#opened;
    const resource = { type: TOPIC_RESOURCE, name: this.#topic };
    const {
      resources: [settings],
    } = await this.#allowed('read the settings of', this.#broker.describeConfigs({ resources: [resource] }));
    const partitions = cluster.findTopicPartitionMetadata(this.#topic);
    return {
      partitions: partitions.length,
      replicas: partitions.find(({ partitionId }) => partitionId === 0)!.replicas.length,
      settings: Object.fromEntries(
        (settings?.configEntries ?? []).map(({ configName, configValue }) => [configName, configValue ?? '']),
      ),
    };
  }

  /**
   * Checks that the newest event is from this installation. Earlier events are checked when they are read.
   * @throws {ForeignTopic}
   */
  async assertOwnEvents(): Promise<void> {
    const { start, end } = await this.bounds();
    if (start < end) await this.fetch(end - 1, { bytes: 1 });
  }

  /**
   * Fetches from the leader, which has every record that was acknowledged.
   * @throws {OffsetOutOfRange | ForeignTopic}
   */
  async fetch(offset: number, limit: FetchLimit): Promise<KafkaPage> {
    return this.#page(await this.#fetchFrom(this.#broker, offset, limit), offset);
  }

  /**
   * Fetches from the replica in the same rack (KIP-392), which may be a few milliseconds behind the leader. Without a rack or such a
   * replica, fetches from the leader.
   * @returns an empty page if the leader has just named a replica
   * @throws {OffsetOutOfRange | ForeignTopic}
   */
  async fetchNearby(offset: number, limit: FetchLimit): Promise<KafkaPage> {
    const { kafkaRack } = this.#options.access ?? {};
    if (this.#nearby !== null && performance.now() < this.#askAt)
      return this.#page(await this.#fetchFrom(this.#nearby, offset, limit), offset);
    const partition = await this.#fetchFrom(this.#broker, offset, limit, kafkaRack);
    const { preferredReadReplica: nodeId } = partition;
    this.#nearby = nodeId < 0 ? null : await this.#opened.cluster.findBroker({ nodeId });
    this.#askAt = performance.now() + NEARBY_MS;
    return this.#page(partition, offset);
  }

  /** @throws {OffsetOutOfRange} */
  async #fetchFrom(
    broker: Broker,
    offset: number,
    { bytes, waitMs = 0 }: FetchLimit,
    rackId = '',
  ): Promise<FetchedPartition> {
    const request = {
      replicaId: -1,
      isolationLevel: 0,
      maxWaitTime: waitMs,
      minBytes: 1,
      maxBytes: bytes,
      topics: this.#partition({ fetchOffset: offset, maxBytes: bytes }),
      rackId,
    };
    try {
      const { responses } = await this.#allowed('read', broker.fetch(request));
      return onlyPartition(responses);
    } catch (error) {
      if (isType(error, 'OFFSET_OUT_OF_RANGE')) throw new OffsetOutOfRange();
      throw error;
    }
  }

  /** @throws {ForeignTopic} */
  #page({ messages, highWatermark, lastStartOffset }: FetchedPartition, offset: number): KafkaPage {
    // The broker returns whole batches, even if the requested offset is inside one.
    const records = messages.filter((one) => Number(one.offset) >= offset).map(toRecord);
    this.#assertOwn(records);
    return { records, start: Number(lastStartOffset), end: Number(highWatermark) };
  }

  /**
   * Appends all records in one batch, acknowledged by all in-sync replicas; never retries. @returns the first record's
   * offset
   */
  async append(records: readonly Omit<KafkaRecord, 'offset' | 'timestamp'>[]): Promise<number> {
    const messages = records.map(({ key, value, headers }) => ({
      key: Buffer.from(key),
      value: Buffer.from(value),
      headers,
    }));
    const topicData = this.#partition({ messages });
    const request = this.#broker.produce({ acks: -1, timeout: this.#timeout, topicData });
    const { topics } = await this.#allowed('write to', request);
    return Number(onlyPartition(topics).baseOffset);
  }

  async bounds(): Promise<{ start: number; end: number }> {
    const [start, end] = await Promise.all([this.#offsetOf(EARLIEST), this.#offsetOf(LATEST)]);
    return { start, end };
  }

  /** @returns the offset of the first record whose time is `time` (ms) or later; null if there is no such record */
  async offsetAt(time: number): Promise<number | null> {
    const offset = await this.#offsetOf(String(time));
    return offset < 0 ? null : offset;
  }

  /** Drops all records before an offset. @returns the new start */
  async dropBefore(offset: number): Promise<number> {
    const request = this.#broker.deleteRecords({ topics: this.#partition({ offset }) });
    const { topics } = await this.#allowed('delete records of', request);
    return Number(onlyPartition(topics).lowWatermark.toString());
  }

  /** Refuses records of another installation. Records from earlier releases name no installation and are accepted. */
  #assertOwn(records: readonly KafkaRecord[]): void {
    const { installation, topic, onForeign } = this.#options;
    if (installation === undefined) return;
    const foreign = records.find(({ headers }) => (headers.installation ?? installation) !== installation);
    if (foreign === undefined) return;
    onForeign?.();
    throw new ForeignTopic(topic, foreign.headers.installation!);
  }

  async #offsetOf(timestamp: string): Promise<number> {
    const topics = this.#partition({ timestamp });
    const request = this.#broker.listOffsets({ replicaId: -1, isolationLevel: 0, topics });
    const { responses } = await this.#allowed('describe', request);
    return Number(onlyPartition(responses).offset);
  }

  /** @throws {KafkaRefused} if the user lacks the permission, or if the broker no longer accepts the user */
  async #allowed<T>(action: string, request: Promise<T>): Promise<T> {
    try {
      return await request;
    } catch (error) {
      throw explained(error, this.#options.access ?? {}, `${action} the topic ${this.#topic}`);
    }
  }

  /** Builds the part of a request that is about the topic's one partition. */
  #partition(request: object): object[] {
    return [{ topic: this.#topic, partitions: [{ partition: 0, ...request }] }];
  }
}

const toRecord = ({ offset, key, value, headers, timestamp }: RawRecord): KafkaRecord => ({
  offset: Number(offset),
  timestamp: Number(timestamp),
  key: String(key),
  value: String(value),
  headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, String(text)])),
});

/** Returns the part of a reply that is about the topic's one partition. */
function onlyPartition<P>([topic]: readonly { partitions: readonly P[] }[]): P {
  const [partition] = topic?.partitions ?? [];
  if (partition === undefined) throw new Error("the broker's reply names no partition");
  return partition;
}
