import assert from 'node:assert/strict';
import { createRing } from '../../src/events/ring.ts';
import { encodeFrames, encodeSlice } from '../../src/stream/encoder.ts';
import { webSocketEncoder } from '../../src/stream/frames.ts';
import { sseEncoder } from '../../src/stream/sse.ts';
import { record } from '../support/events.ts';

const links = { sync: '', replay: () => '' };

describe('the frames of an event', () => {
  for (const encoder of [sseEncoder, webSocketEncoder]) {
    it(`are encoded once, and kept without a slab around them (${encoder.protocol})`, () => {
      const ring = createRing(0);
      ring.append([record(1), record(2, {}, 900), record(3, {}, 5_000)]);
      const entries = [0, 1, 2].map((index) => ring.at(index));
      const together = encodeSlice(entries, encoder);
      for (const entry of entries) {
        const kept = entry.frames[encoder.format]!;
        assert.equal(kept.buffer.byteLength, kept.length, `cursor ${entry.cursor}`);
        assert.equal(encodeSlice([entry], encoder), kept);
        assert.deepEqual(encodeFrames([{ kind: 'event', record: entry }], encoder, links, 0), kept);
        assert.deepEqual(kept, Buffer.from(encoder.event(entry)));
      }
      assert.deepEqual(together, Buffer.concat(entries.map((entry) => entry.frames[encoder.format]!)));
    });
  }
});
