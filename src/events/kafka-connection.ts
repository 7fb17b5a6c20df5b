/** One partition of a Kafka topic by offset, without groups and without retries. */
import {
  isOf,
  type KafkaOptions,
  openCluster,
  type RawRecord,
  REQUEST_TIMEOUT_MS,
  readTopicId,
  targetTopic,
} from './kafka-cluster.ts';

const LATEST = '-1';
const EARLIEST = '-2';
const TOPIC_RESOURCE = 2;

export interface KafkaRecord {
  offset: number;
  key: string;
  value: string;
  headers: Readonly<Record<string, string>>;
}

export interface KafkaPage {
  /** From the offset asked for on. */
  records: KafkaRecord[];
  /** Offset of the first record that is kept, and the one that the next record will get. */
  start: number;
  end: number;
}

export interface KafkaTopic {
  /** Another one for a topic that was deleted and created again under the same name. */
  id: string;
  partitions: number;
  replicas: number;
  brokers: number;
  settings: Readonly<Record<string, string>>;
}

/** A connection that is never mended: once `broken`, open another and look at the topic's id. */
export interface KafkaLink {
  readonly topicId: string;
  broken(): boolean;
  /** The topic's id as of now. */
  currentTopicId(): Promise<string>;
  describe(): Promise<KafkaTopic>;
  /** @throws {OffsetOutOfRange} */
  fetch(offset: number, options: { bytes: number; waitMs?: number }): Promise<KafkaPage>;
  /** All in one batch, acknowledged by all replicas in sync; never repeated. @returns the offset of the first */
  append(records: readonly Omit<KafkaRecord, 'offset'>[]): Promise<number>;
  bounds(): Promise<{ start: number; end: number }>;
  /** @returns the offset of the first record of this time (ms) or later; null: there is none */
  offsetAt(time: number): Promise<number | null>;
  /** @returns the new start */
  dropBefore(offset: number): Promise<number>;
  /** At once, whatever is under way. */
  close(): void;
}

export class OffsetOutOfRange extends Error {
  constructor() {
    super('the offset is not in the log');
  }
}

/** @throws when no broker answers, or the topic does not exist and cannot be created */
export async function openLink(options: KafkaOptions): Promise<KafkaLink> {
  const opened = openCluster(options);
  try {
    return await linkOf(options, opened);
  } catch (error) {
    opened.close();
    throw error;
  }
}

async function linkOf(options: KafkaOptions, { cluster, broken, close }: ReturnType<typeof openCluster>) {
  const { topic, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  await cluster.connect();
  await targetTopic(cluster, topic);
  const partition = cluster.findTopicPartitionMetadata(topic).find(({ partitionId }) => partitionId === 0);
  if (partition === undefined) throw new Error(`Kafka's topic ${topic} has no partition 0`);
  const broker = await cluster.findBroker({ nodeId: partition.leader });
  const whole = (one: object) => [{ topic, partitions: [{ partition: 0, ...one }] }];
  const offsetOf = async (timestamp: string) => {
    const { responses } = await broker.listOffsets({ replicaId: -1, isolationLevel: 0, topics: whole({ timestamp }) });
    return Number(responses[0]!.partitions[0]!.offset);
  };

  const link: Omit<KafkaLink, 'topicId'> = {
    broken,
    close,
    currentTopicId: () => readTopicId(broker, topic),

    async describe() {
      const { resources } = await broker.describeConfigs({ resources: [{ type: TOPIC_RESOURCE, name: topic }] });
      const partitions = cluster.findTopicPartitionMetadata(topic);
      return {
        id: await readTopicId(broker, topic),
        partitions: partitions.length,
        replicas: partition.replicas.length,
        brokers: cluster.brokerPool.metadata.brokers.length,
        settings: Object.fromEntries(
          resources[0]!.configEntries.map(({ configName, configValue }) => [configName, configValue ?? '']),
        ),
      };
    },

    async fetch(offset, { bytes, waitMs = 0 }) {
      try {
        const { responses } = await broker.fetch({
          replicaId: -1,
          isolationLevel: 0,
          maxWaitTime: waitMs,
          minBytes: 1,
          maxBytes: bytes,
          topics: whole({ fetchOffset: offset, maxBytes: bytes }),
        });
        const { messages, highWatermark, lastStartOffset } = responses[0]!.partitions[0]!;
        // A batch comes whole, also when its middle was asked for.
        const records = messages.filter((one) => Number(one.offset) >= offset).map(recordOf);
        return { records, start: Number(lastStartOffset), end: Number(highWatermark) };
      } catch (error) {
        if (isOf(error, 'OFFSET_OUT_OF_RANGE')) throw new OffsetOutOfRange();
        throw error;
      }
    },

    async append(records) {
      const messages = records.map(({ key, value, headers }) => ({
        key: Buffer.from(key),
        value: Buffer.from(value),
        headers,
      }));
      const { topics } = await broker.produce({ acks: -1, timeout: requestTimeoutMs, topicData: whole({ messages }) });
      return Number(topics[0]!.partitions[0]!.baseOffset);
    },

    async bounds() {
      const [start, end] = await Promise.all([offsetOf(EARLIEST), offsetOf(LATEST)]);
      return { start, end };
    },

    async offsetAt(time) {
      const offset = await offsetOf(String(time));
      return offset < 0 ? null : offset;
    },

    async dropBefore(offset) {
      const { topics } = await broker.deleteRecords({ topics: whole({ offset }) });
      return Number(topics[0]!.partitions[0]!.lowWatermark.toString());
    },
  };
  return { ...link, topicId: await readTopicId(broker, topic) };
}

const recordOf = ({ offset, key, value, headers }: RawRecord): KafkaRecord => ({
  offset: Number(offset),
  key: String(key),
  value: String(value),
  headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, String(text)])),
});
