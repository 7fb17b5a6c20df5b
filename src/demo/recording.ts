/**
 * Reads recordings. A recording is an NDJSON file of a whole match, which can be replayed live. `data/demo/README.md`
 * describes the format.
 */
import { readdir, readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { errorMessage } from '../runtime/unknown-values.ts';
import { FEED_SCHEMA_VERSION, feedUpdate, type MatchUpdateInput } from '../wire/feed-update.ts';

/** The provider for recorded matches. */
export const DEMO_PROVIDER = 'touchline-demo';

export interface RecordedState {
  /** Seconds since the real kick-off. Negative before it. */
  at: number;
  /** The complete state that was known at that moment, not only the changes. */
  update: MatchUpdateInput;
}
/**
 * A match's states, one for each moment at which something changed. The first is from the time when the match was listed, and
 * the last from the time when it became final.
 */
export type Recording = readonly RecordedState[];

/** Maximum for `at`: 100 days. A much later time could not be written as a date. */
const MAX_SECONDS = 8_640_000;
const recordedLine = z.strictObject({
  at: z.number().min(-MAX_SECONDS).max(MAX_SECONDS),
  match: z.record(z.string(), z.unknown()),
});

/** Parses a recording. @throws an error that names the line */
export function parseRecording(text: string): Recording {
  let match: unknown = {};
  let kickOff: number;
  return parseLines(text, (line, index) => {
    const { at, match: changes } = recordedLine.parse(line);
    match = merge(match, changes);
    kickOff ??= Date.parse(String(changes.scheduled_start));
    if (Number.isNaN(kickOff)) throw new Error('match.scheduled_start must be the time of the kick-off');
    const observed_at = new Date(kickOff + at * 1000).toISOString();
    const update = { schema: FEED_SCHEMA_VERSION, provider: DEMO_PROVIDER, observed_at, kind: 'match', match };
    // Only the first state is checked here. Later states have the same shape, and `play` parses each of them before applying it.
    if (index === 0) feedUpdate.parse(update);
    return { at, update: update as MatchUpdateInput };
  });
}

/** Calls `parse` with the value in each line of an NDJSON text. */
export function parseLines<T>(text: string, parse: (line: unknown, index: number) => T): T[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line, index) => {
      try {
        return parse(JSON.parse(line), index);
      } catch (error) {
        throw new Error(`line ${index + 1}: ${describe(error)}`, { cause: error });
      }
    });
}

const describe = (error: unknown): string =>
  error instanceof z.ZodError
    ? error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': ')).join('; ')
    : errorMessage(error);

/**
 * Merges changes into a value as JSON Merge Patch does, with two exceptions: an object whose keys are indexes changes single
 * list items, and null is a value.
 */
function merge(value: unknown, changes: unknown): unknown {
  if (!isObject(value) || !isObject(changes) || Array.isArray(changes)) return changes;
  const merged: Record<string, unknown> = Array.isArray(value) ? ([...value] as object as never) : { ...value };
  for (const [key, change] of Object.entries(changes)) merged[key] = merge(merged[key], change);
  return merged;
}
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Reads a text file, which may be gzipped. */
export async function readText(file: string | URL): Promise<string> {
  const bytes = await readFile(file);
  return (String(file).endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

/** Reads a recording from a file. @throws an error that names the file and, if a line is wrong, the line */
export async function loadRecording(file: string | URL): Promise<Recording> {
  try {
    return parseRecording(await readText(file));
  } catch (error) {
    throw new Error(`the recording ${file} cannot be read: ${errorMessage(error)}`, { cause: error });
  }
}

const SPORTS = 'sports/';
const SPORT_FILE = /^([a-z-]+)\.ndjson\.gz$/u;

/** Returns the sports other than football for which Touchline comes with a recorded match. */
export const recordedSports = async (): Promise<string[]> =>
  (await readdir(demoFile(SPORTS))).flatMap((name) => SPORT_FILE.exec(name)?.[1] ?? []).sort();

export const sportRecording = (sport: string): Promise<Recording> =>
  loadRecording(demoFile(`${SPORTS}${sport}.ndjson.gz`));

/** Returns the URL for a file that comes with Touchline. */
export const demoFile = (name: string): URL => new URL(`../../data/demo/${name}`, import.meta.url);

/** Names of the recordings that come with Touchline. */
export const SHIPPED_RECORDINGS = ['world-cup-final-2022'] as const;
export const shippedRecording = (name: (typeof SHIPPED_RECORDINGS)[number]): Promise<Recording> =>
  loadRecording(demoFile(`${name}.ndjson`));
