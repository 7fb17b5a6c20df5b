/** A failed request to a source. */

/**
 * - `unreachable`: no answer, a server error, or too many requests; this ends without an operator
 * - `misunderstood`: an answer that the API does not give; the address, the key or the API has changed
 * - `refused`: the source refuses this request, and may answer the next
 */
export type SourceErrorKind = 'unreachable' | 'misunderstood' | 'refused';

export class SourceError extends Error {
  readonly kind: SourceErrorKind;
  /** How long the source asks to wait, in ms. */
  readonly retryAfterMs: number | null;

  constructor(kind: SourceErrorKind, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}
