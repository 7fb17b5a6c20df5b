/**
 * Puts load on a server over keep-alive connections. It reads only the status and length of each response, so the client needs only a
 * fraction of the server's CPU time.
 */
import { connect, type Socket } from 'node:net';

const CONNECTIONS = 64;
const END_OF_HEAD = Buffer.from('\r\n\r\n');

export interface Target {
  port: number;
  paths: readonly string[];
  key: string;
}

/** Sends requests on a connection, one at a time. The next one is sent when the response to the last one has ended. */
function converse(socket: Socket, next: () => Buffer, answered: () => void, failed: (error: Error) => void): void {
  let missing = 0;
  let head: Buffer | null = null;
  socket.on('data', (chunk: Buffer) => {
    let rest = chunk;
    if (missing === 0) {
      rest = head === null ? chunk : Buffer.concat([head, chunk]);
      const end = rest.indexOf(END_OF_HEAD);
      if (end === -1) {
        head = rest;
        return;
      }
      head = null;
      const text = rest.toString('latin1', 0, end);
      const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
      if (!text.startsWith('HTTP/1.1 200 ') || length === undefined) return failed(new Error(text));
      missing = Number(length);
      rest = rest.subarray(end + END_OF_HEAD.length);
    }
    missing -= rest.length;
    if (missing > 0) return;
    answered();
    socket.write(next());
  });
  socket.once('connect', () => socket.write(next()));
  socket.once('error', failed);
}

/**
 * Keeps this process busy, so that the server does not have to wake it on each write.
 * @returns a function that ends this
 */
function stayAwake(): () => void {
  let next = setImmediate(turn);
  function turn(): void {
    next = setImmediate(turn);
  }
  return () => clearImmediate(next);
}

/**
 * Requests the paths in turn for `ms`.
 * @param isAwake whether the client may keep its core busy, so that the server spends no time on waking it
 * @returns the number of responses
 */
export async function load({ port, paths, key }: Target, ms: number, isAwake = false): Promise<number> {
  const requests = paths.map((path) =>
    Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${key}\r\nConnection: keep-alive\r\n\r\n`),
  );
  let sent = 0;
  let answers = 0;
  const next = () => requests[sent++ % requests.length]!;
  const answered = () => {
    answers += 1;
  };
  const sockets = Array.from({ length: CONNECTIONS }, () => connect({ host: '127.0.0.1', port, noDelay: true }));
  const sleep = isAwake ? stayAwake() : () => {};
  try {
    await new Promise((resolve, reject) => {
      for (const socket of sockets) converse(socket, next, answered, reject);
      setTimeout(resolve, ms);
    });
    return answers;
  } finally {
    sleep();
    for (const socket of sockets) socket.destroy();
  }
}
