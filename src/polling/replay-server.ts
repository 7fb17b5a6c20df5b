/** Serves a recording as the source did, reply by reply, at a chosen speed. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Clock } from '../runtime/clock.ts';
import { grouped } from '../wire/grouped.ts';
import { DAY_MS, utcDay } from '../wire/time.ts';
import type { RecordedReply } from './recording.ts';

export interface ReplayOptions {
  /** How many recorded seconds pass in one second. */
  speed: number;
  /** True if the times in the replies are moved, so that the recorded matches seem to happen now. */
  moveTimes: boolean;
  /** 0 means any free port. */
  port: number;
  host?: string;
  clock: Clock;
}

export interface ReplayServer {
  url: string;
  close(): Promise<void>;
}

/** @param replies in order of arrival; at least one */
export async function startReplayServer(
  replies: readonly RecordedReply[],
  options: ReplayOptions,
): Promise<ReplayServer> {
  const { speed, moveTimes, port, host = '127.0.0.1', clock } = options;
  const begunAt = clock.now();
  const recordedAt = replies[0]!.at;
  const byPath = grouped(replies, ({ path }) => path);
  const toRecorded = (now: number) => recordedAt + (now - begunAt) * speed;
  const move = moveTimes ? timeMover(recordedAt, begunAt, speed) : null;

  function findReply(path: string, now: number): RecordedReply | undefined {
    const recorded = byPath.get(path) ?? (move ? byPath.get(move.back(path)) : undefined);
    const at = toRecorded(now);
    return recorded?.findLast((reply) => reply.at <= at) ?? recorded?.[0];
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const now = clock.now();
    const reply = findReply(request.url ?? '/', now);
    if (reply === undefined) {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('the recording has no reply to this path\n');
      return;
    }
    const { date: _, 'content-type': type = 'application/json', ...headers } = reply.headers;
    const served = moveTimes ? now : toRecorded(now);
    response.setHeader('Date', new Date(served).toUTCString());
    if (headers.etag !== undefined && request.headers['if-none-match'] === headers.etag) {
      response.writeHead(304, headers).end();
      return;
    }
    response.writeHead(reply.status, { ...headers, 'Content-Type': type, ...encoding(request) });
    response.end(compress(request, move ? move.forward(reply.body) : reply.body));
  }

  const server = createServer(answer);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const accepts = (request: IncomingMessage, name: string) =>
  String(request.headers['accept-encoding'] ?? '').includes(name);
const encoding = (request: IncomingMessage): Record<string, string> =>
  accepts(request, 'gzip') ? { 'Content-Encoding': 'gzip' } : {};
const compress = (request: IncomingMessage, text: string) => (accepts(request, 'gzip') ? gzipSync(text) : text);

/**
 * Matches times with or without a zone, and days. Years outside 1900–2099 do not count; for example, 0001-01-01 stands
 * for no time.
 */
const TIMES = /\b((?:19|20)\d\d-\d\d-\d\d)(?:([T ]\d\d:\d\d(?::\d\d)?)(\.\d+)?(Z|[+-]\d\d:?\d\d)?)?/gu;
const UNIX_TIMES = /("unixtime":\s*"?)(\d{10})\b/gu;

/**
 * Returns functions that move the times in a text. A time that was recorded as `from` becomes `to`, and the distances
 * of all times from it are divided by `speed`. Days without a time move by whole days.
 */
function timeMover(from: number, to: number, speed: number) {
  const moveTime = (ms: number) => to + (ms - from) / speed;
  const days = Math.floor(to / DAY_MS) - Math.floor(from / DAY_MS);
  const moveDay = (day: string, by: number) => utcDay(Date.parse(day) + by * DAY_MS);
  return {
    forward: (text: string) =>
      text
        .replace(TIMES, (whole, day: string, time?: string, fraction?: string, zone?: string) => {
          if (time === undefined) return moveDay(day, days);
          const offset = zone === undefined || zone === 'Z' ? 0 : offsetMs(zone);
          const wall = Date.parse(`${day}T${time.slice(1)}Z`);
          if (Number.isNaN(wall)) return whole;
          const moved = new Date(moveTime(wall - offset) + offset).toISOString();
          return `${moved.slice(0, 10)}${time[0]}${moved.slice(11, 10 + time.length)}${fraction ?? ''}${zone ?? ''}`;
        })
        .replace(
          UNIX_TIMES,
          (_, key: string, seconds: string) => `${key}${Math.round(moveTime(Number(seconds) * 1_000) / 1_000)}`,
        ),
    /** Returns the path as it was recorded, with the original days. */
    back: (path: string) => path.replace(/\b(?:19|20)\d\d-\d\d-\d\d\b/gu, (day) => moveDay(day, -days)),
  };
}

function offsetMs(zone: string): number {
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
