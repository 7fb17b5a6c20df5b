/**
 * Listeners for a test's Kafka with TLS, a client certificate or a user: the broker's configuration, and the clients'
 * access.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KafkaAccess } from '../../src/config/kafka.ts';
import { type Authority, type Certificate, makeAuthority } from './certificates.ts';
import { freePorts } from './free-ports.ts';

/** A user with all rights. */
export const USER = 'touchline';
/** A user whom the broker knows but who has no rights. */
export const STRANGER = 'stranger';
export const PASSWORD = 'a password of tests: %@$=1';
/** How long a session on the listener `short` lasts. */
export const SHORT_SESSION_MS = 2_000;

const NAMES = ['tls', 'mtls', 'sasl', 'short', 'expired', 'bare'] as const;
type Name = (typeof NAMES)[number];
const PROTOCOLS: Partial<Record<Name, string>> = { sasl: 'SASL_SSL', short: 'SASL_SSL', bare: 'SASL_PLAINTEXT' };

export interface KafkaListeners {
  /**
   * Each listener's host:port. They use TLS only; a client certificate; a user; a user with SCRAM-SHA-512 only and
   * two-second sessions; an expired certificate; and a user without TLS.
   */
  brokers: Readonly<Record<Name, string>>;
  authority: Authority;
  /** Access for a client of the listener `tls`. */
  tls: KafkaAccess;
  /** Access for a client of the listener `mtls`. */
  mutual: KafkaAccess;
  /** Access for a client of the listener `sasl`. */
  scram: KafkaAccess;
  /** The same access as environment variables for a process. */
  env: Readonly<Record<string, string>>;
  /**
   * Writes a file with this text into the broker's folder.
   * @returns the path
   */
  file(name: string, text: string): string;
  /**
   * Writes a certificate and its key into the broker's folder, in the form that `ssl.keystore.location` requires.
   * @returns the path
   */
  keyStore(name: string, certificate: Certificate): string;
  /** Lines for server.properties. */
  properties: string[];
  /** Arguments that format the storage, with the users. */
  format: string[];
  /** Entries for `listeners` and for listener.security.protocol.map. */
  listeners: string[];
  protocols: string[];
}

/** Converts a key to PKCS #8, which Java requires. */
const keyStore = ({ key, cert }: Certificate) =>
  `${createPrivateKey(key).export({ type: 'pkcs8', format: 'pem' })}${cert}`;

/** Returns a token for brokers that do not check signatures. */
export function unsecuredToken(user: string, seconds = 3_600): string {
  const now = Math.floor(Date.now() / 1_000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ sub: user, iat: now - 60, exp: now + seconds })}.`;
}

/**
 * @param host an address of this machine
 * @param folder the broker's folder
 */
export async function kafkaListeners(host: string, folder: string): Promise<KafkaListeners> {
  const authority = makeAuthority();
  const filesIn = (name: string) => {
    const own = join(folder, name);
    mkdirSync(own, { recursive: true });
    return (file: string, text: string) => {
      writeFileSync(join(own, file), text, { mode: 0o644 });
      return join(own, file);
    };
  };
  // These files are separate from the clients' files, which tests extend, because the broker reads its files again when it restarts.
  const brokerFile = filesIn('broker-files');
  const file = filesIn('client-files');
  const ca = brokerFile('ca.pem', authority.ca);
  const server = brokerFile('server.pem', keyStore(authority.sign(`IP:${host}`)));
  const over = brokerFile('over.pem', keyStore(authority.sign(`IP:${host}`, 0)));
  const client = authority.sign('DNS:client');
  const users = [`User:ANONYMOUS`, `User:${USER}`, `User:${new X509Certificate(client.cert).subject}`];
  const ports = await freePorts(NAMES.length);
  const brokers = Object.fromEntries(NAMES.map((name, index) => [name, `${host}:${ports[index]}`]));
  const scram = ['SCRAM-SHA-256', 'SCRAM-SHA-512'];
  const module = (name: string, options = '') => `org.apache.kafka.common.security.${name} required${options};`;
  const login: Record<string, string> = {
    plain: module('plain.PlainLoginModule', ` user_${USER}="${PASSWORD}" user_${STRANGER}="${PASSWORD}"`),
    oauthbearer: module('oauthbearer.OAuthBearerLoginModule', ' unsecuredLoginStringClaim_sub="broker"'),
    ...Object.fromEntries(scram.map((one) => [one.toLowerCase(), module('scram.ScramLoginModule')])),
  };
  const logins = (name: Name, mechanisms: string[]) => [
    `listener.name.${name}.sasl.enabled.mechanisms=${mechanisms.join(',').toUpperCase()}`,
    ...mechanisms.map((one) => `listener.name.${name}.${one}.sasl.jaas.config=${login[one]}`),
  ];
  const properties = [
    'ssl.keystore.type=PEM',
    `ssl.keystore.location=${server}`,
    'ssl.allow.dn.changes=true',
    'ssl.truststore.type=PEM',
    `ssl.truststore.location=${ca}`,
    'listener.name.mtls.ssl.client.auth=required',
    'listener.name.expired.ssl.keystore.type=PEM',
    `listener.name.expired.ssl.keystore.location=${over}`,
    ...logins('sasl', Object.keys(login)),
    ...logins('short', ['scram-sha-512']),
    ...logins('bare', ['plain']),
    `listener.name.short.scram-sha-512.connections.max.reauth.ms=${SHORT_SESSION_MS}`,
    'authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    `super.users=${users.join(';')}`,
  ];
  const passwords = scram.flatMap((one) =>
    [USER, STRANGER].map((user) => `${one}=[name=${user},password="${PASSWORD}"]`),
  );
  const tls = { kafkaTls: true, kafkaCaFile: ca };
  return {
    brokers: brokers as Record<Name, string>,
    authority,
    tls,
    mutual: {
      ...tls,
      kafkaCertFile: file('client.pem', client.cert),
      kafkaKeyFile: file('client.key', client.key),
    },
    scram: { ...tls, kafkaSasl: 'scram-sha-256', kafkaUsername: USER, kafkaPassword: PASSWORD },
    env: {
      KAFKA_BROKERS: brokers.sasl!,
      KAFKA_TLS: '1',
      KAFKA_CA_FILE: ca,
      KAFKA_SASL: 'scram-sha-256',
      KAFKA_USERNAME: USER,
      KAFKA_PASSWORD: PASSWORD,
    },
    file,
    keyStore: (name, certificate) => brokerFile(name, keyStore(certificate)),
    properties,
    format: passwords.flatMap((one) => ['--add-scram', one]),
    listeners: NAMES.map((name) => `${name.toUpperCase()}://${brokers[name]}`),
    protocols: NAMES.map((name) => `${name.toUpperCase()}:${PROTOCOLS[name] ?? 'SSL'}`),
  };
}
