/**
 * Frames in a page stream. An event in a live match carries the fields that the page shows. Any other event only tells the page to refresh.
 * A client cannot resume such a stream, so there is no gap frame.
 */
import type { Encoder } from '../../stream/index.ts';
import { readLiveEvent } from './shown-fields.ts';

/** Milliseconds after which a client reconnects. */
const RETRY_MS = 2_000;

const frame = (cursor: number, data: object) => `id: ${cursor}\ndata: ${JSON.stringify(data)}\n\n`;

export const liveEncoder: Encoder = {
  protocol: 'page',
  event(record) {
    const { isLive, shown } = readLiveEvent(record);
    return Buffer.from(frame(record.cursor, isLive ? shown : { type: 'refresh' }));
  },
  frame(step) {
    switch (step.kind) {
      case 'connected':
        return `retry: ${RETRY_MS}\nid: ${step.cursor}\n\n`;
      case 'gap':
        return '';
      case 'keep-alive':
      case 'cycle':
        return `: ${step.kind}\nid: ${step.cursor}\n\n`;
    }
  },
};
