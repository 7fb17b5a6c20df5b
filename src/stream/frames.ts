/**
 * WebSocket frames as sent: text, unmasked, unfragmented. They are written to the socket itself, so that one buffer
 * serves all its connections.
 */
import type { Encoder } from './encoder.ts';
import { eventFrame } from './replay.ts';

const FIN_TEXT = 0x81;
/** Lengths up to this fit in the second byte; above it that byte holds the number of bytes of the length. */
const SHORT = 125;
const TWO_BYTES = 126;
const EIGHT_BYTES = 127;

export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const header = length <= SHORT ? 2 : length <= 0xffff ? 4 : 10;
  const frame = Buffer.allocUnsafe(header + length);
  frame[0] = FIN_TEXT;
  if (header === 2) frame[1] = length;
  else if (header === 4) {
    frame[1] = TWO_BYTES;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = EIGHT_BYTES;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, header);
  return frame;
}

export const jsonFrame = (body: object): Buffer => textFrame(JSON.stringify(body));

export const webSocketEncoder: Encoder = {
  protocol: 'websocket',
  format: 1,
  event: (record) => textFrame(eventFrame(record)),
  frame(frame, now) {
    switch (frame.kind) {
      case 'connected':
        return jsonFrame({ type: 'connected', cursor: frame.cursor });
      case 'gap': {
        const { from, to, reason } = frame;
        // The frame's cursor becomes the browser's last event id, so it stays before the gap; it is the head only if
        // the cursor was beyond the log's end.
        return jsonFrame({ type: 'gap', cursor: Math.min(from, to), from, to, reason });
      }
      case 'keep-alive':
        return jsonFrame({ type: 'heartbeat', ts: Math.floor(now / 1_000), cursor: frame.cursor });
      case 'cycle':
        return jsonFrame({ type: 'reconnect', cursor: frame.cursor });
    }
  },
};
