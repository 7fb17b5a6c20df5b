/** Takes feed updates as text: reads, checks, applies, counts, and keeps what is rejected with its reasons. */
import { type ApplyDeps, applyUpdates } from './apply.ts';
import { linesOf } from './lines.ts';
import { readUpdate } from './soundness.ts';
import type { Fault } from './state.ts';
import { rejectUpdate } from './store.ts';

/** One update has at most this many bytes (CONTRACT section 10). */
export const UPDATE_MAX_BYTES = 1024 * 1024;
/** Rejections named in one reply; all are kept in feed_rejection and counted. */
const REPLY_REJECTIONS = 1_000;
/** What is kept of an update that is too large. */
const KEPT_OF_TOO_LARGE = 10_000;

export interface Tally {
  accepted: number;
  unchanged: number;
  rejected: { index: number; errors: Fault[] }[];
  /** More than `rejected` names, where there are very many. */
  rejectedCount: number;
}

const tooLarge: Fault = { path: '', code: 'too_large', detail: `one update has at most ${UPDATE_MAX_BYTES} bytes` };

export interface Receiver {
  tally: Tally;
  /** @param text as it came; without it, written anew */
  take(value: unknown, text?: string): Promise<void>;
  /** One update as JSON. */
  takeText(text: string): Promise<void>;
  refuse(text: string, provider: unknown, faults: Fault[]): Promise<void>;
}

/** Applies one update after the other; each stands alone. */
export function feedReceiver(deps: ApplyDeps): Receiver {
  const tally: Tally = { accepted: 0, unchanged: 0, rejected: [], rejectedCount: 0 };
  let taken = 0;

  async function reject(index: number, text: string, provider: unknown, errors: Fault[]): Promise<void> {
    tally.rejectedCount += 1;
    if (tally.rejected.length < REPLY_REJECTIONS) tally.rejected.push({ index, errors });
    const named = typeof provider === 'string' ? provider.slice(0, 50).replaceAll('\0', '').toWellFormed() : null;
    await rejectUpdate(deps.pool, deps.clock.now(), named, text, errors);
  }

  return {
    tally,
    async take(value, given) {
      const index = taken++;
      const provider = (value as { provider?: unknown } | null)?.provider;
      const text = given ?? textOf(value);
      if (Buffer.byteLength(text) > UPDATE_MAX_BYTES)
        return reject(index, text.slice(0, KEPT_OF_TOO_LARGE), provider, [tooLarge]);
      const { update, faults } = readUpdate(value);
      if (update === null) return reject(index, text, provider, faults);
      const [result] = await applyUpdates(deps, [update], { events: true });
      if (result!.outcome === 'rejected') await reject(index, text, provider, result!.errors ?? []);
      else tally[result!.outcome] += 1;
    },
    async takeText(text) {
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch (error) {
        const detail = (error as Error).message.toWellFormed().replaceAll('\0', '\uFFFD');
        return reject(taken++, text, null, [{ path: '', code: 'invalid_json', detail }]);
      }
      return this.take(value, text);
    },
    refuse: (text, provider, faults) => reject(taken++, text, provider, faults),
  };
}

/** An element of an array as JSON; endless nesting, which is rejected anyhow, has none. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return 'nested too deep to be written';
  }
}

/** A whole JSON document: one update, or an array of them. */
export async function receiveDocument(deps: ApplyDeps, value: unknown, text: string): Promise<Tally> {
  const receiver = feedReceiver(deps);
  if (Array.isArray(value)) for (const update of value) await receiver.take(update);
  else await receiver.take(value, text);
  return receiver.tally;
}

/**
 * NDJSON of any length, a line at a time.
 * @throws {CutShort} where the source ends early; what was applied until then stays
 */
export async function receiveLines(deps: ApplyDeps, source: AsyncIterable<Buffer>): Promise<Tally> {
  const receiver = feedReceiver(deps);
  for await (const { bytes, isCut } of linesOf(source, UPDATE_MAX_BYTES)) {
    if (isCut) {
      await receiver.refuse(bytes.subarray(0, KEPT_OF_TOO_LARGE).toString(), null, [tooLarge]);
      continue;
    }
    const text = decode(bytes);
    if (text === null) {
      const fault: Fault = { path: '', code: 'invalid_utf8', detail: 'must be UTF-8' };
      await receiver.refuse(bytes.toString(), null, [fault]);
    } else if (text.trim() !== '') await receiver.takeText(text);
  }
  return receiver.tally;
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
