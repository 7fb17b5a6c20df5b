/** Environment variables: their names, schemas and texts in docs/configuration.md. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

export interface Variable<T = unknown> {
  /** The variable's name. `<name>_FILE` is the path to a file that contains the value. */
  name: string;
  schema: z.ZodType<T, string | undefined>;
  /** Describes the default in the documentation. Not needed if the default is a plain value or `none`. */
  unset?: string;
  meaning: string;
}

/** Variables by configuration property. */
export type Variables = Readonly<Record<string, Variable>>;
export type ConfigOf<V extends Variables> = { [K in keyof V]: z.output<V[K]['schema']> };

export class ConfigError extends Error {
  readonly faults: string[];

  constructor(faults: string[]) {
    super(`configuration: ${faults.join('; ')}`);
    this.faults = faults;
  }
}

export const flag = z.enum(['0', '1', 'true', 'false']).transform((value) => value === '1' || value === 'true');
export const port = z.coerce.number<string>().int().min(0).max(65_535);
/** Converts seconds, at most an hour, to milliseconds. */
export const seconds = z.coerce
  .number<string>()
  .min(0)
  .max(3_600)
  .transform((value) => value * 1_000);
/** `a, b` -> ['a', 'b'] */
export const list = z.string().transform((value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);
export const httpUrl = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ''));

/**
 * Returns the environment's texts by variable. An empty variable counts as unset, because charts and compose files set
 * it to an empty text.
 */
function describeVariables(
  env: Readonly<Record<string, string | undefined>>,
  variables: Variables,
  faults: string[],
): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { name } of Object.values(variables)) {
    if (env[name]) texts.set(name, env[name]);
    const file = env[`${name}_FILE`];
    if (!file) continue;
    if (texts.has(name)) faults.push(`${name}: set either this or ${name}_FILE, not both`);
    try {
      texts.set(name, readFileSync(file, 'utf8').trim());
    } catch {
      faults.push(`${name}_FILE: cannot read ${file}`);
    }
  }
  return texts;
}

/**
 * Reads variables from the environment.
 * @param env process.env, or a test's
 * @param check returns faults that involve several variables
 * @throws {ConfigError} with one entry for each fault
 */
export function readVariables<const V extends Variables>(
  env: Readonly<Record<string, string | undefined>>,
  variables: V,
  check: (texts: ReadonlyMap<string, string>) => string[],
): ConfigOf<V> {
  const faults: string[] = [];
  const texts = describeVariables(env, variables, faults);
  const values: Record<string, unknown> = {};
  for (const [property, { name, schema }] of Object.entries(variables)) {
    const parsed = schema.safeParse(texts.get(name));
    if (parsed.success) values[property] = parsed.data;
    else faults.push(...parsed.error.issues.map(({ path, message }) => `${[name, ...path].join('.')}: ${message}`));
  }
  faults.push(...check(texts));
  if (faults.length > 0) throw new ConfigError(faults);
  return values as ConfigOf<V>;
}
