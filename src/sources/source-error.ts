/** A failed request to a source. */

/**
 * - `unreachable`: no answer, a server error, or too many requests; it ends without an operator
 * - `misunderstood`: the answer is not the API's; the address, the key or the API has changed
 * - `refused`: the source does not answer this one request
 */
export type SourceErrorKind = 'unreachable' | 'misunderstood' | 'refused';

export class SourceError extends Error {
  readonly kind: SourceErrorKind;
  /** Milliseconds that the source asks to wait. */
  readonly retryAfterMs: number | null;

  constructor(kind: SourceErrorKind, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}
