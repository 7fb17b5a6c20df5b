/**
 * Encodes WebSocket text frames, unmasked and unfragmented. Frames are written directly to the socket, so that one
 * buffer serves all connections that get the same frames.
 */
import { countBytes } from '../events/index.ts';
import { type Encoder, wrapEnvelope } from './frame-encoder.ts';
import { eventStart } from './replay-page.ts';

const FIN_TEXT = 0x81;
/**
 * Lengths up to this value fit into the header's second byte. For a greater length, that byte says how many bytes the
 * length takes.
 */
const SHORT = 125;
const TWO_BYTES = 126;
const EIGHT_BYTES = 127;

/** @returns the header for a frame with `length` bytes after the header; each character is one byte */
function frameHeader(length: number): string {
  if (length <= SHORT) return String.fromCharCode(FIN_TEXT, length);
  if (length <= 0xffff) return String.fromCharCode(FIN_TEXT, TWO_BYTES, length >> 8, length & 0xff);
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(length));
  return String.fromCharCode(FIN_TEXT, EIGHT_BYTES, ...bytes);
}

export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const header = frameHeader(length);
  const frame = Buffer.allocUnsafe(header.length + length);
  frame.write(header, 'latin1');
  frame.write(text, header.length);
  return frame;
}

export const jsonFrame = (body: object): Buffer => textFrame(JSON.stringify(body));

export const webSocketEncoder: Encoder = {
  protocol: 'websocket',
  event(record) {
    const start = eventStart(record.cursor);
    const length = start.length + countBytes(record) - 1;
    return wrapEnvelope(record, frameHeader(length) + start, 1);
  },
  frame(frame, now) {
    switch (frame.kind) {
      case 'connected':
        return jsonFrame({ type: 'connected', cursor: frame.cursor });
      case 'gap': {
        const { from, to, reason } = frame;
        // The frame's cursor is where the client resumes, so it must not lie after the gap. It is the head only if the
        // client's cursor was beyond the log's end.
        return jsonFrame({ type: 'gap', cursor: Math.min(from, to), from, to, reason });
      }
      case 'keep-alive':
        return jsonFrame({ type: 'heartbeat', ts: Math.floor(now / 1_000), cursor: frame.cursor });
      case 'cycle':
        return jsonFrame({ type: 'reconnect', cursor: frame.cursor });
    }
  },
};
