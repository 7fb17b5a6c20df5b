/** Why there was no weather. */

/**
 * - `unreachable`: no answer, an error of the server, or too many requests; nobody has to do anything
 * - `misunderstood`: an answer that is not the API's; the address, the key or the API has changed
 * - `refused`: the provider does not answer this one request
 */
export type FaultKind = 'unreachable' | 'misunderstood' | 'refused';

export class WeatherFault extends Error {
  readonly kind: FaultKind;
  /** How long the provider asks to wait. */
  readonly retryAfterMs: number | null;

  constructor(kind: FaultKind, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}
