/** The beginning of a reply's body, for an owner who searches for a mistake. */

/** Stored size per reply. */
const EXCERPT_BYTES = 1_024;

/** Collects the first bytes of a body. */
export class ReplyExcerpt {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  add(chunk: Buffer): void {
    if (this.#bytes >= EXCERPT_BYTES) return;
    const part = chunk.subarray(0, EXCERPT_BYTES - this.#bytes);
    this.#chunks.push(part);
    this.#bytes += part.length;
  }

  /** @returns text that Postgres can store: invalid UTF-8 and NUL are replaced; null for an empty body */
  text(): string | null {
    if (this.#bytes === 0) return null;
    const bytes = Buffer.concat(this.#chunks, this.#bytes);
    // Decodes as a stream, which leaves out a character that is cut in two at the end.
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
    return text.replaceAll('\0', '\ufffd');
  }
}
