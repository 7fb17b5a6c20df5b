/** A subscription's delivery log over REST. */
import { z } from 'zod';
import { accountIdOf } from '../../accounts/index.ts';
import { idParam, idParams, limit, oneValue, type RouteValue, timeParam } from '../../http/index.ts';
import { DELIVERY_ID, findDeliveries, findDelivery, MAX_PAGE_SIZE, PAGE_SIZE } from '../delivery/delivery-log.ts';
import { unknownDelivery } from '../delivery/delivery-retry.ts';
import { route, type WebhookDeps } from '../deps.ts';
import { findAccountSubscription } from './account-subscriptions.ts';
import { retryFailedWebhookDeliveries, retryWebhookDelivery, skipWebhookDelivery } from './account-webhooks.ts';
import * as schema from './schema.ts';

const own = { tag: 'Webhooks', access: 'account', scope: 'webhooks', cost: 0, cache: 'no-store' } as const;
const deliveryParams = z.object({
  id: idParam,
  delivery_id: z.string().regex(DELIVERY_ID, 'must be the id of a delivery'),
});
const milliseconds = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time));

const list = route({
  ...own,
  method: 'GET',
  path: '/v1/account/webhooks/{id}/deliveries',
  permission: 'read',
  summary: "A webhook subscription's deliveries",
  description:
    'Newest first, each with the last attempt. A page for one event type may be short or empty although there are more deliveries, so follow `next_cursor` until it is null. Failed deliveries are stored for 30 days, all others for 7.',
  params: idParams,
  query: z.object({
    state: oneValue(schema.DELIVERY_STATES).optional(),
    event_type: oneValue(schema.EVENT_TYPE_NAMES).optional(),
    match_id: idParam.optional(),
    since: timeParam.optional(),
    until: timeParam.optional(),
    limit: limit(PAGE_SIZE, MAX_PAGE_SIZE),
    cursor: z.string().optional().meta({ description: "The previous page's `next_cursor`" }),
  }),
  response: schema.deliveries,
  errors: ['not_found', 'invalid_cursor'],
  handler: async ({ params: { id }, query, principal }, { pool }) => {
    await findAccountSubscription(pool, accountIdOf(principal), id);
    const { state, event_type: eventType, match_id: matchId } = query;
    const filter = { state, eventType, matchId, since: milliseconds(query.since), until: milliseconds(query.until) };
    const { deliveries, nextCursor } = await findDeliveries(pool, id, filter, query);
    return { body: { deliveries, next_cursor: nextCursor } };
  },
});

const one = route({
  ...own,
  method: 'GET',
  path: '/v1/account/webhooks/{id}/deliveries/{delivery_id}',
  permission: 'read',
  summary: 'A delivery with the request, all attempts and the replies',
  params: deliveryParams,
  response: schema.delivery,
  errors: ['not_found'],
  handler: async ({ params, principal }, { pool, log }) => {
    await findAccountSubscription(pool, accountIdOf(principal), params.id);
    const found = await findDelivery(pool, log, params.id, params.delivery_id);
    if (found !== null) return { body: found };
    throw unknownDelivery(params.id, params.delivery_id);
  },
});

const retry = route({
  ...own,
  method: 'POST',
  path: '/v1/account/webhooks/{id}/deliveries/{delivery_id}/retry',
  permission: 'webhooks',
  summary: 'Retry a delivery now',
  description: 'The delivery must have failed, or wait for a retry. It is sent in addition to live events.',
  params: deliveryParams,
  response: schema.delivery,
  errors: ['not_found', 'conflict'],
  handler: async (input, deps) => {
    const { pool, log } = deps;
    const { id, delivery_id: deliveryId } = input.params;
    await retryWebhookDelivery(deps, input, id, deliveryId);
    return { body: (await findDelivery(pool, log, id, deliveryId))! };
  },
});

const skip = route({
  ...own,
  method: 'POST',
  path: '/v1/account/webhooks/{id}/deliveries/{delivery_id}/skip',
  permission: 'webhooks',
  summary: 'Give up a delivery that waits for a retry',
  description:
    'The delivery must wait for a retry. If `ordering` is `match`, the later events of its match, which wait for it, are sent.',
  params: deliveryParams,
  response: schema.delivery,
  errors: ['not_found', 'conflict'],
  handler: async (input, deps) => {
    const { pool, log } = deps;
    const { id, delivery_id: deliveryId } = input.params;
    await skipWebhookDelivery(deps, input, id, deliveryId);
    return { body: (await findDelivery(pool, log, id, deliveryId))! };
  },
});

const retryAll = route({
  ...own,
  method: 'POST',
  path: '/v1/account/webhooks/{id}/deliveries/retry',
  permission: 'webhooks',
  summary: 'Retry all deliveries that have failed since a time',
  description: 'At most 500 wait at a time, the oldest first.',
  params: idParams,
  body: schema.failedSince,
  exampleBody: { since: '2026-02-28T00:00:00Z' },
  response: schema.retried,
  errors: ['not_found', 'conflict'],
  handler: async (input, deps) => {
    const since = Date.parse(input.body.since);
    const { count, hasMore } = await retryFailedWebhookDeliveries(deps, input, input.params.id, since);
    return { body: { retried: count, has_more: hasMore } };
  },
});

export const deliveryRoutes: RouteValue<WebhookDeps>[] = [list, one, retry, skip, retryAll];
