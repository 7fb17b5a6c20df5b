/** Reads values from replies one by one. A value that does not fit is reported with its path and left out. Pure. */
import type { z } from 'zod';
import type { Unknown } from './provider.ts';

/** Maximum length of a reported value, since a reply may contain anything. */
const MAX_SHOWN = 200;

const isShort = (value: unknown) => typeof value === 'number' || typeof value === 'boolean' || value === null;

/** Shortens a value for a report. */
function shown(value: unknown): unknown {
  if (isShort(value) || value === undefined) return value ?? null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value is an object or a list. */
const hasMembers = (value: unknown): value is Record<PropertyKey, unknown> =>
  typeof value === 'object' && value !== null;

/** Looks up a reply's key in a table. Only the table's own keys count, since the key may be `toString`. */
export const lookUp = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** Quotes a reply's value for a message. The value may be anything. */
export const quote = (value: unknown): string => JSON.stringify(shown(value));

/**
 * Reads a reply as a whole.
 * @returns an error text that names the first fault
 */
export function readWhole<T extends object>(schema: z.ZodType<T>, body: unknown): T | string {
  const { success, data, error } = schema.safeParse(body);
  if (success) return data;
  const [issue] = error.issues;
  return issue ? `${issue.path.join('.')}: ${issue.message}` : error.message;
}

export class Reader {
  readonly unknown: Unknown[] = [];

  /** Reports a value. @param value any part of a reply, or the reason why it is left out */
  report(path: string, value: unknown): void {
    this.unknown.push({ path, value: shown(value) });
  }

  /** @returns undefined if the value is absent or null, or does not fit; a value that does not fit is reported */
  value<T>(schema: z.ZodType<T>, value: unknown, path: string): T | undefined {
    if (value === undefined || value === null) return undefined;
    const read = schema.safeParse(value);
    if (read.success) return read.data;
    this.report(path, value);
    return undefined;
  }

  /** Reads a list item as a whole. @returns undefined if it does not fit; the faulty member is reported */
  item<T>(schema: z.ZodType<T>, item: unknown, path: string): T | undefined {
    const read = schema.safeParse(item);
    if (read.success) return read.data;
    const at = read.error.issues[0]?.path ?? [];
    const value = at.reduce<unknown>((part, key) => (hasMembers(part) ? part[key] : undefined), item);
    const place = at.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
    this.report(`${path}${place}`, value);
    return undefined;
  }
}
