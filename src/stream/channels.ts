/** The streams as channels in the AsyncAPI document. */
import type { ClientMessage, Message, StreamChannel } from '../http/index.ts';
import { EXAMPLE_EVENT, envelope } from '../wire/envelope.ts';
import { CLOSE_CODES } from './close-codes.ts';
import { CLIENT_MESSAGES, SERVER_MESSAGES, sseGap } from './message-schemas.ts';
import { stream } from './routes.ts';
import { webSocket } from './websocket.ts';

const CURSOR = 41_902;
const frame = { cursor: CURSOR, ...EXAMPLE_EVENT };
const filters = { sport: ['football'], league: [17], event_type: ['match.goal'] };

const sent: readonly Message[] = [
  {
    name: 'connected',
    summary: "The first message, with the connection's position",
    payload: SERVER_MESSAGES.connected,
    example: { type: 'connected', cursor: CURSOR },
  },
  {
    name: 'event',
    summary: 'An event that passes the filter, with the cursor',
    payload: SERVER_MESSAGES.event,
    example: frame,
  },
  {
    name: 'heartbeat',
    summary: 'Sent when there was no event for 15 s; moves the cursor of a narrow filter',
    payload: SERVER_MESSAGES.heartbeat,
    example: { type: 'heartbeat', ts: 1_772_366_400, cursor: CURSOR },
  },
  {
    name: 'gap',
    summary:
      'Says that missed events are not sent. Read them by replay. If they have expired, read the matches by sync',
    payload: SERVER_MESSAGES.gap,
    example: { type: 'gap', cursor: 40_000, from: 40_000, to: CURSOR, reason: 'limit' },
  },
  {
    name: 'reconnect',
    summary: 'The connection ends. Connect again, with the cursor',
    payload: SERVER_MESSAGES.reconnect,
    example: { type: 'reconnect', cursor: CURSOR },
  },
  {
    name: 'pong',
    summary: 'Answers a ping',
    payload: SERVER_MESSAGES.pong,
    example: { type: 'pong', ref: 1, cursor: CURSOR },
  },
  {
    name: 'subscribed',
    summary: 'The filters from now on',
    payload: SERVER_MESSAGES.subscribed,
    example: { type: 'subscribed', ref: 'goals', filters, cursor: CURSOR },
  },
  {
    name: 'replayed',
    summary: 'A page of past events',
    payload: SERVER_MESSAGES.replayed,
    example: { type: 'replay', ref: null, events: [frame], next_cursor: CURSOR, has_more: false, cursor: CURSOR },
  },
  {
    name: 'error',
    summary: 'A message was refused; the connection stays open',
    payload: SERVER_MESSAGES.error,
    example: { type: 'error', ref: 'goals', code: 'invalid_parameter', cursor: CURSOR },
  },
];

const taken: readonly ClientMessage[] = [
  {
    name: 'ping',
    summary: 'Asks for a pong',
    payload: CLIENT_MESSAGES.ping,
    example: { type: 'ping', ref: 1 },
    answers: ['pong', 'error'],
  },
  {
    name: 'subscribe',
    summary: "Replaces the connection's filters; an empty list lets everything through",
    payload: CLIENT_MESSAGES.subscribe,
    example: { type: 'subscribe', ref: 'goals', filters },
    answers: ['subscribed', 'error'],
  },
  {
    name: 'replay',
    summary: 'Asks for events after a cursor',
    payload: CLIENT_MESSAGES.replay,
    example: { type: 'replay', since: 40_000, limit: 100 },
    answers: ['replayed', 'error'],
  },
];

const sse: StreamChannel = {
  kind: 'sse',
  name: 'serverSentEvents',
  title: stream.summary,
  description: `${stream.description} \`id\` of an event is its cursor, \`event\` its type, \`data\` the message. Comments and a bare \`id\` without \`data\` keep the connection alive and move the cursor.`,
  route: stream,
  sends: [
    { name: 'streamEvent', summary: 'An event that passes the filter', payload: envelope, example: EXAMPLE_EVENT },
    {
      name: 'streamGap',
      summary: 'With `event: stream.gap` and without an `id`: says that missed events are not sent',
      payload: sseGap,
      example: {
        from: 40_000,
        to: CURSOR,
        reason: 'limit',
        replay: 'https://api.example.com/v1/stream/replay?since=40000',
      },
    },
  ],
  receives: [],
};

const socket: StreamChannel = {
  kind: 'websocket',
  name: 'webSocket',
  title: webSocket.summary,
  description: `${webSocket.description} Messages of a client are answered in order.`,
  route: webSocket,
  sends: sent,
  receives: taken,
  closeCodes: CLOSE_CODES,
};

export const channels = [sse, socket];
