/**
 * The furthest position that a service with read replicas has named in its replies. The client sends it with each request,
 * so that no reply is older than an earlier one.
 */

const POSITION = /^(\d{1,10})-([\dA-F]{1,14})$/u;

export class ReachedPosition {
  private text: string | null = null;
  private parts: readonly [timeline: number, bytes: number] = [0, 0];

  /** Headers for the next request. Empty if the service has no read replicas. */
  get headers(): Record<string, string> {
    return this.text === null ? {} : { 'Touchline-Position': this.text };
  }

  /** Keeps a reply's position, unless an earlier reply was further. Replies may arrive in any order. */
  take(response: Response): void {
    const text = response.headers.get('touchline-position');
    const [, timeline, bytes] = POSITION.exec(text ?? '') ?? [];
    if (timeline === undefined || bytes === undefined) return;
    const parts = [Number(timeline), Number.parseInt(bytes, 16)] as const;
    const isFurther = parts[0] > this.parts[0] || (parts[0] === this.parts[0] && parts[1] > this.parts[1]);
    if (!isFurther) return;
    this.text = text;
    this.parts = parts;
  }
}
