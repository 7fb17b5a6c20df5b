/** Schemas for the stream messages that the service sends and receives, for the API documents and the tests. */
import { z } from 'zod';
import { MAX_DELAY } from '../events/index.ts';
import { MAX_INTEGER, PROBLEM_CODES } from '../http/index.ts';
import { REPLAY_EVENTS, replayPage } from './replay-page.ts';

/** Maximum length of the reference that a client may put into a message. The answer repeats the reference. */
const MAX_REF_CHARACTERS = 128;
const DEFAULT_REPLAY_EVENTS = 100;

export const ref = z
  .union([z.string().max(MAX_REF_CHARACTERS), z.int()])
  .nullish()
  .meta({ description: "The client's own name for the message, which the answer repeats" });
const names = z.array(z.string().regex(/^[^,]+$/)).default([]);

const ping = z.object({ type: z.literal('ping'), ref }).meta({ id: 'Ping' });
const subscribe = z
  .object({
    type: z.literal('subscribe'),
    ref,
    filters: z.object({
      sport: names,
      league: z.array(z.int()).default([]),
      event_type: names,
      where: z.array(z.string()).default([]),
    }),
    delay: z
      .int()
      .min(0)
      .max(MAX_DELAY)
      .optional()
      .meta({ description: 'Seconds; without it the delay stays as it is' }),
  })
  .meta({ id: 'Subscribe' });
const replay = z
  .object({
    type: z.literal('replay'),
    ref,
    since: z.int().min(0).max(MAX_INTEGER),
    limit: z.int().min(1).max(REPLAY_EVENTS).default(DEFAULT_REPLAY_EVENTS),
  })
  .meta({ id: 'Replay' });
export const clientMessage = z.discriminatedUnion('type', [ping, subscribe, replay]);
export const CLIENT_MESSAGES = { ping, subscribe, replay };

const cursor = z
  .int()
  .min(0)
  .meta({ description: "The connection's position, which is the next connection's `cursor`" });
const answered = z.union([z.string(), z.int()]).nullable();
const gap = {
  from: z.int().min(0).meta({ description: "The cursor before the gap, which is the replay's `since`" }),
  to: z.int().min(0).meta({ description: 'The cursor after which events follow' }),
  reason: z.enum(['limit', 'expired', 'ahead']),
};

/** WebSocket frames by name. */
export const SERVER_MESSAGES = {
  connected: z.strictObject({ type: z.literal('connected'), cursor }).meta({ id: 'Connected' }),
  event: replayPage.shape.events.element,
  heartbeat: z
    .strictObject({ type: z.literal('heartbeat'), ts: z.int().meta({ description: 'Unix seconds' }), cursor })
    .meta({ id: 'Heartbeat' }),
  gap: z.strictObject({ type: z.literal('gap'), cursor, ...gap }).meta({ id: 'Gap' }),
  reconnect: z.strictObject({ type: z.literal('reconnect'), cursor }).meta({ id: 'Reconnect' }),
  pong: z.strictObject({ type: z.literal('pong'), ref: answered, cursor }).meta({ id: 'Pong' }),
  subscribed: z
    .strictObject({
      type: z.literal('subscribed'),
      ref: answered,
      filters: z.strictObject({
        sport: z.array(z.string()),
        league: z.array(z.int()),
        event_type: z.array(z.string()),
        where: z.array(z.string()).optional().meta({ description: 'Present if there are conditions' }),
      }),
      delay: z.int().min(1).max(MAX_DELAY).optional().meta({ description: 'Seconds; present if there is a delay' }),
      cursor,
    })
    .meta({ id: 'Subscribed' }),
  replayed: z
    .strictObject({ type: z.literal('replay'), ref: answered, ...replayPage.shape, cursor })
    .meta({ id: 'Replayed' }),
  error: z
    .strictObject({
      type: z.literal('error'),
      ref: answered,
      code: z.enum(PROBLEM_CODES),
      cursor,
    })
    .meta({ id: 'MessageError' }),
} as const;

/** Schema for `data` in the SSE event `stream.gap`. */
export const sseGap = z
  .strictObject({
    ...gap,
    replay: z.url().optional().meta({ description: 'The address of the missed events, unless they have expired' }),
    sync: z.url().optional().meta({ description: 'The address of the matches, if the events have expired' }),
  })
  .meta({ id: 'StreamGap' });
