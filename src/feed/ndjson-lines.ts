import { readMember } from '../runtime/unknown-values.ts';
/**
 * Splits a byte stream into lines. Splits only at LF, because JSON text may contain U+2028, at which Node's line
 * reader splits.
 */

/** Thrown if the source was aborted, so that the last line may be incomplete. */
export class SourceAborted extends Error {
  constructor(cause: unknown) {
    super('the source ended early', { cause });
  }
}

export interface Line {
  /** The line without its line ending, cut off after `maxBytes`. */
  bytes: Buffer;
  /** True if the line was longer than `maxBytes`. */
  isTruncated: boolean;
}

const LF = 10;

/**
 * Yields the lines that each chunk of the source completes.
 * @throws {SourceAborted}
 */
export async function* linesOf(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Line[]> {
  let parts: Buffer[] = [];
  let length = 0;
  const line = (): Line => {
    const complete = { bytes: Buffer.concat(parts), isTruncated: length > maxBytes };
    parts = [];
    length = 0;
    return complete;
  };
  for await (const chunk of chunksOf(source)) {
    const lines: Line[] = [];
    let start = 0;
    for (;;) {
      const newline = chunk.indexOf(LF, start);
      const end = newline === -1 ? chunk.length : newline;
      // Bytes beyond the limit are not stored.
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
 * Yields the lines from `lines`, and reads ahead while the consumer works. The lines read meanwhile are yielded
 * together.
 * @param maxBytes how far to read ahead
 * @throws the error from `lines`, after all lines before it have been yielded
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
        const error = readMember(end, 'error');
        if (error !== undefined) throw error;
        return;
      }
    }
  } finally {
    // Not awaited, because the next chunk may never arrive.
    lines.return(undefined).catch(() => {});
  }
}

/**
 * Yields the source's chunks.
 * @throws {SourceAborted} instead of the source's error, which could not be distinguished from an error in the consumer
 */
export async function* chunksOf(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      let next: IteratorResult<Buffer>;
      try {
        next = await chunks.next();
      } catch (error) {
        throw new SourceAborted(error);
      }
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await chunks.return?.().catch(() => {});
  }
}
