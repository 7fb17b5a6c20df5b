/** Takes feed updates as text: reads, checks, applies, counts, and keeps what is rejected with its reasons. */
import { createInterface } from 'node:readline';
import { type Readable, Transform } from 'node:stream';
import { type ApplyDeps, type ApplyResult, applyUpdates } from './apply.ts';
import { type FeedUpdate, feedUpdate } from './feed.ts';
import type { Fault } from './state.ts';
import { rejectUpdate } from './store.ts';

/** One update has at most this many bytes (CONTRACT section 10). */
export const UPDATE_MAX_BYTES = 1024 * 1024;
/** Rejections named in one reply; all are kept in feed_rejection and counted. */
const REPLY_REJECTIONS = 1_000;

export interface FeedReply {
  accepted: number;
  unchanged: number;
  rejected: { index: number; errors: Fault[] }[];
}

export interface Tally extends FeedReply {
  rejectedCount: number;
  results: ApplyResult[];
}

/** What the schema says of a value; null faults: it is an update. */
function check(value: unknown): { update: FeedUpdate; faults: null } | { update: null; faults: Fault[] } {
  const unsound = unsoundText(value, '');
  if (unsound !== null) return { update: null, faults: [unsound] };
  const parsed = feedUpdate.safeParse(value);
  if (parsed.success) return { update: parsed.data, faults: null };
  return {
    update: null,
    faults: parsed.error.issues.map((issue) => ({
      path: issue.path.join('.'),
      code: issue.code,
      detail: issue.message,
    })),
  };
}

/** Nesting that no provider needs, and that would exhaust the stack further on. */
const MAX_DEPTH = 40;

/** Text that Postgres cannot hold, or nesting without end, anywhere in the update. */
function unsoundText(value: unknown, path: string, depth = 0): Fault | null {
  if (typeof value === 'string') {
    if (value.includes('\0')) return { path, code: 'nul', detail: 'must not contain NUL' };
    return value.isWellFormed() ? null : { path, code: 'malformed_unicode', detail: 'must be well-formed Unicode' };
  }
  if (typeof value !== 'object' || value === null) return null;
  if (depth > MAX_DEPTH) return { path, code: 'too_deep', detail: `must not be nested deeper than ${MAX_DEPTH}` };
  for (const [key, member] of Object.entries(value)) {
    const at = path === '' ? key : `${path}.${key}`;
    const fault = unsoundText(key, at, depth) ?? unsoundText(member, at, depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}

export function feedReceiver(deps: ApplyDeps) {
  const tally: Tally = { accepted: 0, unchanged: 0, rejected: [], rejectedCount: 0, results: [] };
  let index = -1;

  async function reject(text: string, provider: unknown, errors: Fault[]): Promise<void> {
    tally.rejectedCount += 1;
    if (tally.rejected.length < REPLY_REJECTIONS) tally.rejected.push({ index, errors });
    await rejectUpdate(
      deps.pool,
      deps.clock.now(),
      typeof provider === 'string' ? provider.replaceAll('\0', '').slice(0, 50) : null,
      text,
      errors,
    );
  }

  return {
    tally,
    /** @param text as it came, kept if it is rejected */
    async take(value: unknown, text: string): Promise<void> {
      index += 1;
      const provider = (value as { provider?: unknown } | null)?.provider;
      if (Buffer.byteLength(text) > UPDATE_MAX_BYTES) return this.tooLarge(text, provider);
      const { update, faults } = check(value);
      if (update === null) return reject(text, provider, faults);
      const [result] = await applyUpdates(deps, [update], { events: true });
      if (result!.outcome === 'rejected') await reject(text, provider, result!.errors ?? []);
      else tally[result!.outcome] += 1;
    },
    async tooLarge(text: string, provider: unknown): Promise<void> {
      await reject(text.slice(0, 10_000), provider, [
        { path: '', code: 'too_large', detail: `one update has at most ${UPDATE_MAX_BYTES} bytes` },
      ]);
    },
    async line(text: string): Promise<void> {
      if (text.trim() === '') return;
      if (text.length > UPDATE_MAX_BYTES) {
        index += 1;
        return this.tooLarge(text, null);
      }
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch (error) {
        index += 1;
        return reject(text, null, [{ path: '', code: 'invalid_json', detail: (error as Error).message }]);
      }
      await this.take(value, text);
    },
  };
}

/** Reads NDJSON of any length, a line at a time; a line over the limit is cut short, so that it cannot fill the memory. */
export async function receiveLines(deps: ApplyDeps, source: Readable): Promise<Tally> {
  const receiver = feedReceiver(deps);
  const bounded = source.pipe(cutLongLines());
  source.once('error', (error) => bounded.destroy(error));
  for await (const line of createInterface({ input: bounded, crlfDelay: Number.POSITIVE_INFINITY }))
    await receiver.line(line);
  return receiver.tally;
}

/** Lets at most one byte more than an update may have through of each line: enough to see that it is too long. */
function cutLongLines(): Transform {
  let length = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const kept: Buffer[] = [];
      for (let start = 0; start < chunk.length; ) {
        const newline = chunk.indexOf(10, start);
        const end = newline === -1 ? chunk.length : newline;
        const room = Math.max(UPDATE_MAX_BYTES + 1 - length, 0);
        kept.push(chunk.subarray(start, Math.min(end, start + room)));
        length += end - start;
        if (newline !== -1) {
          kept.push(chunk.subarray(newline, newline + 1));
          length = 0;
        }
        start = end + 1;
      }
      done(null, Buffer.concat(kept));
    },
  });
}
