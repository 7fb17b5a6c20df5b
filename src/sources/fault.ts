/** A failed request to a source. */

/**
 * - `unreachable`: no answer, an error of the server, or too many requests; it ends without an operator
 * - `misunderstood`: the answer is not the API's; the address, the key or the API has changed
 * - `refused`: the source does not answer this one request
 */
export type FaultKind = 'unreachable' | 'misunderstood' | 'refused';

export class SourceFault extends Error {
  readonly kind: FaultKind;
  /** Milliseconds that the source asks to wait. */
  readonly retryAfterMs: number | null;

  constructor(kind: FaultKind, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}
