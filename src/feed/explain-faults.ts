/** `touchline feed check` validates the updates in a file without writing, and explains each fault. */
import { isNode, LineCounter, parseDocument } from 'yaml';
import { matchFaults, timeFaults } from '../apply/index.ts';
import { referenceFaults } from '../identity/entities.ts';
import { readMember } from '../runtime/unknown-values.ts';
import { SPORT_SLUGS } from '../sports/sports.ts';
import { COUNTRIES } from '../wire/countries.ts';
import type { Fault } from '../wire/fault.ts';
import type { FeedUpdate } from '../wire/feed-update.ts';
import { elementsOfJson } from '../wire/json-text.ts';
import { expectedAt } from './expected-value.ts';
import { linesOf } from './ndjson-lines.ts';
import { parseArrival, readLine, UPDATE_MAX_BYTES } from './receive.ts';
import { readUpdate } from './validation.ts';

/** The sports and countries that a new installation has. */
const KNOWN = { sports: new Set<string>(SPORT_SLUGS), countries: new Set(COUNTRIES.map(({ iso }) => iso)) };

export interface CheckedUpdate {
  /** Line in which the update begins, from 1. */
  line: number;
  faults: (Fault & { line: number; expected: string | null })[];
  /** Prices that would be left out. */
  leftOut: Fault[];
}

/** Checks one update as the feed does, except for checks against stored matches. @param now current time in ms */
function checkUpdate(arrival: ReturnType<typeof parseArrival>, line: number, now: number): CheckedUpdate {
  if ('faults' in arrival)
    return { line, leftOut: [], faults: arrival.faults.map((fault) => ({ ...fault, line, expected: null })) };
  const { value, text } = arrival;
  const kind = readMember(value, 'kind');
  const read = readUpdate(value);
  const explained = (fault: Fault, expected: string | null) => ({
    ...fault,
    line: line + lineWithin(text, fault.path),
    expected,
  });
  if (read.update === null)
    return { line, leftOut: [], faults: read.faults.map((fault) => explained(fault, expectedAt(kind, fault.path))) };
  // `expected` stays null, because these faults' details already say what is expected.
  const faults = [...timeFaults(read.update, now), ...entityFaults(read.update)];
  return { line, leftOut: read.leftOut, faults: faults.map((fault) => explained(fault, null)) };
}

function entityFaults(update: FeedUpdate): Fault[] {
  if (update.kind === 'match') return matchFaults(KNOWN, update);
  const { sport, country } = { sport: undefined, ...entity(update) };
  return referenceFaults(KNOWN, [{ path: update.kind, ...(sport !== undefined && { sport }), country }]);
}

function entity(update: Exclude<FeedUpdate, { kind: 'match' }>): {
  sport?: string | undefined;
  country?: string | undefined;
} {
  if (update.kind === 'participant') return update.participant;
  return update.kind === 'tournament' ? update.tournament : update.venue;
}

/** Returns a path's line in the update, counted from 0. Also returns 0 if the path is not in the update. */
function lineWithin(text: string, path: string): number {
  if (!text.trim().includes('\n')) return 0;
  const lines = new LineCounter();
  // A YAML parser can read JSON, and it reports positions.
  const document = parseDocument(text.trim(), { lineCounter: lines });
  for (let names = path.split('.'); names.length > 0; names = names.slice(0, -1)) {
    const node = document.getIn(names.map(keyIn), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line - 1;
  }
  return 0;
}

const keyIn = (name: string): string | number => (/^\d+$/.test(name) ? Number(name) : name);

const newlines = (text: string): number => text.split('\n').length - 1;
const leading = (text: string): number => newlines(text.slice(0, text.length - text.trimStart().length));

/**
 * Checks a JSON document, which is one update or an array.
 * @throws {SyntaxError} if the text is not JSON; {RangeError} for too many elements
 */
export function* checkDocument(text: string, now: number): Generator<CheckedUpdate> {
  const elements = elementsOfJson(text, Number.MAX_SAFE_INTEGER);
  if (elements === null) {
    JSON.parse(text);
    yield checkUpdate(parseArrival(text), 1 + leading(text), now);
    return;
  }
  let line = 1 + newlines(text.slice(0, text.indexOf('[')));
  for (const [index, element] of elements.entries()) {
    if (element.trim() === '') throw new SyntaxError(`element ${index} is empty`);
    yield checkUpdate(parseArrival(element), line + leading(element), now);
    line += newlines(element);
  }
}

/** Checks NDJSON. */
export async function* checkLines(source: AsyncIterable<Buffer>, now: () => number): AsyncGenerator<CheckedUpdate> {
  let number = 0;
  for await (const lines of linesOf(source, UPDATE_MAX_BYTES))
    for (const line of lines) {
      number += 1;
      for (const arrival of readLine(line)) yield checkUpdate(arrival, number, now());
    }
}

/** Returns the lines that explain an update's faults. */
export function explain({ line, faults, leftOut }: CheckedUpdate): string[] {
  const place = (at: number, path: string) => `line ${at}: ${path || 'update'}`;
  return [
    ...faults.flatMap((fault) => [
      `${place(fault.line, fault.path)}: ${fault.detail} (${fault.code})`,
      ...(fault.expected === null ? [] : [`  expected: ${fault.expected}`]),
    ]),
    ...leftOut.map(({ path, detail }) => `${place(line, path)}: ${detail}`),
  ];
}
