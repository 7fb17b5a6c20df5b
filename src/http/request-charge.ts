/** The charge for one request. The cost may change once the query has been read, and once the reply is known. */
import type { ServerResponse } from 'node:http';
import type { Charge, ChargeRequest } from './charge.ts';
import { setAll } from './headers.ts';
import type { RequestRecord } from './request-record.ts';

export class RequestCharge {
  readonly #facts: RequestRecord;
  #charge: Charge | undefined;

  /** @param charge the charge that was made. Undefined if the plan has no limits, or if nobody is charged */
  constructor(facts: RequestRecord, charge: Charge | undefined, cost: number) {
    this.#facts = facts;
    this.#charge = charge;
    facts.cost = cost;
    if (charge !== undefined) facts.headers.addAll(charge.headers);
  }

  /**
   * Replaces the charge by a higher one. All is charged at once, because a burst admits a request as soon as it is full.
   * @throws {Problem} rate_limited, quota_exceeded; then nothing is charged
   */
  async raise(cost: number, charge: () => ReturnType<ChargeRequest>): Promise<void> {
    this.#facts.cost = cost;
    if (this.#charge === undefined) return;
    this.#charge.refund();
    this.#charge = undefined;
    this.#charge = await charge();
    this.#facts.headers.replaceAll(this.#charge?.headers ?? []);
  }

  /** Reduces the charge to this cost. */
  lower(cost: number): void {
    const left = this.#facts.cost - cost;
    this.#facts.cost = cost;
    if (left > 0 && this.#charge !== undefined) this.#facts.headers.replaceAll(this.#charge.refund(left));
  }

  /** Refunds the whole cost. */
  makeFree(response: ServerResponse): void {
    this.#facts.cost = 0;
    if (this.#charge === undefined) return;
    this.#facts.headers.setOn(response);
    setAll(response, this.#charge.refund());
  }
}
