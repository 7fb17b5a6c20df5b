/** Waits for the timers of a hub instead of a fixed time. */
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { EVERYTHING } from '../../src/events/filter.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import type { Hub } from '../../src/stream/hub.ts';
import { sseEncoder } from '../../src/stream/sse-frames.ts';

/** Resolves when the hub has checked the timers of all its connections at the present time of its clock, or a later one. */
export async function timersChecked(hub: Hub, clock: Clock): Promise<void> {
  const since = clock.now();
  const socket = new Writable({ write: (_chunk, _encoding, done) => done() });
  // Connections are checked in the order of their opening, so the new one is the last.
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
