/** Thousands of readers in one process: raw sockets that share one buffer, and look for the time in each event. */
import { connect, type Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { answer } from './child.ts';
import { STAMP, STAMP_DIGITS } from './event.ts';
import { BIN_US } from './histogram.ts';
import { nowUs, usage } from './usage.ts';

export type Protocol = 'sse' | 'ws';

export interface Opening {
  port: number;
  protocol: Protocol;
  count: number;
  /** Of each connection, taken in turn. */
  paths: string[];
  keys: string[];
  /** Does not read what comes after the answer's head. */
  stalled?: boolean;
}

/** Connections that are being opened at a time. */
const OPENING = 200;
const PATIENCE_MS = 60_000;
/** Of the histogram: up to 60 s. */
const BINS = 600_000;
/** A sign of life without content, which a WebSocket gives with the first bytes that come after so long: nobody has to ask for one. */
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
const SIGN_EVERY_MS = 10_000;
const PORTS_PER_ADDRESS = 10_000;

const stamp = Buffer.from(STAMP);
const stampBytes = stamp.length + STAMP_DIGITS;
/** All sockets read into this one: each is done with it when its callback returns. */
const shared = Buffer.allocUnsafe(256 * 1024);
const histogram = new Uint32Array(BINS);
let received = 0;
let bytesReceived = 0;
let lastAt = 0;
let ended = 0;
let sockets: Socket[] = [];
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();

function note(data: Buffer, at: number): void {
  let sent = 0;
  for (let i = at; i < at + STAMP_DIGITS; i += 1) sent = sent * 10 + data[i]! - 48;
  const now = nowUs();
  const bin = Math.min(BINS - 1, Math.max(0, Math.floor((now - sent) / BIN_US)));
  histogram[bin]! += 1;
  received += 1;
  lastAt = now;
}

/** Looks for times, and keeps what may be the beginning of one that has been cut. */
function reader(socket: Socket, protocol: Protocol): (length: number) => boolean {
  let rest: Buffer | null = null;
  let signedAt = performance.now();
  const lastByte = (protocol === 'sse' ? '\n' : '}').charCodeAt(0);
  return (length) => {
    bytesReceived += length;
    if (protocol === 'ws' && performance.now() - signedAt > SIGN_EVERY_MS) {
      signedAt = performance.now();
      socket.write(PONG);
    }
    const chunk = shared.subarray(0, length);
    const data = rest === null ? chunk : Buffer.concat([rest, chunk]);
    let next = 0;
    for (;;) {
      const found = data.indexOf(stamp, next);
      if (found < 0 || found + stampBytes > data.length) break;
      note(data, found + stamp.length);
      next = found + stampBytes;
    }
    const whole = data[data.length - 1] === lastByte;
    rest = whole ? null : Buffer.from(data.subarray(Math.max(next, data.length - stampBytes)));
    return true;
  };
}

const heads: Record<Protocol, string> = {
  sse: 'Accept: text/event-stream\r\n',
  ws: 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
};
const ACCEPTED = /^HTTP\/1\.1 (200|101) /;

/** Of this process alone: ports that the clients before it have used are not free for a minute. */
const ADDRESSES = `127.${1 + (Math.floor(process.pid / 250) % 250)}.${process.pid % 250}`;
let opened = 0;

function openOne({ port, protocol, paths, keys, stalled }: Opening, index: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const path = paths[index % paths.length]!;
    const key = keys.length === 0 ? '' : `X-API-Key: ${keys[index % keys.length]}\r\n`;
    let read: ((length: number) => boolean) | null = null;
    let head = '';
    const timer = setTimeout(() => fail(new Error(`no answer within ${PATIENCE_MS} ms: ${head}`)), PATIENCE_MS);
    const socket = connect({
      host: '127.0.0.1',
      port,
      localAddress: `${ADDRESSES}.${1 + (Math.floor(opened++ / PORTS_PER_ADDRESS) % 200)}`,
      noDelay: true,
      onread: {
        buffer: shared,
        callback: (length) => {
          if (read !== null) return read(length);
          head += shared.toString('latin1', 0, length);
          const end = head.indexOf('\r\n\r\n');
          if (end < 0) return true;
          clearTimeout(timer);
          if (!ACCEPTED.test(head)) fail(new Error(head));
          read = reader(socket, protocol);
          const more = head.length - end - 4;
          shared.write(head.slice(end + 4), 0, 'latin1');
          if (more > 0) read(more);
          resolve();
          if (!stalled) return true;
          socket.pause();
          return false;
        },
      },
    });
    function fail(error: Error): void {
      clearTimeout(timer);
      socket.destroy();
      reject(error);
    }
    socket.once('error', fail);
    socket.once('close', () => {
      ended += 1;
    });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${key}${heads[protocol]}\r\n`);
    sockets.push(socket);
  });
}

const api = {
  /** @returns milliseconds until all were connected */
  async open(opening: Opening): Promise<number> {
    const begun = performance.now();
    let next = 0;
    const worker = async () => {
      while (next < opening.count) {
        const index = next;
        next += 1;
        await openOne(opening, index);
      }
    };
    await Promise.all(Array.from({ length: OPENING }, worker));
    return performance.now() - begun;
  },
  reset(): void {
    histogram.fill(0);
    received = 0;
    bytesReceived = 0;
    delay.reset();
    usage();
  },
  received: () => received,
  /** Since the last reset. */
  results: () => ({
    ...usage(),
    received,
    bytes: bytesReceived,
    lastAt,
    ended,
    /** Of the event loop, in milliseconds. */
    lagP99: delay.percentile(99) / 1e6,
    histogram: Array.from(histogram.subarray(0, lastBin() + 1)),
  }),
  async close(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    sockets = [];
    await new Promise((resolve) => setTimeout(resolve, 500));
    ended = 0;
  },
};

function lastBin(): number {
  for (let bin = BINS - 1; bin > 0; bin -= 1) if (histogram[bin]! > 0) return bin;
  return 0;
}

export type ClientsApi = typeof api;
answer(api);
