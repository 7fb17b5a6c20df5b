/** WebSocket clients: a correct one, and one that can write any bytes. */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { SERVER_MESSAGES } from '../../src/stream/message-schemas.ts';
import { until } from './until.ts';

const serverMessage = z.union(Object.values(SERVER_MESSAGES));

export interface Message {
  type: string;
  cursor: number;
  [member: string]: unknown;
}

export interface Closed {
  code: number;
  reason: string;
}

export interface Client {
  ws: WebSocket;
  texts: string[];
  messages(): Message[];
  /**
   * Waits for `count` messages that match.
   * @returns the last of these messages
   */
  next(fits: string | ((message: Message) => boolean), count?: number): Promise<Message>;
  say(message: unknown): void;
  closed: Promise<Closed>;
  over(): Closed | null;
  cut(): void;
}

/** @param url the service's HTTP address, with path and query */
export function openWebSocket(url: string, given: Record<string, string> = {}): Client {
  // The package ws sends only the subprotocols that it is given, and fails if the reply has a different one.
  const { 'Sec-WebSocket-Protocol': offers, ...headers } = given;
  const ws = new WebSocket(url.replace(/^http/, 'ws'), offers?.split(/, */), { headers, perMessageDeflate: true });
  const texts: string[] = [];
  let over: Closed | null = null;
  ws.on('message', (data) => texts.push(data.toString()));
  ws.on('error', () => {});
  const closed = new Promise<Closed>((resolve) => {
    ws.once('close', (code, reason) => {
      over = { code, reason: reason.toString() };
      resolve(over);
    });
  });
  // Checks every message in every test against the AsyncAPI document.
  const messages = () => texts.map((text) => serverMessage.parse(JSON.parse(text)) as Message);
  return {
    ws,
    texts,
    messages,
    async next(fits, count = 1) {
      const fit = typeof fits === 'string' ? ({ type }: Message) => type === fits : fits;
      const found = () => messages().filter(fit);
      await until(
        `${count} of ${fits}; have ${texts.slice(-3)} ${JSON.stringify(over)}`,
        () => found().length >= count,
      );
      return found()[count - 1]!;
    },
    say: (message) => ws.send(typeof message === 'string' ? message : JSON.stringify(message)),
    closed,
    over: () => over,
    cut: () => ws.terminate(),
  };
}

export interface FrameParts {
  fin?: boolean;
  rsv?: number;
  opcode: number;
  payload?: Buffer | string;
  masked?: boolean;
  /** Length to declare instead of the payload's real length, as 64 bits. */
  length?: bigint;
}

/** Encodes a frame from the client, which may be invalid. */
export function frame({ fin = true, rsv = 0, opcode, payload = '', masked = true, length }: FrameParts): Buffer {
  const body = Buffer.from(payload);
  const mask = masked ? randomBytes(4) : Buffer.alloc(0);
  const head = [(fin ? 0x80 : 0) | (rsv << 4) | opcode];
  const bit = masked ? 0x80 : 0;
  let size: Buffer;
  if (length !== undefined) {
    head.push(bit | 127);
    size = Buffer.alloc(8);
    size.writeBigUInt64BE(length);
  } else if (body.length > 0xffff) {
    head.push(bit | 127);
    size = Buffer.alloc(8);
    size.writeBigUInt64BE(BigInt(body.length));
  } else if (body.length > 125) {
    head.push(bit | 126);
    size = Buffer.alloc(2);
    size.writeUInt16BE(body.length);
  } else {
    head.push(bit | body.length);
    size = Buffer.alloc(0);
  }
  const sent = masked ? body.map((byte, i) => byte ^ mask[i % 4]!) : body;
  return Buffer.concat([Buffer.from(head), size, mask, sent]);
}

export interface RawClient {
  socket: Socket;
  /** Returns all bytes received after the handshake. */
  bytes(): Buffer;
  frames(): { opcode: number; payload: Buffer }[];
  /** Returns the code in the server's close frame. */
  closeCode(): Promise<number>;
  ended: Promise<void>;
}

/** Parses a server's frames, which have no mask. */
function readFrames(bytes: Buffer): { opcode: number; payload: Buffer }[] {
  const frames: { opcode: number; payload: Buffer }[] = [];
  for (let at = 0; at + 2 <= bytes.length; ) {
    const opcode = bytes[at]! & 0x0f;
    const short = bytes[at + 1]!;
    const header = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (at + header > bytes.length) break;
    const length =
      short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
    if (at + header + length > bytes.length) break;
    frames.push({ opcode, payload: bytes.subarray(at + header, at + header + length) });
    at += header + length;
  }
  return frames;
}

const CLOSE = 8;

/** Completes the handshake, and leaves everything after it to the test. */
export async function openRawWebSocket(port: number, path: string): Promise<RawClient> {
  const socket = connect(port, '127.0.0.1');
  let got = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    got = Buffer.concat([got, chunk]);
  });
  socket.on('error', () => {});
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  );
  await until('the handshake is answered', () => got.includes('\r\n\r\n'));
  const start = got.indexOf('\r\n\r\n') + 4;
  const bytes = () => got.subarray(start);
  const frames = () => readFrames(bytes());
  return {
    socket,
    bytes,
    frames,
    ended,
    async closeCode() {
      const closing = () => frames().find(({ opcode }) => opcode === CLOSE);
      await until('the server closes', () => closing() !== undefined);
      return closing()!.payload.readUInt16BE(0);
    },
  };
}
