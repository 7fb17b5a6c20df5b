/**
 * Validates feed updates. Before the schema is applied, checks what it cannot check, such as excessive size, and text
 * and numbers that cannot be stored.
 */
import type { z } from 'zod';
import { OPERATOR_PROVIDER } from '../identity/precedence.ts';
import { readMember } from '../runtime/unknown-values.ts';
import type { Fault } from '../wire/fault.ts';
import { type FeedUpdate, feedUpdate } from '../wire/feed-update.ts';
import { MAX_ITEMS } from '../wire/feed-values.ts';
import { leaveOutDeadPrices } from './dropped-prices.ts';

/** Maximum nesting. Deeper nesting would exhaust the stack, and no provider needs it. */
export const MAX_DEPTH = 40;
/** Maximum number of values. No valid update has more, and checking more would delay other updates. */
export const MAX_VALUES = 100_000;
export const TOO_MANY_VALUES: Fault = {
  path: '',
  code: 'too_big',
  detail: `one update may have at most ${MAX_VALUES} values`,
};
const RESERVED_PROVIDER: Fault = {
  path: 'provider',
  code: 'reserved_provider',
  detail: `${OPERATOR_PROVIDER} is the provider of corrections by hand (touchline correct): give your feed another name`,
};
/** Maximum number of errors listed for one update. */
const MAX_FAULTS = 100;
const MAX_PATH_LENGTH = 300;

/** Either a valid update, without the prices that were left out, or the validation errors. */
export type ReadUpdate = { update: FeedUpdate; faults: null; leftOut: Fault[] } | { update: null; faults: Fault[] };

/** @returns the update, or its validation errors */
export function readUpdate(value: unknown): ReadUpdate {
  const invalid = invalidPart(value, 0, { values: 0 });
  if (invalid !== null) return { update: null, faults: [withReadablePath(invalid)] };
  const leftOut = leaveOutDeadPrices(value);
  const parsed = feedUpdate.safeParse(value);
  if (parsed.success && parsed.data.provider === OPERATOR_PROVIDER)
    return { update: null, faults: [RESERVED_PROVIDER] };
  if (parsed.success) return { update: parsed.data, faults: null, leftOut };
  const faults: Fault[] = [];
  for (const issue of parsed.error.issues) {
    faults.push(...toFaults(issue, value).map(withReadablePath));
    if (faults.length >= MAX_FAULTS) break;
  }
  return { update: null, faults: faults.slice(0, MAX_FAULTS) };
}

/** Makes a fault's path readable, since its keys come from the provider and can have any length and content. */
const withReadablePath = ({ path, ...rest }: Fault): Fault => ({
  path: path.slice(0, MAX_PATH_LENGTH).toWellFormed().replaceAll('\0', '\uFFFD'),
  ...rest,
});

function toFaults(issue: z.core.$ZodIssue, input: unknown): Fault[] {
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: path === '' ? key : `${path}.${key}`,
      code: 'unknown_field',
      detail: 'is not known here',
    }));
  }
  const missing = issue.code !== 'custom' && issue.path.reduce(readMember, input) === undefined;
  return [
    missing ? { path, code: 'required', detail: 'is required' } : { path, code: issue.code, detail: issue.message },
  ];
}

interface Seen {
  values: number;
}

/**
 * Returns a fault for the first part that cannot be stored. Also replaces −0 by 0, because −0 would always differ from
 * the stored value. The path is relative to `value`, and is built only if there is a fault.
 */
function invalidPart(value: unknown, depth: number, seen: Seen): Fault | null {
  seen.values += 1;
  if (typeof value === 'string') return invalidText(value);
  if (typeof value === 'number') return invalidNumber(value);
  if (typeof value !== 'object' || value === null) return null;
  const tooMuch = invalidSize(value, depth, seen);
  if (tooMuch !== null) return tooMuch;
  const members = value as Record<string, unknown>;
  for (const key of Object.keys(members)) {
    const member = members[key];
    if (Object.is(member, -0)) members[key] = 0;
    const fault = invalidKey(key) ?? invalidPart(member, depth + 1, seen);
    if (fault !== null) return { ...fault, path: fault.path === '' ? key : `${key}.${fault.path}` };
  }
  return null;
}

function invalidSize(value: object, depth: number, seen: Seen): Fault | null {
  if (depth > MAX_DEPTH) return { path: '', code: 'too_deep', detail: `must not be nested deeper than ${MAX_DEPTH}` };
  if (Array.isArray(value) && value.length > MAX_ITEMS)
    return { path: '', code: 'too_big', detail: `must have at most ${MAX_ITEMS} items` };
  return seen.values > MAX_VALUES ? TOO_MANY_VALUES : null;
}

function invalidKey(key: string): Fault | null {
  if (key === '__proto__') return { path: '', code: 'reserved_name', detail: 'must not be used as a name' };
  return invalidText(key);
}

function invalidText(text: string): Fault | null {
  if (text.includes('\0')) return { path: '', code: 'nul', detail: 'must not contain NUL' };
  return text.isWellFormed() ? null : { path: '', code: 'malformed_unicode', detail: 'must be well-formed Unicode' };
}

function invalidNumber(value: number): Fault | null {
  if (!Number.isFinite(value)) return { path: '', code: 'too_big', detail: 'is too large for a number' };
  return Number.isInteger(value) && !Number.isSafeInteger(value)
    ? { path: '', code: 'unsafe_integer', detail: 'is too large for an exact integer; send it as text' }
    : null;
}
