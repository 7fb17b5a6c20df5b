/** Lines of a stream of bytes. Ends at LF alone: JSON text may hold U+2028, at which Node's own reader would break it. */

/** The source broke off: what came until then may be half a line. */
export class CutShort extends Error {
  constructor(cause: unknown) {
    super('the source ended early', { cause });
  }
}

export interface Line {
  /** Without the line's end; at most `maxBytes`. */
  bytes: Buffer;
  /** It was longer than that. */
  isCut: boolean;
}

const LF = 10;

/**
 * The lines that each piece of the source completes.
 * @throws {CutShort}
 */
export async function* linesOf(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Line[]> {
  let parts: Buffer[] = [];
  let length = 0;
  const line = (): Line => {
    const whole = { bytes: Buffer.concat(parts), isCut: length > maxBytes };
    parts = [];
    length = 0;
    return whole;
  };
  for await (const chunk of whole(source)) {
    const lines: Line[] = [];
    let start = 0;
    for (;;) {
      const newline = chunk.indexOf(LF, start);
      const end = newline === -1 ? chunk.length : newline;
      // Of a line without end nothing is kept that nobody reads.
      if (length < maxBytes && end > start) parts.push(chunk.subarray(start, Math.min(end, start + maxBytes - length)));
      length += end - start;
      if (newline === -1) break;
      lines.push(line());
      start = newline + 1;
    }
    if (lines.length > 0) yield lines;
  }
  if (length > 0) yield [line()];
}

/** Tells a fault of the source from one of its reader. */
export async function* whole(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      let next: IteratorResult<Buffer>;
      try {
        next = await chunks.next();
      } catch (error) {
        throw new CutShort(error);
      }
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await chunks.return?.().catch(() => {});
  }
}
