/** Server-sent events: the exact lines of each frame. */
import type { LogRecord } from '../events/event-log.ts';
import type { Protocol } from './metrics.ts';
import type { Frame } from './session.ts';

/** Milliseconds after which a browser reconnects. */
export const RETRY_MS = 1_000;

/** Encodes frames of one protocol; `links` are for the client's address. */
export interface Encoder {
  protocol: Protocol;
  /** Small and dense: the place of this format's frames in a ring entry. */
  format: number;
  event(record: LogRecord): string | Buffer;
  frame(frame: Exclude<Frame, { kind: 'event' }>, now: number, links: GapLinks): string | Buffer;
}

export interface GapLinks {
  /** Where the events of a gap after `from` can be paged. */
  replay(from: number): string;
  sync: string;
}

export const sseEncoder: Encoder = {
  protocol: 'sse',
  format: 0,
  event: ({ cursor, type, envelope }) => `id: ${cursor}\nevent: ${type}\ndata: ${envelope}\n\n`,
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
