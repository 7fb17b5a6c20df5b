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

/**
 * The same lines, read on while their reader is at work, so that what has come meanwhile is handed over together.
 * @param maxBytes how far ahead it reads
 * @throws what `lines` throws, when all that came before has been handed over
 */
export async function* readAhead(lines: AsyncGenerator<Line[]>, maxBytes: number): AsyncGenerator<Line[]> {
  let waiting: Line[] = [];
  let bytes = 0;
  let end: { error?: unknown } | null = null;
  let reading: Promise<void> | null = null;
  const read = async () => {
    try {
      const { done, value } = await lines.next();
      if (done) end = {};
      else waiting.push(...value);
      for (const line of value ?? []) bytes += line.bytes.length;
    } catch (error) {
      end = { error };
    }
    reading = null;
    if (end === null && bytes < maxBytes) reading = read();
  };
  try {
    for (;;) {
      if (end === null) reading ??= read();
      if (waiting.length === 0) await reading;
      if (waiting.length > 0) {
        const together = waiting;
        waiting = [];
        bytes = 0;
        yield together;
      } else if (end !== null) {
        const { error } = end as { error?: unknown };
        if (error !== undefined) throw error;
        return;
      }
    }
  } finally {
    // Not waited for: the next piece may never come.
    lines.return(undefined).catch(() => {});
  }
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
