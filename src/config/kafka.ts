/** How the service connects to Kafka: with or without TLS, and as which user. */
import { z } from 'zod';
import { certificateError, certificateFile, isPair, keyError, keyFile, secretFile } from './pem.ts';
import { type ConfigOf, flag, type Variables } from './variable.ts';

export const KAFKA_MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer'] as const;

export const kafkaAccessVariables = {
  kafkaTls: {
    name: 'KAFKA_TLS',
    schema: flag.default(false),
    meaning: '1 connects to Kafka with TLS, and checks broker certificates and names',
  },
  kafkaCaFile: {
    name: 'KAFKA_CA_FILE',
    schema: certificateFile.optional(),
    unset: 'the public certificate authorities',
    meaning: 'a PEM file with the certificate authorities for the brokers; read again for each connection',
  },
  kafkaCertFile: {
    name: 'KAFKA_CERT_FILE',
    schema: certificateFile.optional(),
    meaning: 'a PEM file with the client certificate for brokers that require one; read again for each connection',
  },
  kafkaKeyFile: {
    name: 'KAFKA_KEY_FILE',
    schema: keyFile.optional(),
    meaning: 'a PEM file with the private key for `KAFKA_CERT_FILE`, without a passphrase',
  },
  kafkaSasl: {
    name: 'KAFKA_SASL',
    schema: z.enum(KAFKA_MECHANISMS).optional(),
    unset: 'no SASL authentication',
    meaning: `how to authenticate to Kafka: ${KAFKA_MECHANISMS.map((one) => `\`${one}\``).join(', ')}`,
  },
  kafkaUsername: {
    name: 'KAFKA_USERNAME',
    schema: z.string().optional(),
    meaning: 'the user for `plain` and `scram-…`',
  },
  /** The `_FILE` form of the variable above, read a second time to keep the path, not the content. */
  kafkaUsernameFile: {
    name: 'KAFKA_USERNAME_FILE',
    schema: z.string().optional(),
    meaning: 'a file with the user; it is read again for each connection',
  },
  kafkaPassword: {
    name: 'KAFKA_PASSWORD',
    schema: z.string().optional(),
    meaning: 'the password for `KAFKA_USERNAME`',
  },
  /** The `_FILE` form of the variable above, read a second time to keep the path, not the content. */
  kafkaPasswordFile: {
    name: 'KAFKA_PASSWORD_FILE',
    schema: z.string().optional(),
    meaning: 'a file with the password; it is read again for each connection, so it can change without a restart',
  },
  kafkaTokenFile: {
    name: 'KAFKA_TOKEN_FILE',
    schema: secretFile.optional(),
    meaning: 'a file with the token for `oauthbearer`; it is read again for each authentication',
  },
  kafkaRack: {
    name: 'KAFKA_RACK',
    schema: z.string().optional(),
    meaning:
      'the zone of this process, as `broker.rack` names it; new events are then fetched from a replica in the same zone',
  },
} satisfies Variables;

/** If none is set, Kafka is used without TLS and without authentication. */
export type KafkaAccess = Partial<ConfigOf<typeof kafkaAccessVariables>>;

/** Checks that involve several variables. @param texts environment values by variable */
export function kafkaErrors(texts: ReadonlyMap<string, string>): string[] {
  const faults: string[] = [];
  const isOn = (name: string) => ['1', 'true'].includes(texts.get(name) ?? '');
  const given = (name: string) => texts.has(name);
  const names = Object.values(kafkaAccessVariables).map(({ name }) => name);
  const used = [...names, 'KAFKA_TOPIC'].filter((name) => given(name) && (name !== 'KAFKA_TLS' || isOn(name)));
  if (used.length > 0 && !given('KAFKA_BROKERS')) return [`${used.join(', ')}: needs KAFKA_BROKERS`];

  if (!isOn('KAFKA_TLS')) {
    for (const name of ['KAFKA_CA_FILE', 'KAFKA_CERT_FILE', 'KAFKA_KEY_FILE']) {
      if (given(name)) faults.push(`${name}: needs KAFKA_TLS=1`);
    }
  }
  const [cert, key] = [texts.get('KAFKA_CERT_FILE'), texts.get('KAFKA_KEY_FILE')];
  if (cert !== undefined && key === undefined) faults.push('KAFKA_CERT_FILE: needs KAFKA_KEY_FILE');
  if (cert === undefined && key !== undefined) faults.push('KAFKA_KEY_FILE: needs KAFKA_CERT_FILE');
  if (cert !== undefined && key !== undefined && certificateError(cert) === null && keyError(key) === null) {
    if (!isPair(cert, key)) faults.push('KAFKA_KEY_FILE: is not the key of the certificate in KAFKA_CERT_FILE');
  }
  return [...faults, ...saslErrors(texts, isOn('KAFKA_TLS'), isOn('STRICT'))];
}

function saslErrors(texts: ReadonlyMap<string, string>, isTls: boolean, isStrict: boolean): string[] {
  const mechanism = texts.get('KAFKA_SASL');
  const needed = mechanism === 'oauthbearer' ? ['KAFKA_TOKEN_FILE'] : ['KAFKA_USERNAME', 'KAFKA_PASSWORD'];
  const all = ['KAFKA_USERNAME', 'KAFKA_PASSWORD', 'KAFKA_TOKEN_FILE'];
  if (mechanism === undefined) return all.filter((name) => texts.has(name)).map((name) => `${name}: needs KAFKA_SASL`);
  if (!(KAFKA_MECHANISMS as readonly string[]).includes(mechanism)) return [];
  // A variable is missing if it is empty or absent. A file that cannot be read is reported elsewhere.
  const lacks = (name: string) => (texts.has(name) ? texts.get(name) === '' : !texts.has(`${name}_FILE`));
  const faults = needed.filter(lacks).map((name) => `${name}: required with KAFKA_SASL=${mechanism}`);
  for (const name of all) {
    if (texts.has(name) && !needed.includes(name)) faults.push(`${name}: is not used with KAFKA_SASL=${mechanism}`);
  }
  if (isStrict && !isTls && isReadable(mechanism))
    faults.push(`KAFKA_SASL: ${mechanism} without KAFKA_TLS=1 sends the secret unencrypted, which STRICT=1 refuses`);
  return faults;
}

/** Whether the mechanism sends the secret in a form that anybody who listens on the network can read. */
export const isReadable = (mechanism: string | undefined) => mechanism === 'plain' || mechanism === 'oauthbearer';
