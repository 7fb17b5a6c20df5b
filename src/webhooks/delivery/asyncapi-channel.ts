/** The channel that describes deliveries in the OpenAPI document's webhooks and in the AsyncAPI document. */
import { z } from 'zod';
import { auditEvent } from '../../accounts/index.ts';
import type { WebhookChannel } from '../../http/index.ts';
import { EXAMPLE_EVENT, envelope } from '../../wire/envelope.ts';
import type { NoticeType } from '../../wire/event-types.ts';
import { timestamp } from '../../wire/time.ts';
import type { OwnEventType } from './own-events.ts';

const EVENT_ID = /^evt_\d+_\d+$/;
const EXAMPLE = { subscription_id: 1, sent_at: '2026-03-01T12:00:00Z' };

/**
 * Returns the schema for an event type that is sent only by webhook. Like the envelope's schema, it has no component
 * id.
 */
const own = (type: OwnEventType | NoticeType, more: z.ZodRawShape = {}) =>
  z.strictObject({
    id: z.string().regex(EVENT_ID),
    type: z.literal(type),
    data: z.strictObject({ subscription_id: z.int().min(1), sent_at: timestamp, ...more }),
  });

const NOTICE = {
  host: z.string().meta({ description: 'The host of the other subscription' }),
  description: z.string().meta({ description: 'The description of the other subscription' }),
  since: timestamp.nullable().meta({ description: 'The first failure after the last success' }),
  failure: z.string().nullable().meta({ description: 'The last failure' }),
};
const EXAMPLE_NOTICE = {
  ...EXAMPLE,
  host: 'example.com',
  description: 'goals',
  since: '2026-03-01T11:54:00Z',
  failure: 'status 500',
};

export const channel: WebhookChannel = {
  kind: 'webhook',
  name: 'webhooks',
  title: 'Webhooks',
  tag: 'Webhook events',
  description:
    'Signed requests to the address of a subscription. Verify the signature on the bytes as received, before anything else. A delivery may come more than once, with the same `webhook-id`, and events may come out of order: `data.sequence` orders the events of a match.',
  headers: {
    'X-Service-Timestamp': 'Unix seconds of this attempt; refuse a request that is more than 5 minutes away',
    'X-Service-Signature':
      '`v1=<hex>`: HMAC-SHA256 of `<timestamp>.<body>`, with the text of the secret as the key. Two, with a comma between them, while the secret is rotated',
    'X-Service-Attempt': 'Number of the attempt, from 1',
    'X-Service-Delivery-Id': 'Id of the delivery, the same for all its attempts',
    'webhook-id': 'Id of the event (Standard Webhooks)',
    'webhook-timestamp': 'Unix seconds of this attempt (Standard Webhooks)',
    'webhook-signature': '`v1,<base64>`, one for each secret (Standard Webhooks)',
  },
  responses: {
    '2XX': 'Received. The reply has to be whole within 8 s',
    410: 'Disables the subscription',
    default: 'A failure, which is retried up to 6 times within 3 hours; redirects are failures',
  },
  sends: [
    {
      name: 'matchEvent',
      summary: 'An event that passes the filters of the subscription',
      payload: envelope,
      example: EXAMPLE_EVENT,
    },
    {
      name: 'webhookChallenge',
      summary: 'Asks whether a new address wants events; the reply has to repeat `data.challenge`',
      payload: own('webhook.challenge', { challenge: z.string() }),
      example: { id: 'evt_0_12', type: 'webhook.challenge', data: { ...EXAMPLE, challenge: 'wJ3pQ0yU5tE' } },
    },
    {
      name: 'webhookPing',
      summary: 'Sent after 15 minutes without a request',
      payload: own('webhook.ping'),
      example: { id: 'evt_0_13', type: 'webhook.ping', data: EXAMPLE },
    },
    {
      name: 'webhookFailing',
      summary:
        'Another subscription of the account, `data.subscription_id`, has failed for five minutes. Sent only if `event_types` has the type or `webhook.*`',
      payload: own('webhook.failing', NOTICE),
      example: { id: 'evt_0_15', type: 'webhook.failing', data: EXAMPLE_NOTICE },
    },
    {
      name: 'webhookDisabled',
      summary: 'Another subscription of the account has been disabled',
      payload: own('webhook.disabled', {
        ...NOTICE,
        reason: z.enum(['no_success', 'gone']),
        cursor: z.int().meta({ description: 'Enable the subscription with this cursor to get all stored events' }),
      }),
      example: {
        id: 'evt_0_16',
        type: 'webhook.disabled',
        data: { ...EXAMPLE_NOTICE, reason: 'no_success', cursor: 4711 },
      },
    },
    {
      name: 'webhookRecovered',
      summary: 'Another subscription of the account gets events again, after `webhook.failing` or `webhook.disabled`',
      payload: own('webhook.recovered', NOTICE),
      example: { id: 'evt_0_17', type: 'webhook.recovered', data: { ...EXAMPLE_NOTICE, failure: null } },
    },
    {
      name: 'accountChanged',
      summary: 'A change in the account. Sent only if `event_types` has the type or `account.*`',
      payload: z.strictObject({
        id: z.string().regex(EVENT_ID),
        type: z.literal('account.changed'),
        data: auditEvent,
      }),
      example: {
        id: 'evt_0_18',
        type: 'account.changed',
        data: {
          cursor: 42,
          id: 4711,
          at: '2026-03-01T12:00:00Z',
          actor: 'ann@example.com',
          address: '192.0.2.7',
          by_operator: false,
          action: 'key.revoked',
          target: 'key 12',
          details: {},
        },
      },
    },
    {
      name: 'webhookTest',
      summary: 'A test that the user asked for',
      payload: own('webhook.test'),
      example: { id: 'evt_0_14', type: 'webhook.test', data: EXAMPLE },
    },
  ],
};
