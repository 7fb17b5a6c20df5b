/** Waits until a hub has run its timers, instead of waiting for a fixed time. */
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { EVERYTHING } from '../../src/events/filter.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import type { Hub } from '../../src/stream/hub.ts';
import { sseEncoder } from '../../src/stream/sse-frames.ts';

/** Resolves when the hub has checked the timers of all connections at its clock's current time or later. */
export async function timersChecked(hub: Hub, clock: Clock): Promise<void> {
  const since = clock.now();
  const socket = new Writable({ write: (_chunk, _encoding, done) => done() });
  // Connections are checked in the order in which they were opened, so a new connection is checked last.
  const checked = new Promise<void>((resolve) => {
    void hub.connect({
      socket,
      encoder: sseEncoder,
      filter: EVERYTHING,
      cursor: null,
      links: { sync: '', replay: () => '' },
      owner: { opened() {}, left() {}, tick: (now) => now >= since && resolve() },
    });
  });
  await checked;
  socket.destroy();
  await once(socket, 'close');
}
