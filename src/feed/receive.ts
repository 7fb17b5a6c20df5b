/** Receives feed updates as text. They are parsed, validated, applied and counted. Rejected updates are stored with their errors. */
import { setImmediate as turn } from 'node:timers/promises';
import { type ApplyDeps, type ApplyOptions, applyUpdates, type Rejection, storeRejections } from '../apply/index.ts';
import { activeSpan, inSpan, isTracing } from '../runtime/tracing.ts';
import { errorMessage, readMember } from '../runtime/unknown-values.ts';
import type { Fault } from '../wire/fault.ts';
import type { FeedUpdate } from '../wire/feed-update.ts';
import { elementsOfJson, pruneJson, shapeOfJson } from '../wire/json-text.ts';
import type { IngestMetrics } from './metrics.ts';
import { type Line, linesOf, readAhead } from './ndjson-lines.ts';
import { MAX_DEPTH, MAX_VALUES, readUpdate, TOO_MANY_VALUES } from './validation.ts';

/** Maximum size of one update (CONTRACT section 10). */
export const UPDATE_MAX_BYTES = 1024 * 1024;
/** Maximum number of rejections listed in one reply. All are stored in feed_rejection and counted. */
const REPLY_REJECTIONS = 1_000;
/** Maximum number of left-out prices listed in one reply. */
const REPLY_LEFT_OUT = 1_000;
/** Number of characters that are stored from an update that is too large. */
const STORED_OF_TOO_LARGE = 10_000;

export interface Tally {
  accepted: number;
  unchanged: number;
  rejected: { index: number; errors: Fault[] }[];
  /** Number of all rejections, even if `rejected` lists fewer. */
  rejectedCount: number;
  /** Prices that were left out of valid updates, at most 1,000. */
  leftOut: (Fault & { index: number })[];
}

const tooLarge: Fault = {
  path: '',
  code: 'too_large',
  detail: `one update may have at most ${UPDATE_MAX_BYTES} bytes`,
};

/** One update as it arrived. */
export interface Arrival {
  value: unknown;
  text: string;
}

export interface Receiver {
  tally: Tally;
  /** Applies updates that have arrived together. By default, changes to matches become events. */
  receive(arrivals: readonly (Arrival | Unreadable)[], options?: ApplyOptions): Promise<void>;
}

/** Text that cannot be read as an update. */
interface Unreadable {
  text: string;
  faults: Fault[];
}

export interface ReceiverDeps extends ApplyDeps {
  metrics?: IngestMetrics;
  /** Returns a fault for each part of the update that the sender may not send. */
  limit?: (update: FeedUpdate) => Fault[];
}

/** Applies updates in the given order. A rejected update does not affect the rest. */
export function feedReceiver(deps: ReceiverDeps): Receiver {
  const tally: Tally = { accepted: 0, unchanged: 0, rejected: [], rejectedCount: 0, leftOut: [] };
  let received = 0;

  function reject(index: number, { text, provider }: Read, errors: Fault[]): Rejection {
    tally.rejectedCount += 1;
    deps.metrics?.rejected(
      provider,
      errors.map(({ code }) => code),
    );
    if (tally.rejected.length < REPLY_REJECTIONS) tally.rejected.push({ index, errors });
    const named = typeof provider === 'string' ? provider.slice(0, 50).replaceAll('\0', '').toWellFormed() : null;
    return { provider: named, text, errors };
  }

  async function receiveSlice(arrivals: readonly (Arrival | Unreadable)[], options: ApplyOptions): Promise<void> {
    const first = received;
    received += arrivals.length;
    const read = arrivals.map(readArrival).map((one) => withinLimit(one, deps.limit));
    const updates = read.flatMap(({ update }) => update ?? []);
    const results = await applyUpdates(deps, updates, options);
    const rejections: Rejection[] = [];
    let applied = 0;
    for (const [position, one] of read.entries()) {
      const { update, faults } = one;
      const result = update === null ? { outcome: 'rejected' as const, errors: faults ?? [] } : results[applied++]!;
      if (result.outcome === 'rejected') rejections.push(reject(first + position, one, result.errors ?? []));
      else if (result.outcome !== 'pending') {
        tally[result.outcome] += 1;
        deps.metrics?.taken(update!, result.outcome);
        for (const fault of one.leftOut.slice(0, REPLY_LEFT_OUT - tally.leftOut.length))
          tally.leftOut.push({ index: first + position, ...fault });
      }
    }
    if (rejections.length > 0) await storeRejections(deps.pool, deps.clock.now(), rejections);
  }

  return {
    tally,
    async receive(arrivals, options = { events: true }) {
      for (const slice of slicesOf(arrivals)) {
        const begun = performance.now();
        await receiveSlice(slice, options).finally(() => deps.metrics?.worked((performance.now() - begun) / 1_000));
      }
    },
  };
}

/**
 * Maximum number of updates that are checked, applied and stored together. Updates and characters are limited so that
 * requests are served in between.
 */
const SLICE_UPDATES = 100;
const SLICE_CHARACTERS = 256 * 1024;

/** Splits a list into slices, each of which is processed without a pause. A slice has at least one item. */
function* slicesOf<T extends { text: string }>(items: readonly T[]): Generator<readonly T[]> {
  let from = 0;
  let characters = 0;
  for (const [index, { text }] of items.entries()) {
    characters += text.length;
    if (index + 1 - from < SLICE_UPDATES && characters < SLICE_CHARACTERS) continue;
    yield items.slice(from, index + 1);
    from = index + 1;
    characters = 0;
  }
  if (from < items.length) yield items.slice(from);
}

interface Read {
  update: FeedUpdate | null;
  faults: Fault[] | null;
  leftOut: Fault[];
  provider: unknown;
  text: string;
}

function readArrival(arrival: Arrival | Unreadable): Read {
  const { text } = arrival;
  if ('faults' in arrival) return { update: null, faults: arrival.faults, leftOut: [], provider: null, text };
  const { value } = arrival;
  return { leftOut: [], ...readUpdate(value), provider: readMember(value, 'provider'), text };
}

/** Rejects an update, with a fault for each part that the sender may not send. */
function withinLimit(read: Read, limit: ReceiverDeps['limit']): Read {
  const faults = read.update === null ? [] : (limit?.(read.update) ?? []);
  return faults.length === 0 ? read : { ...read, update: null, faults };
}

/**
 * Parses one update as JSON. Text that is too large is not parsed. Deep nesting is parsed only far enough to reject it
 * with the path.
 * @throws {SyntaxError} if the text is not JSON
 */
function parseUpdate(text: string): Arrival | Unreadable {
  if (Buffer.byteLength(text) > UPDATE_MAX_BYTES)
    return { text: text.slice(0, STORED_OF_TOO_LARGE), faults: [tooLarge] };
  const shape = shapeOfJson(text);
  const parsed = shape.depth > PARSED_DEPTH ? pruneJson(text, PARSED_DEPTH) : text;
  const { containers } = parsed === text ? shape : shapeOfJson(parsed);
  return containers > MAX_VALUES ? { text, faults: [TOO_MANY_VALUES] } : { value: JSON.parse(parsed), text };
}

/** How deep nesting is parsed: one level more than an update may have. */
const PARSED_DEPTH = MAX_DEPTH + 2;

/** Reads one line as an update. */
export function parseArrival(text: string): Arrival | Unreadable {
  try {
    return parseUpdate(text);
  } catch (error) {
    const detail = errorMessage(error).toWellFormed().replaceAll('\0', '\uFFFD');
    return { text, faults: [{ path: '', code: 'invalid_json', detail }] };
  }
}

/** How much NDJSON is read while earlier updates are applied. The more updates are applied together, the less each one costs. */
const READ_AHEAD_BYTES = 256 * 1024;
/** Time after which a request's next lines get a new trace, because a request may last for days. */
const TRACE_MS = 10_000;
/** Maximum number of array elements. A body of 16 MiB has no room for more real updates. */
const MAX_ELEMENTS = 100_000;

function parseElement(text: string, index: number): Arrival | Unreadable {
  try {
    return parseUpdate(text);
  } catch (error) {
    throw new SyntaxError(`element ${index}: ${errorMessage(error)}`);
  }
}

/** The updates in a JSON document. */
export interface FeedDocument {
  arrivals: readonly (Arrival | Unreadable)[];
  /** If false, the document is a single update. */
  isArray: boolean;
}

/**
 * Reads a JSON document, which is one update or an array.
 * @throws {SyntaxError} if the text is not JSON; {RangeError} for an array with more than 100,000 elements
 */
export async function readDocument(text: string): Promise<FeedDocument> {
  const elements = elementsOfJson(text, MAX_ELEMENTS);
  if (elements === null) return { arrivals: [parseUpdate(text)], isArray: false };
  const arrivals: (Arrival | Unreadable)[] = [];
  for (const slice of slicesOf(elements.map((text) => ({ text })))) {
    for (const { text } of slice) arrivals.push(parseElement(text, arrivals.length));
    await turn();
  }
  return { arrivals, isArray: true };
}

export async function receiveDocument(deps: ReceiverDeps, { arrivals }: FeedDocument): Promise<Tally> {
  const receiver = feedReceiver(deps);
  await receiver.receive(arrivals);
  return receiver.tally;
}

/**
 * Receives NDJSON of any length, in batches of lines that have arrived together.
 * @throws {SourceAborted} if the source ends early; updates applied before that remain applied
 */
export async function receiveLines(deps: ReceiverDeps, source: AsyncIterable<Buffer>): Promise<Tally> {
  const receiver = feedReceiver(deps);
  const begun = performance.now();
  for await (const lines of readAhead(linesOf(source, UPDATE_MAX_BYTES), READ_AHEAD_BYTES)) {
    const receive = () => receiver.receive(lines.flatMap(readLine));
    if (isTracing() && performance.now() - begun > TRACE_MS)
      await inSpan('feed lines', { parent: null, link: activeSpan() }, receive);
    else await receive();
  }
  return receiver.tally;
}

/** Reads a line as an update. Returns an empty list for an empty line. */
export function readLine({ bytes, isTruncated }: Line): (Arrival | Unreadable)[] {
  if (isTruncated) return [{ text: bytes.subarray(0, STORED_OF_TOO_LARGE).toString(), faults: [tooLarge] }];
  const text = decode(bytes);
  if (text === null) {
    const fault: Fault = { path: '', code: 'invalid_utf8', detail: 'must be UTF-8' };
    return [{ text: bytes.toString(), faults: [fault] }];
  }
  return text.trim() === '' ? [] : [parseArrival(text)];
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes UTF-8. Returns null if the bytes are not valid. */
export function decode(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}
