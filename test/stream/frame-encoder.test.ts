import assert from 'node:assert/strict';
import { createRing } from '../../src/events/ring.ts';
import { FrameCache } from '../../src/stream/frame-encoder.ts';
import { sseEncoder } from '../../src/stream/sse-frames.ts';
import { textFrame, webSocketEncoder } from '../../src/stream/websocket-frames.ts';
import { record } from '../support/events.ts';

const links = { sync: '', replay: () => '' };

const TEXTS = ['{"a":1}', `{"a":"${'x'.repeat(200)}"}`, `{"a":"${'Ж'.repeat(500)}"}`, `{"a":"${'x'.repeat(70_000)}"}`];
const EXPECTED = [
  {
    encoder: sseEncoder,
    frame: (text: string, cursor: number) => Buffer.from(`id: ${cursor}\nevent: match.goal\ndata: ${text}\n\n`),
  },
  {
    encoder: webSocketEncoder,
    frame: (text: string, cursor: number) => textFrame(`{"cursor":${cursor},${text.slice(1)}`),
  },
];

describe('event frames', () => {
  for (const { encoder, frame } of EXPECTED) {
    it(`are the same from the ring and from the log (${encoder.protocol})`, () => {
      const records = TEXTS.map((envelope, index) => record(index + 1, { envelope }));
      const ring = createRing(0);
      ring.append(records);
      const entries = records.map((_, index) => ring.at(index));
      const wanted = records.map(({ envelope, cursor }) => frame(envelope, cursor));
      assert.deepEqual(entries.map(encoder.event), wanted);
      assert.deepEqual(records.map(encoder.event), wanted);
      const events = entries.map((one) => ({ kind: 'event' as const, record: one }));
      const frames = new FrameCache();
      for (let round = 1; round <= 2; round += 1) {
        assert.deepEqual(frames.encodeFrames(events, encoder, links, 0), Buffer.concat(wanted));
        assert.deepEqual(frames.encodeSlice(entries, encoder), Buffer.concat(wanted));
        assert.deepEqual(frames.encodeSlice(entries.slice(1, 2), encoder), wanted[1]);
      }
    });

    it(`are encoded once for clients that get the event at nearly the same time (${encoder.protocol})`, () => {
      const ring = createRing(0);
      ring.append(Array.from({ length: 100 }, (_, index) => record(index + 1, {}, 50_000)));
      const entries = Array.from({ length: 100 }, (_, index) => ring.at(index));
      const frames = new FrameCache();
      const alone = frames.encodeSlice(entries.slice(0, 1), encoder);
      frames.encodeSlice(entries.slice(0, 80), encoder);
      assert.equal(frames.encodeSlice(entries.slice(0, 1), encoder), alone);
      // Above 4 MiB, the encoder forgets its cached frames.
      frames.encodeSlice(entries.slice(80), encoder);
      const again = frames.encodeSlice(entries.slice(0, 1), encoder);
      assert.notEqual(again, alone);
      assert.deepEqual(again, alone);
    });
  }

  it('differ between protocols for the same entry', () => {
    const ring = createRing(0);
    ring.append([record(1)]);
    const frames = new FrameCache();
    const [sse, webSocket] = [sseEncoder, webSocketEncoder].map((one) => frames.encodeSlice([ring.at(0)], one));
    assert.notDeepEqual(sse, webSocket);
  });
});
