/** A client at the other end of a socket. It may stop reading. */
import { Writable } from 'node:stream';
import { cursorsOf, parseSse, type SseFrame } from './sse.ts';

export class Reader extends Writable {
  text = '';
  writes = 0;
  /** Chunks that were written while the client was not reading. */
  readonly chunks: Buffer[] = [];
  onWrite: (chunk: Buffer) => void = () => {};
  private take: (() => void) | null = null;
  private stopped = false;

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.writes += 1;
    this.onWrite(chunk);
    const take = () => {
      this.text += chunk.toString();
      done();
    };
    if (this.stopped) {
      this.chunks.push(chunk);
      this.take = take;
    } else take();
  }

  stop(): void {
    this.stopped = true;
  }

  go(): void {
    this.stopped = false;
    const { take } = this;
    this.take = null;
    take?.();
  }

  frames = (): SseFrame[] => parseSse(this.text);
  cursors = (): number[] => cursorsOf(this.frames());
}
