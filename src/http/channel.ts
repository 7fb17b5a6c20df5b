/**
 * A channel is a way in which the service sends messages, either a stream or the webhooks. Like a route, a channel is a
 * value from which the documents are made.
 */
import type { z } from 'zod';
import type { AnyRoute } from './route.ts';

export interface Message {
  /** Name in the documents, and the webhook's id in OpenAPI. */
  name: string;
  summary: string;
  payload: z.ZodType;
  example: object;
}

/** A client message. */
export interface ClientMessage extends Message {
  /** Names of the messages that may answer this message. */
  answers: readonly string[];
}

interface Described {
  /** Name in the AsyncAPI document. */
  name: string;
  title: string;
  description: string;
  sends: readonly Message[];
}

/** A stream that a client opens at a route's address. */
export interface StreamChannel extends Described {
  kind: 'sse' | 'websocket';
  route: AnyRoute;
  receives: readonly ClientMessage[];
  /** Meanings of the codes with which the service closes a WebSocket. */
  closeCodes?: Readonly<Record<number, string>>;
}

/** Requests that the service sends to a user's address. */
export interface WebhookChannel extends Described {
  kind: 'webhook';
  tag: string;
  /** Headers on each request, with descriptions. */
  headers: Readonly<Record<string, string>>;
  /** Description for each reply status; `2XX` stands for all statuses from 200 to 299. */
  responses: Readonly<Record<string, string>>;
}

export type Channel = StreamChannel | WebhookChannel;
