/** The baseline: plain sockets that get each event from a pipe as soon as it is published. */
import { answer } from '../child.ts';
import { memory, usage } from '../usage.ts';
import { openPlainSockets, WRITE_EVERY_MS } from './plain-sockets.ts';

const sockets = await openPlainSockets();
let due: string[] = [];
let written = Number.NEGATIVE_INFINITY;
let isDue = false;

function write(): void {
  isDue = false;
  written = performance.now();
  const envelopes = due;
  due = [];
  sockets.write(envelopes);
}

const api = {
  port: () => sockets.port,
  publish(...envelopes: string[]): void {
    due.push(...envelopes);
    if (!isDue) setTimeout(write, Math.max(0, written + WRITE_EVERY_MS - performance.now()));
    isDue = true;
  },
  usage,
  memory,
};
export type BoundApi = typeof api;
answer(api);
