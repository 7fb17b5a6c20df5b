/** A stream or the webhooks, by which the service sends messages: a value like a route, from which the documents are made. */
import type { z } from 'zod';
import type { AnyRoute } from './route.ts';

export interface Message {
  /** Its name in the documents; also the id of its webhook in OpenAPI. */
  name: string;
  summary: string;
  payload: z.ZodType;
  example: object;
}

/** A message of a client. */
export interface ClientMessage extends Message {
  /** Names of the messages that may answer it. */
  answers: readonly string[];
}

interface Described {
  /** Its name in the AsyncAPI document. */
  name: string;
  title: string;
  description: string;
  sends: readonly Message[];
}

/** A stream that a client opens at the address of a route. */
export interface StreamChannel extends Described {
  kind: 'sse' | 'websocket';
  route: AnyRoute;
  receives: readonly ClientMessage[];
  /** Meaning of the codes with which the service closes a WebSocket. */
  closeCodes?: Readonly<Record<number, string>>;
}

/** Requests that the service sends to an address of a user. */
export interface WebhookChannel extends Described {
  kind: 'webhook';
  tag: string;
  /** Headers of each request, with their description. */
  headers: Readonly<Record<string, string>>;
  /** Description of each status of a reply; `2XX` stands for all of them. */
  responses: Readonly<Record<string, string>>;
}

export type Channel = StreamChannel | WebhookChannel;
