/**
 * Connection settings for a broker, including TLS and authentication. Translates a broker's refusals into messages for
 * operators.
 */
import { readFileSync } from 'node:fs';
import net from 'node:net';
import tls from 'node:tls';
import type { KafkaAccess } from '../config/kafka.ts';
import { tlsError } from '../runtime/tls-error.ts';
import { errorMessage, readErrorCode } from '../runtime/unknown-values.ts';

/**
 * Thrown if the broker refuses us, or if our check on the broker fails. A retry gives the same result until an operator
 * changes a setting.
 */
export class KafkaRefused extends Error {
  /** Pause before a retry, since brokers log each refusal, and some lock out clients that are refused too often. */
  readonly retryMs = 5_000;
}

/** Thrown if the topic holds events of another installation. Reading or writing on would mix the events of the two. */
export class ForeignTopic extends KafkaRefused {
  constructor(topic: string, installation: string) {
    super(
      `the Kafka topic ${topic} holds events of another installation (${installation}): set KAFKA_TOPIC to a topic that no other installation uses`,
    );
  }
}

// ---- sockets

type Connect = (host: string, port: number, onConnect: () => void) => net.Socket;

/** Reads a file that may be renewed while the process runs. @throws {KafkaRefused} */
function read(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new KafkaRefused(`${variable}: cannot read ${path} (${readErrorCode(error)})`);
  }
}

/**
 * Creates sockets with the given TLS settings. The files are read once, in this call.
 * @throws {KafkaRefused} if a file is missing or damaged
 */
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
    // Only a host name can be sent to the server (SNI). The certificate is verified against a host name or an address.
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

/**
 * Returns the kafkajs option for authentication. Undefined if none is configured.
 * @throws {KafkaRefused} if the file with the user or the password is missing
 */
export function saslOptions(access: KafkaAccess, authenticators: Authenticators): object | undefined {
  const { kafkaSasl: mechanism, kafkaUsername, kafkaUsernameFile, kafkaPassword, kafkaPasswordFile } = access;
  if (mechanism === undefined) return undefined;
  if (mechanism === 'oauthbearer')
    return { mechanism, authenticationProvider: told('the token of KAFKA_TOKEN_FILE', bearer(access.kafkaTokenFile!)) };
  const current = (variable: string, value: string | undefined, file: string | undefined) =>
    file === undefined ? value : read(variable, file).trim();
  const username = current('KAFKA_USERNAME_FILE', kafkaUsername, kafkaUsernameFile);
  const password = current('KAFKA_PASSWORD_FILE', kafkaPassword, kafkaPasswordFile);
  const authentication = authenticators[mechanism]({ username, password });
  return { mechanism, authenticationProvider: told('KAFKA_USERNAME or its password', authentication) };
}

/**
 * Wraps an authentication to keep the broker's reply, because kafkajs reports a failed authentication even if the
 * broker is only stopping.
 * @param secret what the error message names as refused
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

/** In RFC 7628, \x01 separates the parts. Sent alone, it acknowledges a refusal. */
const SEPARATOR = '\x01';

/**
 * Authenticates with a token. We do this ourselves because kafkajs does not read the reply, and so takes a refusal for
 * success.
 */
const bearer =
  (tokenFile: string): Authentication =>
  ({ saslAuthenticate }) => ({
    async authenticate() {
      const say = (text: string) =>
        saslAuthenticate({ request: { encode: async () => lengthPrefixed(text) }, response: ANSWER });
      const token = read('KAFKA_TOKEN_FILE', tokenFile).trim();
      const refusal = await say(`n,,${SEPARATOR}auth=Bearer ${token}${SEPARATOR}${SEPARATOR}`);
      if (refusal.length === 0) return;
      // The broker sends the error as the reply to this.
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
  /** One error for each topic that could not be created. */
  errors?: unknown[];
  /** One error for each partition with records that could not be deleted. */
  partitions?: { error: unknown }[];
}

/** Yields an error and the errors inside it. kafkajs wraps errors from retried requests, and errors about topics or partitions. */
function* chain(error: unknown): Generator<Error> {
  if (!(error instanceof Error)) return;
  const { cause, errors = [], partitions = [] } = error as Wrapping;
  yield error;
  for (const inner of [cause, ...errors, ...partitions.map((one) => one.error)]) yield* chain(inner);
}

/**
 * Turns a refusal that kafkajs reports into a message for operators. Returns any other error unchanged.
 * @param action what was requested on the topic
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
  if (type === 'ILLEGAL_SASL_STATE') return 'the broker does not authenticate users here: unset KAFKA_SASL';
  return null;
}

/**
 * Adds a hint to an error if the broker closed the connection silently. A broker does this when it receives an
 * unexpected protocol, but also when it is stopping.
 * @returns the given error if there is no hint
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
