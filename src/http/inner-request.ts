/** Requests inside a request: a handler asks another route as its client, with the same checks, charges and log. */
import type { IncomingMessage, RequestListener } from 'node:http';
import { bearerToken } from './auth.ts';
import { headerText } from './origin.ts';

export interface Answer {
  status: number;
  /** With lower-case names. */
  headers: Readonly<Record<string, string | string[] | number | undefined>>;
  body: string;
}

/**
 * Gets a path, with its query, of this process; the answer is complete, so it is not for streams.
 * @param headers besides the ones that say who asks
 */
export type Ask = (target: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>;

/** Headers that say who asks; others, such as conditions and encodings, concern the outer response. */
const PASSED = [
  'host',
  'origin',
  'referer',
  'user-agent',
  'accept-language',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
] as const;

/**
 * @param listener returns the listener of the app; called with each request
 * @returns a function that makes the `ask` of one request
 */
export const createAsk =
  (listener: () => RequestListener) =>
  ({ headers: outer, socket }: IncomingMessage, requestId: string): Ask =>
  async (target, more = {}) => {
    // Few processes need it, and commands start faster without it.
    const { inject } = await import('light-my-request');
    const headers: Record<string, string> = { 'x-request-id': requestId };
    for (const name of PASSED) {
      const value = headerText(outer[name]);
      if (value !== undefined) headers[name] = value;
    }
    const key = headerText(outer['x-api-key']) || bearerToken(outer);
    if (key !== undefined) headers['x-api-key'] = key;
    const {
      statusCode,
      headers: sent,
      payload,
    } = await inject(listener(), {
      url: target,
      headers: { ...headers, ...more },
      remoteAddress: socket.remoteAddress,
    });
    return { status: statusCode, headers: sent, body: payload };
  };
