/** Connection settings for a broker, with TLS, authentication, and readable messages for what it refuses. */
import { readFileSync } from 'node:fs';
import net from 'node:net';
import tls from 'node:tls';
import type { KafkaAccess } from '../config/kafka.ts';
import { tlsError } from '../runtime/tls-error.ts';
import { errorMessage, readErrorCode } from '../runtime/unknown-values.ts';

/** Refused by the broker, or by our check on it. A retry gives the same result until an operator changes a setting. */
export class KafkaRefused extends Error {
  /** Pause before a retry, since brokers log each refusal, and some lock out clients that are refused too often. */
  readonly retryMs = 5_000;
}

/** The topic holds events from a different installation, so that reading or writing on would mix the two. */
export class ForeignTopic extends KafkaRefused {
  constructor(topic: string, installation: string) {
    super(
      `the Kafka topic ${topic} holds events of another installation (${installation}): set KAFKA_TOPIC to a topic that no other installation uses`,
    );
  }
}

// ---- sockets

type Connect = (host: string, port: number, onConnect: () => void) => net.Socket;

/** @returns the text in a file that is renewed while the process runs. @throws {KafkaRefused} */
function read(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new KafkaRefused(`${variable}: cannot read ${path} (${readErrorCode(error)})`);
  }
}

/** Files are read once, now. @throws {KafkaRefused} where a file is gone or damaged */
export function createSocketFactory({ kafkaTls, kafkaCaFile, kafkaCertFile, kafkaKeyFile }: KafkaAccess): Connect {
  if (!kafkaTls) return (host, port, onConnect) => net.connect({ host, port }, onConnect);
  const files = {
    ...(kafkaCaFile !== undefined && { ca: read('KAFKA_CA_FILE', kafkaCaFile) }),
    ...(kafkaCertFile !== undefined && { cert: read('KAFKA_CERT_FILE', kafkaCertFile) }),
    ...(kafkaKeyFile !== undefined && { key: read('KAFKA_KEY_FILE', kafkaKeyFile) }),
  };
  let secureContext: tls.SecureContext;
  try {
    secureContext = tls.createSecureContext(files);
  } catch (error) {
    throw new KafkaRefused(`the files of KAFKA_TLS cannot be used: ${errorMessage(error)}`);
  }
  return (host, port, onConnect) =>
    // A host name is sent (SNI) and verified, while an address is only verified.
    tls.connect({ host, port, secureContext, ...(net.isIP(host) === 0 && { servername: host }) }, onConnect);
}

// ---- authentication

interface Exchange {
  saslAuthenticate(message: { request: object; response: object }): Promise<Buffer>;
}
type Authentication = (exchange: Exchange) => { authenticate(): Promise<void> };
/** The kafkajs authenticators, by mechanism. */
export type Authenticators = Readonly<
  Record<Exclude<NonNullable<KafkaAccess['kafkaSasl']>, 'oauthbearer'>, (user: object) => Authentication>
>;

/** The kafkajs option. Undefined if brokers do not ask. @throws {KafkaRefused} where the password file is gone */
export function saslOptions(access: KafkaAccess, authenticators: Authenticators): object | undefined {
  const { kafkaSasl: mechanism, kafkaUsername: username, kafkaPassword, kafkaPasswordFile, kafkaTokenFile } = access;
  if (mechanism === undefined) return undefined;
  if (mechanism === 'oauthbearer')
    return { mechanism, authenticationProvider: told('the token of KAFKA_TOKEN_FILE', bearer(kafkaTokenFile!)) };
  const password =
    kafkaPasswordFile === undefined ? kafkaPassword : read('KAFKA_PASSWORD_FILE', kafkaPasswordFile).trim();
  const authentication = authenticators[mechanism]({ username, password });
  return { mechanism, authenticationProvider: told('KAFKA_USERNAME or its password', authentication) };
}

/**
 * kafkajs reports a failed authentication even if the broker is stopping, so the broker's message is kept. @param
 * secret for the message
 */
const told =
  (secret: string, authentication: Authentication): Authentication =>
  ({ saslAuthenticate, ...rest }) => ({
    async authenticate() {
      let answer: (Error & { type?: string }) | undefined;
      const exchange: Exchange = {
        ...rest,
        saslAuthenticate: (message) =>
          saslAuthenticate(message).catch((error) => {
            answer = error;
            throw error;
          }),
      };
      try {
        await authentication(exchange).authenticate();
      } catch (error) {
        if (error instanceof KafkaRefused) throw error;
        if (answer === undefined) throw new KafkaRefused(errorMessage(error), { cause: error });
        if (answer.type !== 'SASL_AUTHENTICATION_FAILED') throw answer;
        throw new KafkaRefused(`the broker does not accept ${secret}: ${answer.message}`, { cause: error });
      }
    },
  });

/** RFC 7628, in which \x01 separates the parts, and alone acknowledges a refusal. */
const SEPARATOR = '\x01';

/** kafkajs would treat a refusal as success, because it reads no reply. */
const bearer =
  (tokenFile: string): Authentication =>
  ({ saslAuthenticate }) => ({
    async authenticate() {
      const say = (text: string) =>
        saslAuthenticate({ request: { encode: async () => lengthPrefixed(text) }, response: ANSWER });
      const token = read('KAFKA_TOKEN_FILE', tokenFile).trim();
      const refusal = await say(`n,,${SEPARATOR}auth=Bearer ${token}${SEPARATOR}${SEPARATOR}`);
      if (refusal.length === 0) return;
      // The broker replies to this with the error.
      await say(SEPARATOR);
      throw new Error(`the broker refuses the token: ${refusal}`);
    },
  });

const lengthPrefixed = (text: string) => {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};
const ANSWER = {
  decode: async (bytes: Buffer) => bytes.subarray(4),
  parse: async (bytes: Buffer) => bytes,
};

// ---- refusals

interface Wrapping extends Error {
  /** Errors for topics that could not be created. */
  errors?: unknown[];
  /** Errors for partitions whose records could not be deleted. */
  partitions?: { error: unknown }[];
}

/** kafkajs wraps errors from retried requests, and errors about a topic or a partition. */
function* chain(error: unknown): Generator<Error> {
  if (!(error instanceof Error)) return;
  const { cause, errors = [], partitions = [] } = error as Wrapping;
  yield error;
  for (const inner of [cause, ...errors, ...partitions.map((one) => one.error)]) yield* chain(inner);
}

/**
 * Translates a refusal reported by kafkajs for an operator. Returns any different error unchanged.
 * @param action the requested operation on the topic
 */
export function explained(error: unknown, access: KafkaAccess, action: string): unknown {
  for (const one of chain(error)) {
    if (one instanceof KafkaRefused) return one;
    const text = describeRefusal(one, access, action);
    if (text !== null) return new KafkaRefused(text, { cause: error });
  }
  return error;
}

function describeRefusal(error: Error & { type?: string }, access: KafkaAccess, action: string): string | null {
  const fault = tlsError('the broker', error, access.kafkaCertFile !== undefined);
  if (fault !== null) return fault;
  const { type = '' } = error;
  if (type.endsWith('AUTHORIZATION_FAILED')) return `the broker does not allow us to ${action} (${type})`;
  if (type === 'UNSUPPORTED_SASL_MECHANISM') return `the broker does not offer KAFKA_SASL=${access.kafkaSasl} here`;
  if (type === 'ILLEGAL_SASL_STATE') return 'the broker asks for no user here: KAFKA_SASL has no use';
  return null;
}

/**
 * A broker that receives an unexpected protocol closes the connection silently, and so does one that is stopping.
 * @returns an error with a hint; the given error if there is none
 */
export function hinted(error: unknown, { kafkaTls, kafkaSasl }: KafkaAccess): unknown {
  if (error instanceof KafkaRefused) return error;
  const messages = [...chain(error)].map(({ message }) => message);
  const wanted: string[] = [];
  if (messages.some((text) => /disconnected before secure TLS/.test(text))) wanted.push('no KAFKA_TLS');
  else if (messages.some((text) => /^Closed connection/.test(text))) {
    if (!kafkaTls) wanted.push('KAFKA_TLS=1');
    if (kafkaSasl === undefined) wanted.push('KAFKA_SASL');
  }
  if (wanted.length === 0) return error;
  const question = `does this listener want ${wanted.join(' or ')}?`;
  return new Error(`the broker closed the connection without an answer; ${question}`, { cause: error });
}
