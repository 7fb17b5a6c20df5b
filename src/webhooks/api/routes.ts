/** An account's webhook subscriptions over REST. */
import { z } from 'zod';
import { accountIdOf, IDEMPOTENCY_HEADER, REPLAYED_HEADER } from '../../accounts/index.ts';
import { idParams, type RouteValue } from '../../http/index.ts';
import { eventIdOf } from '../../wire/envelope.ts';
import { wireTime } from '../../wire/time.ts';
import type { RequestedResult } from '../delivery/requested-event.ts';
import { route, type WebhookDeps } from '../deps.ts';
import { previewFilter } from '../subscriptions/filter-preview.ts';
import type { ReplayFrom } from '../subscriptions/replay-start.ts';
import { ROTATION_OVERLAP_HOURS } from '../subscriptions/secret.ts';
import { subscriptions } from '../subscriptions/subscription.ts';
import { findAccountSubscription } from './account-subscriptions.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  enableWebhook,
  REQUESTED_LIMIT,
  replayWebhook,
  requestEvent,
  rotateWebhookSecret,
} from './account-webhooks.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { eventRoutes } from './event-routes.ts';
import * as schema from './schema.ts';
import { subscriptionItem } from './subscription-item.ts';

const own = { tag: 'Webhooks', access: 'account', scope: 'webhooks', cost: 0, cache: 'no-store' } as const;
const creates = { requestHeaders: IDEMPOTENCY_HEADER, responseHeaders: REPLAYED_HEADER, status: 201 } as const;

const wanted = <B extends Partial<z.output<typeof schema.change>>>({
  event_types: eventTypes,
  match_ids: matchIds,
  participant_ids: participantIds,
  max_per_second: maxPerSecond,
  max_in_flight: maxInFlight,
  ...rest
}: B) => ({ ...rest, eventTypes, matchIds, participantIds, maxPerSecond, maxInFlight });

const list = route({
  ...own,
  method: 'GET',
  path: '/v1/account/webhooks',
  permission: 'read',
  summary: "The account's webhook subscriptions",
  response: schema.subscriptions,
  handler: async ({ principal }, { pool, plans }) => {
    const found = await subscriptions(pool, { accountId: accountIdOf(principal) });
    return { body: { webhooks: found.map((one) => subscriptionItem(one, plans)) } };
  },
});

const create = route({
  ...own,
  ...creates,
  method: 'POST',
  path: '/v1/account/webhooks',
  permission: 'webhooks',
  summary: 'Create a webhook subscription',
  description:
    'Sends events from now on. If the plan requires a confirmation, the state is `unconfirmed`, and no event is sent until the receiver has answered a signed `webhook.challenge`. The reply has the secret, which is shown only once. An event has to pass all filters that are set.',
  body: schema.toCreate,
  exampleBody: { url: 'https://example.com/hooks/touchline', event_types: ['match.goal'], sports: ['football'] },
  response: schema.created,
  errors: ['plan_required', 'conflict', 'not_found'],
  handler: (input, deps) => createWebhook(deps, input, wanted(input.body)),
});

const preview = route({
  ...own,
  method: 'POST',
  path: '/v1/account/webhooks/preview',
  permission: 'read',
  summary: 'Try a filter on the newest events',
  description: 'Stores nothing. The events come newest first, with those that do not pass the filter.',
  body: schema.toPreview,
  exampleBody: { event_types: ['match.goal'], conditions: ['data.match.minute >= 80'] },
  response: schema.preview,
  handler: async ({ body, principal }, { log, plans }) => {
    const found = await previewFilter(log, wanted(body), plans.named(principal!.plan));
    const events = found.map(({ record: { cursor, envelope, type, matchId }, passes }) => ({
      ...{ cursor, id: eventIdOf(envelope), type, match_id: matchId, passes },
    }));
    return { body: { examined: events.length, passed: events.filter(({ passes }) => passes).length, events } };
  },
});

const one = route({
  ...own,
  method: 'GET',
  path: '/v1/account/webhooks/{id}',
  permission: 'read',
  summary: 'A webhook subscription',
  params: idParams,
  response: schema.subscription,
  errors: ['not_found'],
  handler: async ({ params, principal }, { pool, plans }) => ({
    body: subscriptionItem(await findAccountSubscription(pool, accountIdOf(principal), params.id), plans),
  }),
});

const change = route({
  ...own,
  method: 'PATCH',
  path: '/v1/account/webhooks/{id}',
  permission: 'webhooks',
  summary: 'Change or pause a webhook subscription',
  description:
    'Fields that are not given stay; lists and `metadata` are replaced as a whole. `paused: true` stops sending until `paused: false`. A new `url` may have to be confirmed. Dispatchers see a change within about a second.',
  params: idParams,
  body: schema.change,
  exampleBody: { paused: true },
  response: schema.subscription,
  errors: ['not_found', 'conflict'],
  handler: async (input, deps) => ({
    body: subscriptionItem(await changeWebhook(deps, input, input.params.id, wanted(input.body)), deps.plans),
  }),
});

const end = route({
  ...own,
  method: 'DELETE',
  path: '/v1/account/webhooks/{id}',
  permission: 'webhooks',
  summary: 'Delete a webhook subscription',
  description: 'Deliveries that wait for a retry are given up.',
  params: idParams,
  status: 204,
  response: z.null(),
  errors: ['not_found', 'conflict'],
  handler: async (input, deps) => {
    await deleteWebhook(deps, input, input.params.id);
    return { body: null };
  },
});

const requestedBody = (sent: RequestedResult): z.output<typeof schema.requested> => {
  const { eventId: event_id, deliveryId: delivery_id, durationMs: duration_ms, status, failure, cause, reply } = sent;
  const delivered = failure === null;
  return { delivery_id, event_id, at: wireTime(sent.at), delivered, status, failure, cause, reply, duration_ms };
};

const test = route({
  ...own,
  method: 'POST',
  path: '/v1/account/webhooks/{id}/test',
  permission: 'webhooks',
  summary: 'Send a test event now',
  description:
    'Sends a signed `webhook.test` and answers with the outcome. It counts neither for health nor as an event. At most 30 a minute.',
  params: idParams,
  perAddress: REQUESTED_LIMIT,
  response: schema.requested,
  errors: ['not_found', 'plan_required', 'conflict'],
  handler: async (input, deps) => ({ body: requestedBody(await requestEvent(deps, input, input.params.id, 'tested')) }),
});

const confirm = route({
  ...own,
  method: 'POST',
  path: '/v1/account/webhooks/{id}/confirm',
  permission: 'webhooks',
  summary: "Request the receiver's confirmation now",
  description:
    'Sends a signed `webhook.challenge` and answers with the outcome. If the reply repeats `data.challenge`, `delivered` is true, and a subscription that was `unconfirmed` is sent events from now on. For any other subscription the challenge is only a trial. At most 30 a minute.',
  params: idParams,
  perAddress: REQUESTED_LIMIT,
  response: schema.requested,
  errors: ['not_found', 'plan_required', 'conflict'],
  handler: async (input, deps) => ({
    body: requestedBody(await requestEvent(deps, input, input.params.id, 'challenged')),
  }),
});

const rotate = route({
  ...own,
  ...creates,
  method: 'POST',
  path: '/v1/account/webhooks/{id}/rotate',
  permission: 'webhooks',
  summary: "Replace a webhook subscription's secret",
  description: `The reply has the new secret, which is shown only once. The old one also signs for ${ROTATION_OVERLAP_HOURS} hours.`,
  params: idParams,
  response: schema.created,
  errors: ['not_found', 'conflict'],
  handler: (input, deps) => rotateWebhookSecret(deps, input, input.params.id),
});

const toReplayFrom = ({ cursor, since }: z.output<typeof schema.replayFrom>): ReplayFrom => ({
  cursor,
  since: since === undefined ? undefined : Date.parse(since),
});

const enable = route({
  ...own,
  method: 'POST',
  path: '/v1/account/webhooks/{id}/enable',
  permission: 'webhooks',
  summary: 'Enable a paused or disabled webhook subscription',
  description:
    'Also clears a gap. With `cursor` or `since`, the events from there on are sent, even if they were sent before. Without them, a disabled subscription continues with new events (`disabled.cursor` is its last position), and a paused one at its position.',
  params: idParams,
  body: schema.replayFrom,
  exampleBody: { since: '2026-03-01T11:00:00Z' },
  response: schema.subscription,
  errors: ['not_found', 'conflict', 'cursor_expired', 'rate_limited'],
  handler: async (input, deps) => ({
    body: subscriptionItem(await enableWebhook(deps, input, input.params.id, toReplayFrom(input.body)), deps.plans),
  }),
});

const replay = route({
  ...own,
  method: 'POST',
  path: '/v1/account/webhooks/{id}/replay',
  permission: 'webhooks',
  summary: 'Send events again',
  description:
    'Moves the subscription back to a cursor or a time: the events from there on that pass its filters are sent again, with the same ids. Events are stored for 7 days. The number of replays of an account is limited, both at the same time and per hour.',
  params: idParams,
  body: schema.replayFrom,
  exampleBody: { since: '2026-03-01T11:00:00Z' },
  response: schema.subscription,
  errors: ['not_found', 'conflict', 'cursor_expired', 'rate_limited'],
  handler: async (input, deps) => ({
    body: subscriptionItem(await replayWebhook(deps, input, input.params.id, toReplayFrom(input.body)), deps.plans),
  }),
});

export const routes: RouteValue<WebhookDeps>[] = [
  list,
  create,
  preview,
  one,
  change,
  end,
  test,
  confirm,
  rotate,
  enable,
  replay,
  ...deliveryRoutes,
  ...eventRoutes,
];
