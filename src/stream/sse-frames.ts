/** Writes server-sent events. The code shows each frame as exactly the lines that are sent. */
import { type Encoder, wrapEnvelope } from './frame-encoder.ts';

/** Milliseconds that a browser waits before it reconnects. */
export const RETRY_MS = 1_000;

export const sseEncoder: Encoder = {
  protocol: 'sse',
  event: (record) => wrapEnvelope(record, `id: ${record.cursor}\nevent: ${record.type}\ndata: `, 0, '\n\n'),
  frame(frame, now, links) {
    switch (frame.kind) {
      case 'connected':
        return `: connected cursor=${frame.cursor}\nretry: ${RETRY_MS}\nid: ${frame.cursor}\n\n`;
      case 'gap': {
        const { from, to, reason } = frame;
        const way = reason === 'expired' ? { sync: links.sync } : { replay: links.replay(from) };
        return `event: stream.gap\ndata: ${JSON.stringify({ from, to, reason, ...way })}\n\n`;
      }
      case 'keep-alive':
        return `: keep-alive ${Math.floor(now / 1_000)} cursor=${frame.cursor}\nid: ${frame.cursor}\n\n`;
      case 'cycle':
        return `: server-cycle; reconnect with Last-Event-Id\nid: ${frame.cursor}\n\n`;
    }
  },
};
