/**
 * A large body in parts that are in memory anyway, such as the items of a long list. The parts are put together only when the body is
 * written, in a buffer that is used again. A new buffer of a megabyte for each reply would make V8 collect all garbage after some
 * forty replies, and all requests wait for that.
 */
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';

export class JoinedBody {
  readonly length: number;
  readonly #parts: readonly Buffer[];

  constructor(parts: readonly Buffer[]) {
    this.#parts = parts;
    this.length = parts.reduce((sum, { length }) => sum + length, 0);
  }

  toBuffer(): Buffer {
    return Buffer.concat(this.#parts, this.length);
  }

  toString(): string {
    return this.toBuffer().toString();
  }

  /**
   * Returns the body for one response. If there is a free buffer, the bytes are in it until the response is closed.
   */
  bytesFor(response: ServerResponse): Buffer {
    // Inner requests have no real socket, and may read the bytes after the response is closed.
    const isShared = this.length <= BUFFER_BYTES && response.socket instanceof Socket && !response.destroyed;
    const buffer = isShared ? takeBuffer() : null;
    if (buffer === null) return this.toBuffer();
    response.once('close', () => free.push(buffer));
    let at = 0;
    for (const part of this.#parts) at += part.copy(buffer, at);
    return buffer.subarray(0, at);
  }
}

const BUFFER_BYTES = 2 * 1024 * 1024;
const MAX_BUFFERS = 4;
const free: Buffer[] = [];
let made = 0;

/** @returns null if all buffers are in use */
function takeBuffer(): Buffer | null {
  const known = free.pop();
  if (known !== undefined || made === MAX_BUFFERS) return known ?? null;
  made += 1;
  return Buffer.allocUnsafeSlow(BUFFER_BYTES);
}
