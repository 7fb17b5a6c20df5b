/** Encodes the frames of a protocol; an event is encoded once for all connections. */
import type { LogRecord } from '../events/event-log.ts';
import type { RingEntry } from '../events/ring.ts';
import { ownBytes } from '../runtime/own-bytes.ts';
import type { Frame } from './connection-state.ts';
import type { Protocol } from './metrics.ts';

/** Encodes frames of one protocol; `links` are built for the client's address. */
export interface Encoder {
  protocol: Protocol;
  /** Small and dense: the index of this format's frames in a ring entry. */
  format: number;
  event(record: LogRecord): string | Buffer;
  frame(frame: Exclude<Frame, { kind: 'event' }>, now: number, links: GapLinks): string | Buffer;
}

export interface GapLinks {
  /** Returns the address of the events of a gap after `from`, by the page. */
  replay(from: number): string;
  sync: string;
}

const bytes = (data: string | Buffer): Buffer => (typeof data === 'string' ? Buffer.from(data) : data);

/** Encodes an entry of the ring once, for all groups and for all clients that reconnect. */
function eventBytes(record: LogRecord | RingEntry, encoder: Encoder): Buffer {
  if (!('frames' in record)) return bytes(encoder.event(record));
  record.frames[encoder.format] ??= ownBytes(encoder.event(record));
  return record.frames[encoder.format]!;
}

/** Encodes entries as one buffer. */
export function encodeSlice(entries: readonly RingEntry[], encoder: Encoder): Buffer {
  const frames = entries.map((entry) => eventBytes(entry, encoder));
  return frames.length === 1 ? frames[0]! : Buffer.concat(frames);
}

/** @param now ms, for keep-alives */
export const encodeFrames = (frames: readonly Frame[], encoder: Encoder, links: GapLinks, now: number): Buffer =>
  Buffer.concat(
    frames.map((frame) =>
      frame.kind === 'event' ? eventBytes(frame.record, encoder) : bytes(encoder.frame(frame, now, links)),
    ),
  );
