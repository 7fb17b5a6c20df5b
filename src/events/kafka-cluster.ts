/**
 * Accesses the cluster through kafkajs, as the event log does; destinations have a client of their own. The kafkajs producer retries and counts in ways
 * that can lose rows, and the kafkajs consumer works only in groups, so the requests are sent directly. The version is
 * pinned, and the contract tests check the parts that we use.
 */
import { createRequire } from 'node:module';
import type net from 'node:net';
import type { KafkaAccess } from '../config/kafka.ts';
import { readMember } from '../runtime/unknown-values.ts';
import { DAY_MS } from '../wire/time.ts';
import './kafkajs-queue.ts';
import { type Authenticators, createSocketFactory, saslOptions } from './kafka-access.ts';

/** Request timeout, which is shorter than the relay's lease. */
export const REQUEST_TIMEOUT_MS = 3_000;
const CONNECT_TIMEOUT_MS = 2_000;
const METADATA = { apiKey: 3, apiName: 'Metadata', apiVersion: 11 } as const;

export interface KafkaOptions {
  brokers: readonly string[];
  topic: string;
  /** This installation's id. Records of another installation are refused. If undefined, all records are accepted. */
  installation?: string;
  /** Called when a foreign record is read. */
  onForeign?: (() => void) | undefined;
  access?: KafkaAccess;
  requestTimeoutMs?: number;
  /** Receives log messages from kafkajs, which reports every retry as an error. */
  debug(details: object, message: string): void;
}

// ---- the parts of kafkajs that we use

interface Encoder {
  writeBuffer(value: Buffer): Encoder;
}
interface Decoder {
  readInt16(): number;
  readInt32(): number;
  readUVarInt(): number;
  readBytes(length: number): Buffer;
  readTaggedFields(): unknown;
}
export interface RawRecord {
  offset: string;
  key: Buffer | null;
  value: Buffer | null;
  headers: Record<string, Buffer>;
  /** ms since 1970 */
  timestamp: string;
}
export interface FetchedPartition {
  /** The replica from which the leader wants to be relieved; -1 if there is no such replica. */
  preferredReadReplica: number;
  highWatermark: string;
  lastStartOffset: string;
  messages: RawRecord[];
}
/** The authenticated session on a connection. */
interface Session {
  /** A time in the format of process.hrtime(). Null without authentication. */
  authenticatedAt: [number, number] | null;
  /** Session lifetime in milliseconds, or 0 for no limit. */
  sessionLifetime: { toString(): string };
}
export interface Broker {
  /** Supported versions by the API's key. */
  versions: Record<number, { maxVersion: number }> | null;
  connectionPool: { send(request: object): Promise<unknown>; pool: readonly Session[] };
  fetch(request: object): Promise<{ responses: { partitions: FetchedPartition[] }[] }>;
  produce(request: object): Promise<{ topics: { partitions: { baseOffset: string }[] }[] }>;
  listOffsets(request: object): Promise<{ responses: { partitions: { offset: string }[] }[] }>;
  deleteRecords(request: object): Promise<{ topics: { partitions: { lowWatermark: { toString(): string } }[] }[] }>;
  createTopics(request: object): Promise<unknown>;
  describeConfigs(request: object): Promise<{
    resources: { configEntries: { configName: string; configValue: string | null }[] }[];
  }>;
}
export interface Cluster {
  brokerPool: { metadata: { brokers: unknown[] } };
  connect(): Promise<void>;
  addTargetTopic(topic: string): Promise<void>;
  refreshMetadata(): Promise<void>;
  findTopicPartitionMetadata(topic: string): { partitionId: number; leader: number; replicas: number[] }[];
  findBroker(options: { nodeId: number }): Promise<Broker>;
  findControllerBroker(): Promise<Broker>;
}
/**
 * Turns off re-authentication in kafkajs. It would re-authenticate with each request in a session's last 10 seconds,
 * and a broker refuses that more than once a second. Instead, the connection is replaced before the session ends (see
 * `endsSoon`).
 */
const NEVER_AGAIN_MS = -1e12;
type SocketFactory = (options: { host: string; port: number; onConnect: () => void }) => net.Socket;

const require = createRequire(import.meta.url);
const ClusterOf = require('kafkajs/src/cluster') as new (options: object) => Cluster;
const EncoderOf = require('kafkajs/src/protocol/encoder') as new () => Encoder;
const DecoderOf = require('kafkajs/src/protocol/decoder') as new (data: Buffer) => Decoder;
const { createLogger } = require('kafkajs/src/loggers') as { createLogger(options: object): object };
const authenticators: Authenticators = {
  plain: require('kafkajs/src/broker/saslAuthenticator/plain'),
  'scram-sha-256': require('kafkajs/src/broker/saslAuthenticator/scram256'),
  'scram-sha-512': require('kafkajs/src/broker/saslAuthenticator/scram512'),
};

// ---- connecting

export const isType = (error: unknown, type: string) => readMember(error, 'type') === type;

export interface OpenCluster {
  cluster: Cluster;
  /** Returns whether a socket was closed, by either side. */
  isBroken(): boolean;
  close(): void;
}

/**
 * Opens a cluster without connecting. Certificate and secret files are read in this call.
 * @throws {Error} if a file cannot be read
 */
export function openCluster(options: KafkaOptions): OpenCluster {
  const { brokers, debug, requestTimeoutMs = REQUEST_TIMEOUT_MS, access = {} } = options;
  const connect = createSocketFactory(access);
  const sockets = new Set<net.Socket>();
  let broken = false;
  const socketFactory: SocketFactory = ({ host, port, onConnect }) => {
    const socket = connect(host, port, onConnect);
    socket.setKeepAlive(true, 60_000).setNoDelay(true);
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      broken = true;
    });
    return socket;
  };
  const cluster = new ClusterOf({
    brokers,
    clientId: 'touchline',
    socketFactory,
    sasl: saslOptions(access, authenticators),
    reauthenticationThreshold: NEVER_AGAIN_MS,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    requestTimeout: requestTimeoutMs,
    enforceRequestTimeout: true,
    allowAutoTopicCreation: false,
    metadataMaxAge: DAY_MS,
    retry: { retries: brokers.length - 1, initialRetryTime: 50, maxRetryTime: 500 },
    logger: createLogger({
      level: 4,
      logCreator: () => (entry: { log: { message: string; timestamp: string; logger: string } }) => {
        const { message, timestamp: _timestamp, logger: _logger, ...details } = entry.log;
        debug(details, `kafkajs: ${message}`);
      },
    }),
  });
  return {
    cluster,
    isBroken: () => broken,
    close() {
      broken = true;
      // Sockets are destroyed with an error, since only then does kafkajs drop pending requests and their timers.
      for (const socket of sockets) socket.destroy(new Error('closed by this process'));
    },
  };
}

/** Share of a session after which the connection counts as broken. Brokers close it at the first request after the session has expired. */
const SESSION_SHARE = 0.8;

/** Returns whether the broker will soon require a new authentication. */
export function endsSoon({ connectionPool }: Broker): boolean {
  return connectionPool.pool.some(({ authenticatedAt, sessionLifetime }) => {
    const lifetime = Number(sessionLifetime.toString());
    if (authenticatedAt === null || lifetime === 0) return false;
    const [seconds, nanos] = process.hrtime(authenticatedAt);
    return seconds * 1_000 + nanos / 1e6 >= lifetime * SESSION_SHARE;
  });
}

/** Thrown if the Kafka version is too old. A retry would not help. */
export class UnsupportedKafka extends Error {}

/**
 * Checks the broker's version by the requests that it supports, since brokers do not report a version. Topic ids came
 * with 2.8.
 * @throws {UnsupportedKafka}
 */
export function checkVersion({ versions }: Pick<Broker, 'versions'>): void {
  const latest = versions?.[METADATA.apiKey]?.maxVersion ?? 0;
  if (latest < METADATA.apiVersion) throw new UnsupportedKafka('Kafka is too old: Touchline needs Kafka 2.8 or newer');
}

/**
 * Reads a topic's id. kafkajs does not support topic ids, so this sends a Metadata request in a later version.
 * https://kafka.apache.org/protocol#The_Messages_Metadata
 */
export async function readTopicId(broker: Broker, topic: string): Promise<string> {
  const name = Buffer.from(topic);
  const text = (value: Buffer) => Buffer.concat([Buffer.from([value.length + 1]), value]);
  const body = Buffer.concat([
    // In order: the header's tags; one topic without id, with name, without tags; no auto-creation; no authorized
    // operations; no tags.
    Buffer.from([0, 2]),
    Buffer.alloc(16),
    text(name),
    Buffer.from([0, 0, 0, 0]),
  ]);
  const request = { ...METADATA, encode: async () => new EncoderOf().writeBuffer(body) };
  return (await broker.connectionPool.send({
    request,
    response: { decode: decodeTopicId, parse: async (id: string) => id },
  })) as string;
}

async function decodeTopicId(data: Buffer): Promise<string> {
  const decoder = new DecoderOf(data);
  const skipText = () => {
    const length = decoder.readUVarInt();
    if (length > 1) decoder.readBytes(length - 1);
  };
  decoder.readTaggedFields();
  decoder.readInt32();
  for (let brokers = decoder.readUVarInt() - 1; brokers > 0; brokers -= 1) {
    decoder.readInt32();
    skipText();
    decoder.readInt32();
    skipText();
    decoder.readTaggedFields();
  }
  skipText();
  decoder.readInt32();
  decoder.readUVarInt();
  const errorCode = decoder.readInt16();
  if (errorCode !== 0) throw new Error(`Kafka answered error ${errorCode} for the topic's metadata`);
  skipText();
  return decoder.readBytes(16).toString('hex');
}
