/** What is wrong with a value as a feed update: what no schema sees (text and numbers that cannot be stored), then the schema. */
import type { z } from 'zod';
import type { Fault } from '../wire/fault.ts';
import { type FeedUpdate, feedUpdate } from '../wire/feed-update.ts';

/** Nesting that no provider needs, and that would exhaust the stack further on. */
const MAX_DEPTH = 40;
/** No list of the schema may be longer, and no update that makes sense holds more values; checking more would hold up every other. */
const MAX_ITEMS = 5_000;
const MAX_VALUES = 100_000;
/** Faults named of one update; more say nothing new. */
const MAX_FAULTS = 100;
const MAX_PATH_LENGTH = 300;

/** @returns the update, or its faults */
export function readUpdate(value: unknown): { update: FeedUpdate; faults: null } | { update: null; faults: Fault[] } {
  const unsound = unsoundPart(value, 0, { values: 0 });
  if (unsound !== null) return { update: null, faults: [tidy(unsound)] };
  const parsed = feedUpdate.safeParse(value);
  if (parsed.success) return { update: parsed.data, faults: null };
  const faults: Fault[] = [];
  for (const issue of parsed.error.issues) {
    faults.push(...faultsOf(issue, value).map(tidy));
    if (faults.length >= MAX_FAULTS) break;
  }
  return { update: null, faults: faults.slice(0, MAX_FAULTS) };
}

/** A path can be as long and as odd as the keys that a provider sends; the reply and the store get it readable. */
const tidy = ({ path, ...rest }: Fault): Fault => ({
  path: path.slice(0, MAX_PATH_LENGTH).toWellFormed().replaceAll('\0', '\uFFFD'),
  ...rest,
});

function faultsOf(issue: z.core.$ZodIssue, input: unknown): Fault[] {
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: path === '' ? key : `${path}.${key}`,
      code: 'unknown_field',
      detail: 'is not known here',
    }));
  }
  const missing = issue.code !== 'custom' && valueAt(input, issue.path) === undefined;
  return [
    missing ? { path, code: 'required', detail: 'is required' } : { path, code: issue.code, detail: issue.message },
  ];
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[key] : undefined),
    input,
  );
}

interface Seen {
  values: number;
}

/**
 * The first part that cannot be kept as it is; makes −0 a plain 0 on its way, which would differ from a stored one for ever.
 * Paths are of what is inside `value`, and written for faults alone.
 */
function unsoundPart(value: unknown, depth: number, seen: Seen): Fault | null {
  seen.values += 1;
  if (typeof value === 'string') return unsoundText(value);
  if (typeof value === 'number') return unsoundNumber(value);
  if (typeof value !== 'object' || value === null) return null;
  const tooMuch = unsoundSize(value, depth, seen);
  if (tooMuch !== null) return tooMuch;
  const members = value as Record<string, unknown>;
  for (const key of Object.keys(members)) {
    const member = members[key];
    if (Object.is(member, -0)) members[key] = 0;
    const fault = unsoundKey(key) ?? unsoundPart(member, depth + 1, seen);
    if (fault !== null) return { ...fault, path: fault.path === '' ? key : `${key}.${fault.path}` };
  }
  return null;
}

function unsoundSize(value: object, depth: number, seen: Seen): Fault | null {
  if (depth > MAX_DEPTH) return { path: '', code: 'too_deep', detail: `must not be nested deeper than ${MAX_DEPTH}` };
  if (Array.isArray(value) && value.length > MAX_ITEMS)
    return { path: '', code: 'too_big', detail: `must have at most ${MAX_ITEMS} items` };
  return seen.values > MAX_VALUES
    ? { path: '', code: 'too_big', detail: `one update has at most ${MAX_VALUES} values` }
    : null;
}

function unsoundKey(key: string): Fault | null {
  if (key === '__proto__') return { path: '', code: 'reserved_name', detail: 'is no name for a field' };
  return unsoundText(key);
}

function unsoundText(text: string): Fault | null {
  if (text.includes('\0')) return { path: '', code: 'nul', detail: 'must not contain NUL' };
  return text.isWellFormed() ? null : { path: '', code: 'malformed_unicode', detail: 'must be well-formed Unicode' };
}

function unsoundNumber(value: number): Fault | null {
  if (!Number.isFinite(value)) return { path: '', code: 'too_big', detail: 'is too large for a number' };
  return Number.isInteger(value) && !Number.isSafeInteger(value)
    ? { path: '', code: 'unsafe_integer', detail: 'cannot be told from its neighbours; send it as text' }
    : null;
}
