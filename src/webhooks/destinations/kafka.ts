/** A Kafka topic of the subscriber. A record's key is the match id, so that the events of a match stay in order. */
import type { Producer } from 'kafkajs';
import { z } from 'zod';
import { readMember } from '../../runtime/unknown-values.ts';
import { ATTEMPT_TIMEOUT_MS } from './attempt.ts';
import { brokerAddress, checkEndpoint, openSocket, parseBroker } from './checked-socket.ts';
import { brokerKind, credentials } from './credentials.ts';
import {
  CONFIRMED,
  type Connection,
  type ConnectionContext,
  type DestinationKind,
  type Message,
  Refused,
} from './destination.ts';

/** Ports on which brokers usually listen with TLS. Others need an entry in WEBHOOK_ALLOW. */
export const KAFKA_PORTS = [9092, 9093, 9094, 9095, 9096, 9097, 9098];
const MAX_BROKERS = 10;
/** Limit on connecting to one broker. A second one may still answer within the attempt's time. */
const CONNECT_TIMEOUT_MS = 3_000;
/** The broker answers with an error before the attempt's time is over. */
const ACKNOWLEDGE_TIMEOUT_MS = ATTEMPT_TIMEOUT_MS - 1_000;

const settings = z.strictObject({
  kind: z.literal('kafka'),
  brokers: z
    .array(brokerAddress)
    .min(1)
    .max(MAX_BROKERS)
    .meta({ description: 'The first brokers to ask, as `host:port`' }),
  topic: z
    .string()
    .regex(/^(?!\.{1,2}$)[A-Za-z0-9._-]{1,249}$/, 'must be the name of a topic')
    .meta({ description: 'A topic that exists' }),
  mechanism: z.enum(['plain', 'scram-sha-256', 'scram-sha-512']).default('scram-sha-512'),
  ...credentials,
});
type Settings = z.output<typeof settings>;

const endpoint = (address: { host: string; port: number }, { tls }: Pick<Settings, 'tls'>) => ({
  ...address,
  secure: tls,
  ports: KAFKA_PORTS,
});

export const kafka = {
  ...brokerKind,
  settings,
  receiver: ({ brokers, tls }) => `${tls} ${brokers.join(',')}`,
  address: ({ brokers, topic }) => `kafka://${brokers.join(',')}/${topic}`,
  async check(wanted, guard) {
    for (const broker of wanted.brokers) await checkEndpoint(guard, endpoint(parseBroker(broker), wanted));
  },
  open: (wanted, context) => new KafkaTopicConnection(wanted, context),
} satisfies DestinationKind<Settings>;

class KafkaTopicConnection implements Connection {
  readonly #settings: Settings;
  readonly #context: ConnectionContext;
  #producer: Promise<Producer> | null = null;
  /** The last error of a socket, which kafkajs hides in errors of its own. */
  #socketError: Error | null = null;

  constructor(wanted: Settings, context: ConnectionContext) {
    this.#settings = wanted;
    this.#context = context;
  }

  async send({ matchId, envelope, headers }: Message) {
    this.#producer ??= this.#connect();
    const record = { key: matchId === null ? null : String(matchId), value: envelope, headers: { ...headers } };
    try {
      const producer = await this.#producer;
      await producer.send({
        topic: this.#settings.topic,
        acks: -1,
        timeout: ACKNOWLEDGE_TIMEOUT_MS,
        messages: [record],
      });
    } catch (error) {
      throw this.#explained(error);
    }
    return CONFIRMED;
  }

  close(): void {
    this.#producer?.then((producer) => producer.disconnect()).catch(() => {});
    this.#producer = null;
  }

  async #connect(): Promise<Producer> {
    const [{ Kafka, logLevel, Partitioners }] = await Promise.all([
      import('kafkajs'),
      import('../../events/kafkajs-queue.ts'),
    ]);
    const { brokers, mechanism, username, password } = this.#settings;
    const { guard, ca } = this.#context;
    const client = new Kafka({
      clientId: 'touchline',
      brokers,
      ...(username !== null && { sasl: { mechanism, username, password: password ?? '' } as never }),
      socketFactory: ({ host, port, onConnect }) => {
        const socket = openSocket(guard, endpoint({ host, port }, this.#settings), ca);
        socket.once(this.#settings.tls ? 'secureConnect' : 'connect', onConnect);
        socket.on('error', (error) => {
          this.#socketError = error;
        });
        return socket;
      },
      connectionTimeout: CONNECT_TIMEOUT_MS,
      authenticationTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: ACKNOWLEDGE_TIMEOUT_MS,
      // A failed attempt is retried on the schedule of deliveries. Here, only the next broker of the list is tried.
      retry: { retries: brokers.length - 1, initialRetryTime: 50, maxRetryTime: 200 },
      logLevel: logLevel.NOTHING,
    });
    const producer = client.producer({
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
      retry: { retries: 0 },
    });
    await producer.connect();
    return producer;
  }

  /** Returns the error that says most: the broker's answer, or else what the socket met. */
  #explained(error: unknown): unknown {
    for (let cause: unknown = error; cause !== undefined && cause !== null; cause = readMember(cause, 'cause')) {
      const name = readMember(cause, 'name');
      const type = readMember(cause, 'type');
      if (name === 'KafkaJSSASLAuthenticationError')
        return new Refused('the user name or the password is wrong', false);
      if (typeof type === 'string' && /^[A-Z0-9_]{1,60}$/.test(type)) return brokerError(type);
    }
    return this.#socketError ?? error;
  }
}

/** Errors after which the metadata of the topic have to be read again, on a new connection. */
const STALE = new Set([
  'UNKNOWN_TOPIC_OR_PARTITION',
  'NOT_LEADER_FOR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'UNKNOWN_TOPIC_ID',
]);
const TEXTS: Readonly<Record<string, string>> = {
  UNKNOWN_TOPIC_OR_PARTITION: 'the topic does not exist',
  TOPIC_AUTHORIZATION_FAILED: 'the user may not write to the topic',
  MESSAGE_TOO_LARGE: 'the event is larger than the topic allows',
};

const brokerError = (type: string) => new Refused(TEXTS[type] ?? `Kafka answered ${type}`, !STALE.has(type));
