/**
 * Requests inside a request. A handler requests a route on behalf of the client, with the same checks, charges and log.
 */
import type { IncomingMessage, RequestListener } from 'node:http';
import { bearerToken } from './auth.ts';
import type { AwaitBurst, Charge } from './charge.ts';
import { headerText } from './origin.ts';

export interface Answer {
  status: number;
  /** Headers with lower-case names. */
  headers: Readonly<Record<string, string | string[] | number | undefined>>;
  body: string;
}

/**
 * Charges an inner request, or a WebSocket message, before it begins.
 * @param awaitBurst waits while the burst is used up; without it the request is refused at once
 * @returns undefined if the plan has no limits
 * @throws {Problem} rate_limited or quota_exceeded if a limit is used up
 */
export type ChargeInner = (cost: number, awaitBurst?: AwaitBurst) => Promise<Charge | undefined>;

/**
 * Requests a path, with its query, from this process. The answer is returned as a whole, so streams cannot be
 * requested.
 * @param charge the charge that was made for this request; without it the request is charged as usual
 */
export type Ask = (target: string, charge?: Charge) => Promise<Answer>;

type Charged = Charge | undefined | Promise<Charge | undefined>;
const charges = new WeakMap<IncomingMessage, { charged: Charged }>();

/** Stores the charge that was made before the app gets a request. A rejected promise refuses the request. */
export function chargeBefore(request: IncomingMessage, charged: Charged): void {
  if (charged instanceof Promise) charged.catch(() => {});
  charges.set(request, { charged });
}

/** Returns the charge that was made before the app got the request. Null if there was none. */
export const chargedBefore = (request: IncomingMessage): { charged: Charged } | null => charges.get(request) ?? null;

/**
 * Headers that are passed on, because they identify the client. The rest, such as conditions and encodings, concern
 * only the outer response.
 */
const PASSED = [
  'host',
  'origin',
  'referer',
  'user-agent',
  'accept-language',
  'touchline-position',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
] as const;

/**
 * @param listener returns the app's listener; called for each request
 * @returns a function that makes the `ask` function for one request
 */
export const createAsk =
  (listener: () => RequestListener) =>
  ({ headers: outer, socket }: IncomingMessage, requestId: string): Ask =>
  async (target, charge) => {
    // Loaded when first needed, because few processes need it, and commands start faster without it.
    const { inject } = await import('light-my-request');
    const headers: Record<string, string> = { 'x-request-id': requestId };
    for (const name of PASSED) {
      const value = headerText(outer[name]);
      if (value !== undefined) headers[name] = value;
    }
    const key = headerText(outer['x-api-key']) || bearerToken(outer);
    if (key !== undefined) headers['x-api-key'] = key;
    const answer: RequestListener = (request, response) => {
      if (charge !== undefined) chargeBefore(request, charge);
      return listener()(request, response);
    };
    const {
      statusCode,
      headers: sent,
      payload,
    } = await inject(answer, { url: target, headers, remoteAddress: socket.remoteAddress });
    return { status: statusCode, headers: sent, body: payload };
  };
