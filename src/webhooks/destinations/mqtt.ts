/**
 * A broker for MQTT 5. Each event is published under `<prefix>/<sport>/<tournament id>/<match id>/<event type>`, and the
 * state of the match is retained. Home Assistant shows a sensor for each match, or for each team that the subscription
 * names, because of the retained messages of MQTT discovery.
 */
import { randomBytes } from 'node:crypto';
import type { IClientPublishOptions, MqttClient } from 'mqtt';
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
import { discoveryMessages, type Published, readData, stateMessages } from './mqtt-topics.ts';

/** Ports on which brokers usually listen with TLS. Others need an entry in WEBHOOK_ALLOW. */
export const MQTT_PORTS = [8883, 8884, 8886];
/** A broker may close the connection after each message. Each message is then sent on a new connection. */
const TRIES = 3;
const KEEP_ALIVE_S = 30;

const settings = z.strictObject({
  kind: z.literal('mqtt'),
  broker: brokerAddress.meta({ description: 'As `host:port`' }),
  prefix: z
    .string()
    .max(64)
    .regex(/^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*$/, 'must be a topic of letters, digits, _, - and /')
    .default('touchline')
    .meta({ description: 'The first part of every topic' }),
  home_assistant: z.boolean().default(true).meta({ description: 'Whether to publish sensors for Home Assistant' }),
  ...credentials,
});
export type MqttSettings = z.output<typeof settings>;

const endpoint = ({ broker, tls }: Pick<MqttSettings, 'broker' | 'tls'>) => ({
  ...parseBroker(broker),
  secure: tls,
  ports: MQTT_PORTS,
});

export const mqtt = {
  ...brokerKind,
  settings,
  receiver: ({ broker, tls }) => `${tls} ${broker}`,
  address: ({ broker, prefix }) => `mqtt://${broker}/${prefix}`,
  check: (wanted, guard) => checkEndpoint(guard, endpoint(wanted)),
  open: (wanted, context) => new MqttConnection(wanted, context),
} satisfies DestinationKind<MqttSettings>;

class MqttConnection implements Connection {
  readonly #settings: MqttSettings;
  readonly #context: ConnectionContext;
  #client: Promise<OpenClient> | null = null;
  /** Matches and teams whose sensors this connection has published. */
  readonly #announced = new Set<string>();

  constructor(wanted: MqttSettings, context: ConnectionContext) {
    this.#settings = wanted;
    this.#context = context;
  }

  async send(message: Message) {
    const { prefix, home_assistant: withSensors } = this.#settings;
    const { participantIds, subscriptionId } = this.#context;
    const data = readData(message);
    const published = stateMessages(message, data, { prefix, participantIds });
    const sensors = withSensors ? discoveryMessages(data, { prefix, participantIds, subscriptionId }) : [];
    for (const one of published) await this.#publish(one);
    for (const one of sensors) {
      if (this.#announced.has(one.topic)) continue;
      // Events of other matches of the team may be in flight.
      this.#announced.add(one.topic);
      try {
        await this.#publish(one);
      } catch (error) {
        this.#announced.delete(one.topic);
        throw error;
      }
    }
    return CONFIRMED;
  }

  close(): void {
    this.#client?.then((client) => client.end()).catch(() => {});
    this.#client = null;
  }

  async #publish(message: Published): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      this.#client ??= this.#connect();
      const opening = this.#client;
      try {
        const client = await opening;
        await client.publish(message);
        return;
      } catch (error) {
        if (error instanceof Refused) throw error;
        if (this.#client === opening) this.close();
        if (tries >= TRIES) throw error;
      }
    }
  }

  async #connect(): Promise<OpenClient> {
    const { default: library } = await import('mqtt');
    const { username, password } = this.#settings;
    const { guard, ca } = this.#context;
    const client = new library.MqttClient(() => openSocket(guard, endpoint(this.#settings), ca), {
      protocolVersion: 5,
      // Random, since a broker ends an older connection with the same id, such as the dispatcher's when a test event is sent.
      clientId: `touchline-${randomBytes(8).toString('hex')}`,
      clean: true,
      keepalive: KEEP_ALIVE_S,
      connectTimeout: ATTEMPT_TIMEOUT_MS,
      reconnectPeriod: 0,
      ...(username !== null && { username, password: password ?? '' }),
    });
    return OpenClient.of(client);
  }
}

const WRONG_USER = 'the user name or the password is wrong';
/** The codes with which a broker refuses a connection or a message. MQTT 5, section 2.4. */
const CONNECTION_REFUSALS: Readonly<Record<number, string>> = { 134: WRONG_USER, 135: WRONG_USER };
const MESSAGE_REFUSALS: Readonly<Record<number, string>> = {
  135: 'the user may not publish to the topic',
  144: 'the broker does not accept the topic',
  149: 'the event is larger than the broker allows',
};

/** A client that is connected. It does not connect again. */
class OpenClient {
  readonly #client: MqttClient;
  /** Rejects when the connection has ended. */
  readonly #ended: Promise<never>;

  private constructor(client: MqttClient, ended: Promise<never>) {
    this.#client = client;
    this.#ended = ended;
  }

  /** Resolves when the broker has accepted the connection. @throws {Refused} if it has not */
  static async of(client: MqttClient): Promise<OpenClient> {
    const ended = new Promise<never>((_, reject) => {
      client.on('error', (error) => reject(explained(error, false)));
      client.on('close', () => reject(new Error('closed')));
    });
    ended.catch(() => {});
    const connected = new Promise<void>((resolve) => client.once('connect', () => resolve()));
    try {
      await Promise.race([connected, ended]);
    } catch (error) {
      client.end(true);
      throw error;
    }
    return new OpenClient(client, ended);
  }

  async publish({ topic, payload, ...options }: Published): Promise<void> {
    const sent = this.#client.publishAsync(topic, payload, { qos: 1, ...options } as IClientPublishOptions);
    sent.catch(() => {});
    try {
      await Promise.race([sent, this.#ended]);
    } catch (error) {
      throw explained(error, true);
    }
  }

  end(): void {
    this.#client.end(true);
  }
}

function explained(error: unknown, keepsConnection: boolean): unknown {
  const code = readMember(error, 'code');
  if (typeof code !== 'number') return error;
  const texts = keepsConnection ? MESSAGE_REFUSALS : CONNECTION_REFUSALS;
  return new Refused(texts[code] ?? `MQTT answered ${code}`, keepsConnection);
}
