/**
 * Receives feed updates as text, which it parses, validates, applies and counts. Rejected ones are stored with the
 * errors.
 */
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
/** Maximum number of prices that one reply says were left out. */
const REPLY_LEFT_OUT = 1_000;
/** Characters stored from an update that is too large. */
const STORED_OF_TOO_LARGE = 10_000;

export interface Tally {
  accepted: number;
  unchanged: number;
  rejected: { index: number; errors: Fault[] }[];
  /** May be more than `rejected` lists. */
  rejectedCount: number;
  /** Prices that were left out of valid updates, at most 1,000. */
  leftOut: (Fault & { index: number })[];
}

const tooLarge: Fault = { path: '', code: 'too_large', detail: `one update has at most ${UPDATE_MAX_BYTES} bytes` };

/** One update as it arrived. */
export interface Arrival {
  value: unknown;
  text: string;
}

export interface Receiver {
  tally: Tally;
  /** Applies updates that have arrived together. By default, differences become events. */
  receive(arrivals: readonly (Arrival | Unreadable)[], options?: ApplyOptions): Promise<void>;
}

/** Text that cannot be read as an update. */
interface Unreadable {
  text: string;
  faults: Fault[];
}

export interface ReceiverDeps extends ApplyDeps {
  metrics?: IngestMetrics;
  /** Returns what the sender may not send in this update. */
  limit?: (update: FeedUpdate) => Fault[];
}

/** Applies updates in the order given. A rejected one does not affect the rest. */
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
 * Maximum number of updates that are checked, applied and stored together. Updates and characters are both limited, so
 * that other requests are served in between.
 */
const SLICE_UPDATES = 100;
const SLICE_CHARACTERS = 256 * 1024;

/** Splits the list into parts that are processed without a pause. Each has at least one item. */
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

/** Returns an update in which what the sender may not send counts as faults. */
function withinLimit(read: Read, limit: ReceiverDeps['limit']): Read {
  const faults = read.update === null ? [] : (limit?.(read.update) ?? []);
  return faults.length === 0 ? read : { ...read, update: null, faults };
}

/**
 * Parses one update as JSON. Oversized text is not parsed, and nesting is parsed only deep enough to be refused with
 * the path.
 * @throws {SyntaxError} if it is not JSON
 */
function parseUpdate(text: string): Arrival | Unreadable {
  if (Buffer.byteLength(text) > UPDATE_MAX_BYTES)
    return { text: text.slice(0, STORED_OF_TOO_LARGE), faults: [tooLarge] };
  const shape = shapeOfJson(text);
  const parsed = shape.depth > PARSED_DEPTH ? pruneJson(text, PARSED_DEPTH) : text;
  const { containers } = parsed === text ? shape : shapeOfJson(parsed);
  return containers > MAX_VALUES ? { text, faults: [TOO_MANY_VALUES] } : { value: JSON.parse(parsed), text };
}

/** One level more than an update may have, whose outermost level is the first. */
const PARSED_DEPTH = MAX_DEPTH + 2;

/** One line as an update. */
export function parseArrival(text: string): Arrival | Unreadable {
  try {
    return parseUpdate(text);
  } catch (error) {
    const detail = errorMessage(error).toWellFormed().replaceAll('\0', '\uFFFD');
    return { text, faults: [{ path: '', code: 'invalid_json', detail }] };
  }
}

/**
 * Amount of NDJSON read while earlier updates are applied, because the more updates are applied together, the less each
 * costs.
 */
const READ_AHEAD_BYTES = 256 * 1024;
/** Lines that come later than this in a request have separate traces, because a request may last for days. */
const TRACE_MS = 10_000;
/** Maximum number of array elements. 16 MiB have no room for more real updates. */
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

/** @throws {SyntaxError} if it is not JSON; {RangeError} for an array with more than 100,000 elements */
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
 * @throws {SourceAborted} if the source ends early; what was applied until then remains
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

/** Returns nothing for an empty line. */
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

/** Returns null if the bytes are not UTF-8. */
export function decode(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}
