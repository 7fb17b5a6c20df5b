/** Environment variables that every process reads. Variables for a single role are in the config.ts of a feature. */
import { z } from 'zod';
import { kafkaAccessVariables } from './kafka.ts';
import { isNetwork } from './network.ts';
import { certificateFile } from './pem.ts';
import { postgresUrl } from './postgres-url.ts';
import { tracingVariables } from './tracing.ts';
import { flag, httpUrl, list, port, seconds, type Variables } from './variable.ts';

/** For both `SECRET_KEY` and `FEED_TOKEN`. */
const SECRET_MIN_LENGTH = 16;

export const commonVariables = {
  port: {
    name: 'PORT',
    schema: port.default(8080),
    meaning: 'REST, streams, pages and the feed; 0 takes a free port and prints it',
  },
  host: {
    name: 'HOST',
    schema: z.string().min(1).default('127.0.0.1'),
    unset: '127.0.0.1; 0.0.0.0 in the image',
    meaning: 'the address that both ports listen on',
  },
  adminPort: {
    name: 'ADMIN_PORT',
    schema: port.default(9090),
    meaning: '`/livez`, `/readyz` and `/metrics`; 0 takes a free port and prints it',
  },
  baseUrl: {
    name: 'BASE_URL',
    schema: httpUrl.optional(),
    unset: 'from the request, on loopback',
    meaning: 'the public address, for links',
  },
  allowedHosts: {
    name: 'ALLOWED_HOSTS',
    schema: list.default([]),
    unset: 'loopback',
    meaning: "hosts that are served besides `BASE_URL`'s, separated by commas",
  },
  trustedProxies: {
    name: 'TRUSTED_PROXIES',
    schema: list
      .refine((entries) => entries.every(isNetwork), 'must be IP addresses or networks like 10.0.0.0/8')
      .default([]),
    meaning: 'addresses and networks of proxies whose `X-Forwarded-*` headers are trusted, separated by commas',
  },
  dataDir: {
    name: 'DATA_DIR',
    schema: z.string().min(1).default('.data'),
    unset: '`.data`',
    meaning: 'the folder for the embedded stores and generated secrets',
  },
  /** If unset, the embedded Postgres is used. */
  databaseUrl: {
    name: 'DATABASE_URL',
    schema: postgresUrl.optional(),
    unset: 'an embedded Postgres',
    meaning: 'the Postgres address, with [`sslmode` and `sslrootcert`](#postgres)',
  },
  /** The `_FILE` form of the variable above, read a second time to keep the path, not the content. */
  databaseUrlFile: {
    name: 'DATABASE_URL_FILE',
    schema: z.string().optional(),
    meaning:
      'a file with the Postgres address; [its user and password](#passwords-that-change) are read again for each connection',
  },
  /** If unset, all reads use the primary. */
  databaseReadUrl: {
    name: 'DATABASE_READ_URL',
    schema: postgresUrl.optional(),
    unset: 'all reads use `DATABASE_URL`',
    meaning: 'the address of [read replicas](replicas.md) of `DATABASE_URL`',
  },
  databaseReadUrlFile: {
    name: 'DATABASE_READ_URL_FILE',
    schema: z.string().optional(),
    meaning: 'the same for `DATABASE_READ_URL`',
  },
  databaseConnections: {
    name: 'DATABASE_CONNECTIONS',
    schema: z.coerce.number<string>().int().min(5).max(1_000).optional(),
    unset: '5 to 20, [by the role](roles.md)',
    meaning:
      "maximum number of Postgres connections in a process's pool; a process may have two more, and with `api` five",
  },
  clickhouseUrl: {
    name: 'CLICKHOUSE_URL',
    schema: httpUrl.optional(),
    unset: 'an embedded ClickHouse',
    meaning: 'the ClickHouse address',
  },
  /** The `_FILE` form of the variable above, read a second time to keep the path, not the content. */
  clickhouseUrlFile: {
    name: 'CLICKHOUSE_URL_FILE',
    schema: z.string().optional(),
    meaning: 'a file with the ClickHouse address; its user and password are read again for each request',
  },
  clickhouseCaFile: {
    name: 'CLICKHOUSE_CA_FILE',
    schema: certificateFile.optional(),
    unset: 'the public certificate authorities',
    meaning: 'a PEM file with the certificate authorities for a ClickHouse at `https://`; read again for each request',
  },
  /** Limit for each query. */
  clickhouseQueryMemoryMb: {
    name: 'CLICKHOUSE_QUERY_MEMORY_MB',
    schema: z.coerce.number<string>().int().min(16).max(1_048_576).default(256),
    meaning: 'maximum memory of one ClickHouse query, in MB',
  },
  /** Broker addresses as host:port. If empty, the event log is a table in Postgres. */
  kafkaBrokers: {
    name: 'KAFKA_BROKERS',
    schema: list
      .refine(
        (brokers) => brokers.every((broker) => /^[^\s:]+:\d+$/.test(broker)),
        'must be host:port, separated by commas',
      )
      .default([]),
    unset: 'a table in Postgres',
    meaning: '`host:port` of each Kafka broker for the event log, separated by commas',
  },
  kafkaTopic: {
    name: 'KAFKA_TOPIC',
    schema: z
      .string()
      .regex(/^[a-zA-Z0-9._-]{1,249}$/, 'must be the name of a Kafka topic: letters, digits, dot, dash, underscore')
      .refine((name) => name !== '.' && name !== '..', 'must be the name of a Kafka topic')
      .optional(),
    unset: 'a separate name for each installation, which Postgres keeps',
    meaning: "the event log's topic; [several installations](#several-installations-on-one-kafka) need one each",
  },
  ...kafkaAccessVariables,
  /** The first key signs and encrypts. All keys verify and decrypt. */
  secretKeys: {
    name: 'SECRET_KEY',
    schema: list
      .refine(
        (keys) => keys.every((key) => key.length >= SECRET_MIN_LENGTH),
        `each key needs at least ${SECRET_MIN_LENGTH} characters`,
      )
      .default([]),
    unset: 'generated once into `DATA_DIR` with an embedded Postgres',
    meaning:
      'encrypts stored secrets and signs cookies; at least 16 characters, several separated by commas [while it is rotated](#rotate-secret_key)',
  },
  feedToken: {
    name: 'FEED_TOKEN',
    schema: z.string().min(SECRET_MIN_LENGTH, `needs at least ${SECRET_MIN_LENGTH} characters`).optional(),
    unset: 'generated once into `DATA_DIR` with an embedded Postgres',
    meaning: 'lets a provider write to the feed; at least 16 characters',
  },
  demo: {
    name: 'DEMO',
    schema: flag.default(false),
    unset: '0; 1 under `make run`',
    meaning: '1 plays the recorded matches',
  },
  publicSite: {
    name: 'PUBLIC_SITE',
    schema: flag.optional(),
    unset: '1 if `HOST` is a loopback address, else 0',
    meaning:
      '1 also shows the pages of matches, teams and players to visitors who are not signed in; members always see them',
  },
  strict: {
    name: 'STRICT',
    schema: flag.default(false),
    meaning:
      '1 refuses to start on a Kafka topic whose settings may lose events, and to send a Kafka password or token in plain text',
  },
  /** Time for which a stopping process continues to serve, until no proxy routes requests to it. */
  drainDelayMs: {
    name: 'DRAIN_DELAY_SECONDS',
    schema: seconds.default(10_000),
    unset: '10',
    meaning: 'time for which a stopping process continues to serve, until no proxy routes requests to it',
  },
  /** After the drain delay, the process asks its streams to reconnect, spread over this time. */
  drainSpreadMs: {
    name: 'DRAIN_SPREAD_SECONDS',
    schema: seconds.default(45_000),
    unset: '45',
    meaning: 'time over which a stopping process asks streams to reconnect, after that delay',
  },
  logLevel: {
    name: 'LOG_LEVEL',
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
    unset: 'info; warn under `make run`',
    meaning:
      'the lowest level that is logged, as JSON lines on standard error: `trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`; lines below `warn` are written every tenth of a second',
  },
  ...tracingVariables,
} satisfies Variables;
