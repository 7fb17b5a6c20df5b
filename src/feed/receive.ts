/** Receives feed updates as text: parses, validates, applies and counts them, and stores rejected ones with their errors. */
import { applyUpdates } from '../apply/apply.ts';
import type { ApplyDeps } from '../apply/interface.ts';
import { rejectUpdate } from '../apply/store.ts';
import type { Fault } from '../wire/fault.ts';
import type { FeedUpdate } from '../wire/feed-update.ts';
import { type Line, linesOf, readAhead } from './lines.ts';
import type { IngestMetrics } from './metrics.ts';
import { readUpdate } from './validation.ts';

/** One update has at most this many bytes (CONTRACT section 10). */
export const UPDATE_MAX_BYTES = 1024 * 1024;
/** Rejections listed in one reply; all are stored in feed_rejection and counted. */
const REPLY_REJECTIONS = 1_000;
/** Characters that are stored of an update that is too large. */
const STORED_OF_TOO_LARGE = 10_000;

export interface Tally {
  accepted: number;
  unchanged: number;
  rejected: { index: number; errors: Fault[] }[];
  /** May be more than `rejected` lists. */
  rejectedCount: number;
}

const tooLarge: Fault = { path: '', code: 'too_large', detail: `one update has at most ${UPDATE_MAX_BYTES} bytes` };

/** One update as it arrived. */
export interface Arrival {
  value: unknown;
  /** Without it, `value` is serialized again. */
  text?: string;
}

export interface Receiver {
  tally: Tally;
  /** Applies updates that have arrived together. */
  receive(arrivals: readonly (Arrival | Unreadable)[]): Promise<void>;
}

/** Text that cannot be read as an update. */
interface Unreadable {
  text: string;
  faults: Fault[];
}

export interface ReceiverDeps extends ApplyDeps {
  metrics?: IngestMetrics;
}

/** Applies updates in their order; a rejected one does not affect the others. */
export function feedReceiver(deps: ReceiverDeps): Receiver {
  const tally: Tally = { accepted: 0, unchanged: 0, rejected: [], rejectedCount: 0 };
  let received = 0;

  async function reject(index: number, text: string, provider: unknown, errors: Fault[]): Promise<void> {
    tally.rejectedCount += 1;
    deps.metrics?.rejected(
      provider,
      errors.map(({ code }) => code),
    );
    if (tally.rejected.length < REPLY_REJECTIONS) tally.rejected.push({ index, errors });
    const named = typeof provider === 'string' ? provider.slice(0, 50).replaceAll('\0', '').toWellFormed() : null;
    await rejectUpdate(deps.pool, deps.clock.now(), named, text, errors);
  }

  return {
    tally,
    async receive(arrivals) {
      const first = received;
      received += arrivals.length;
      const read = arrivals.map(readArrival);
      const results = await applyUpdates(
        deps,
        read.flatMap(({ update }) => update ?? []),
        { events: true },
      );
      let applied = 0;
      for (const [position, { update, text, provider, faults }] of read.entries()) {
        const result = update === null ? { outcome: 'rejected' as const, errors: faults ?? [] } : results[applied++]!;
        if (result.outcome === 'rejected') await reject(first + position, text(), provider, result.errors ?? []);
        else if (result.outcome !== 'pending') {
          tally[result.outcome] += 1;
          deps.metrics?.taken(update!, result.outcome);
        }
      }
    },
  };
}

interface Read {
  update: FeedUpdate | null;
  faults: Fault[] | null;
  provider: unknown;
  text: () => string;
}

function readArrival(arrival: Arrival | Unreadable): Read {
  if ('faults' in arrival) return { update: null, faults: arrival.faults, provider: null, text: () => arrival.text };
  const { value, text = textOf(value) } = arrival;
  const provider = (value as { provider?: unknown } | null)?.provider;
  if (Buffer.byteLength(text) > UPDATE_MAX_BYTES)
    return { update: null, faults: [tooLarge], provider, text: () => text.slice(0, STORED_OF_TOO_LARGE) };
  return { ...readUpdate(value), provider, text: () => text };
}

/** One update as JSON. */
export function arrivalOf(text: string): Arrival | Unreadable {
  try {
    return { value: JSON.parse(text), text };
  } catch (error) {
    const detail = (error as Error).message.toWellFormed().replaceAll('\0', '\uFFFD');
    return { text, faults: [{ path: '', code: 'invalid_json', detail }] };
  }
}

/** An element of an array as JSON. Endless nesting, which is rejected in any case, cannot be serialized. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return 'nested too deeply to be serialized';
  }
}

/** NDJSON that is read while earlier updates are applied: the more updates are applied together, the less each costs. */
const READ_AHEAD_BYTES = 256 * 1024;
/** Elements of an array that are applied together. */
const ARRAY_SLICE = 100;

/** A whole JSON document: one update, or an array of them. */
export async function receiveDocument(deps: ReceiverDeps, value: unknown, text: string): Promise<Tally> {
  const receiver = feedReceiver(deps);
  if (!Array.isArray(value)) await receiver.receive([{ value, text }]);
  else
    for (let from = 0; from < value.length; from += ARRAY_SLICE)
      await receiver.receive(value.slice(from, from + ARRAY_SLICE).map((update) => ({ value: update })));
  return receiver.tally;
}

/**
 * NDJSON of any length, as many lines at a time as have arrived together.
 * @throws {SourceAborted} where the source ends early; what was applied until then remains
 */
export async function receiveLines(deps: ReceiverDeps, source: AsyncIterable<Buffer>): Promise<Tally> {
  const receiver = feedReceiver(deps);
  for await (const lines of readAhead(linesOf(source, UPDATE_MAX_BYTES), READ_AHEAD_BYTES))
    await receiver.receive(lines.flatMap(readLine));
  return receiver.tally;
}

/** Nothing for an empty line. */
function readLine({ bytes, isTruncated }: Line): (Arrival | Unreadable)[] {
  if (isTruncated) return [{ text: bytes.subarray(0, STORED_OF_TOO_LARGE).toString(), faults: [tooLarge] }];
  const text = decode(bytes);
  if (text === null) {
    const fault: Fault = { path: '', code: 'invalid_utf8', detail: 'must be UTF-8' };
    return [{ text: bytes.toString(), faults: [fault] }];
  }
  return text.trim() === '' ? [] : [arrivalOf(text)];
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** null: not UTF-8. */
export function decode(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}
