/** Encodes frames for a protocol. */
import { countBytes, type LogRecord, RingEntry } from '../events/index.ts';
import type { Frame } from './connection-state.ts';
import type { Protocol } from './metrics.ts';

/** Encodes frames for one protocol. `links` contain the address at which the client reached the service. */
export interface Encoder {
  protocol: Protocol;
  event(record: LogRecord): Buffer;
  frame(frame: Exclude<Frame, { kind: 'event' }>, now: number, links: GapLinks): string | Buffer;
}

export interface GapLinks {
  /** Returns the address at which a client can read the events of a gap after `from`, page by page. */
  replay(from: number): string;
  sync: string;
}

const bytes = (data: string | Buffer): Buffer => (typeof data === 'string' ? Buffer.from(data) : data);

/**
 * Encodes an event, with the stored envelope between two texts.
 * @param before text in Latin-1
 * @param skipped number of bytes to leave out at the envelope's start
 * @param after text in Latin-1
 */
export function wrapEnvelope(record: LogRecord, before: string, skipped = 0, after = ''): Buffer {
  const end = before.length + countBytes(record) - skipped;
  const frame = Buffer.allocUnsafe(end + after.length);
  frame.write(before, 'latin1');
  if (record instanceof RingEntry) record.copyEnvelope(frame, before.length, skipped);
  else frame.write(record.envelope.slice(skipped), before.length);
  frame.write(after, end, 'latin1');
  return frame;
}

/**
 * Size limit for the frames in a cache. When 10,000 clients reconnect, they all want the same 500 events, which take
 * about 1 MB in two protocols.
 */
const CACHED_BYTES = 4 * 1024 * 1024;

/** Caches the frames for the latest events, so that an event is encoded once for all clients that get it at about the same time. */
export class FrameCache {
  readonly #frames = new Map<Encoder, Map<RingEntry, Buffer>>();
  #bytes = 0;

  /** Encodes events as one buffer. */
  encodeSlice(entries: readonly RingEntry[], encoder: Encoder): Buffer {
    const [first] = entries;
    if (first !== undefined && entries.length === 1) return this.#event(first, encoder);
    return Buffer.concat(entries.map((entry) => this.#event(entry, encoder)));
  }

  /** @param now current time in ms, for keep-alives */
  encodeFrames(frames: readonly Frame[], encoder: Encoder, links: GapLinks, now: number): Buffer {
    return Buffer.concat(
      frames.map((frame) =>
        frame.kind === 'event' ? this.#event(frame.record, encoder) : bytes(encoder.frame(frame, now, links)),
      ),
    );
  }

  #event(record: LogRecord, encoder: Encoder): Buffer {
    // This event was read from the log for one client only, so it is not cached.
    if (!(record instanceof RingEntry)) return encoder.event(record);
    const known = this.#frames.get(encoder)?.get(record);
    if (known !== undefined) return known;
    const frame = encoder.event(record);
    this.#bytes += frame.length;
    if (this.#bytes > CACHED_BYTES) {
      this.#frames.clear();
      this.#bytes = frame.length;
    }
    const kept = this.#frames.get(encoder);
    if (kept === undefined) this.#frames.set(encoder, new Map([[record, frame]]));
    else kept.set(record, frame);
    return frame;
  }
}
