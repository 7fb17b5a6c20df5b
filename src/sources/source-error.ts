/** A failed request to a source. */

/**
 * - `unreachable`: no answer, a server error, or too many requests; such a fault ends without the operator's help
 * - `misunderstood`: an answer that does not fit the API, because the address, the key or the API has changed
 * - `refused`: the source refuses this request, but may answer the next one
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
