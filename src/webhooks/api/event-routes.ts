/** The event explorer over REST: stored events, who got them, and sending one again. */
import { z } from 'zod';
import { accountIdOf } from '../../accounts/index.ts';
import { idParam, idParams, limit, oneValue, type RouteValue, sportSlug, timeParam } from '../../http/index.ts';
import { SPORT_SLUGS } from '../../sports/sports.ts';
import { eventIdOf } from '../../wire/envelope.ts';
import { MATCH_EVENT_TYPES, sampleEvent } from '../../wire/sample-event.ts';
import { timestamp } from '../../wire/time.ts';
import { readEvent, readEvents, readReceipts } from '../delivery/event-explorer.ts';
import { newEventId } from '../delivery/own-events.ts';
import { route, type WebhookDeps } from '../deps.ts';
import { eventFilter, eventSearch } from '../subscriptions/filter-preview.ts';
import { REQUESTED_LIMIT, sendAccountEvent } from './account-webhooks.ts';
import * as schema from './schema.ts';

const own = { tag: 'Webhooks', access: 'account', scope: 'webhooks', cost: 0, cache: 'no-store' } as const;
const cursor = z.int().min(1);
const event = {
  cursor,
  id: z.string(),
  type: z.string(),
  match_id: z.int(),
  tournament_id: z.int(),
  sport: z.string(),
};

const list = route({
  ...own,
  method: 'GET',
  path: '/v1/account/stored-events',
  permission: 'read',
  summary: 'Stored events, newest first',
  description:
    'The events of the last 7 days that the plan includes. A page may be short or empty although there are older events, because it examines a limited number, so follow `next_before` until it is null.',
  query: z.object({
    event_type: oneValue(schema.EVENT_TYPE_NAMES).optional(),
    sport: sportSlug.optional(),
    tournament: idParam.optional(),
    match_id: idParam.optional(),
    since: timeParam.optional(),
    before: idParam
      .optional()
      .meta({ description: "Only events before this cursor: the previous page's `next_before`" }),
    limit: limit(50, 200),
  }),
  response: z.strictObject({
    events: z.array(z.strictObject(event).meta({ id: 'StoredEvent' })),
    next_before: cursor.nullable(),
  }),
  handler: async ({ query, principal }, { log, plans }) => {
    const { event_type, sport, tournament, match_id, since, before = null } = query;
    const wanted = { eventType: event_type, sport, league: tournament, matchId: match_id };
    const passes = eventSearch(wanted, plans.named(principal!.plan));
    const range = { before, since: since === undefined ? undefined : Date.parse(since), limit: query.limit };
    const { events, next } = await readEvents(log, passes, range);
    const items = events.map(({ cursor: at, envelope, type, matchId, tournamentId, sport: slug }) => ({
      ...{ cursor: at, id: eventIdOf(envelope), type, match_id: matchId, tournament_id: tournamentId, sport: slug },
    }));
    return { body: { events: items, next_before: next } };
  },
});

const one = route({
  ...own,
  method: 'GET',
  path: '/v1/account/stored-event/{id}',
  permission: 'read',
  summary: "A stored event, by its cursor, and how the account's subscriptions got it",
  params: idParams,
  response: z
    .strictObject({
      ...event,
      envelope: z.string().meta({ description: 'The event, byte for byte as every channel sends it' }),
      deliveries: z.array(
        z
          .strictObject({
            subscription_id: z.int(),
            delivery_id: z.string(),
            state: z.enum(schema.DELIVERY_STATES),
            attempts: z.int(),
            at: timestamp,
            status: z.int().nullable(),
          })
          .meta({ id: 'EventReceipt' }),
      ),
    })
    .meta({ id: 'StoredEventDetail' }),
  errors: ['not_found'],
  handler: async ({ params, principal }, { pool, log, plans }) => {
    const record = await readEvent(log, eventFilter({}, plans.named(principal!.plan)), params.id);
    const { envelope, type, matchId, tournamentId, sport } = record;
    const id = eventIdOf(envelope);
    const deliveries = await readReceipts(pool, accountIdOf(principal), id);
    const shown = { cursor: record.cursor, id, type, match_id: matchId, tournament_id: tournamentId, sport };
    return { body: { ...shown, envelope, deliveries } };
  },
});

const send = route({
  ...own,
  method: 'POST',
  path: '/v1/account/webhooks/{id}/send',
  permission: 'webhooks',
  summary: 'Send one stored event to a subscription',
  description:
    'Sends the event in addition to live events, even if it does not pass the filters or was sent before. At most 30 a minute.',
  params: idParams,
  body: z.strictObject({ cursor }),
  exampleBody: { cursor: 1 },
  perAddress: REQUESTED_LIMIT,
  response: z.strictObject({ delivery_id: z.string() }),
  errors: ['not_found', 'conflict'],
  handler: async (input, deps) => ({
    body: { delivery_id: await sendAccountEvent(deps, input, input.params.id, input.body.cursor) },
  }),
});

const trigger = route({
  ...own,
  tag: 'Stream',
  method: 'POST',
  path: '/v1/account/trigger',
  permission: 'webhooks',
  summary: 'Send a sample event to the open streams of the account',
  description:
    'For development. The sample, with `sample` in `data`, is about a match that does not exist. It goes to the streams that are open now with a secret key of the account and whose filters it passes, and to no webhook. It has the position of the stream as its cursor, is not stored, and may be lost. At most 30 a minute.',
  body: z.strictObject({
    event_type: z.enum(MATCH_EVENT_TYPES),
    sport: z.enum(SPORT_SLUGS).optional().meta({ description: 'By default football, or a sport with such events' }),
    tournament: z.int().min(1).optional().meta({ description: 'For streams that filter by a tournament' }),
  }),
  exampleBody: { event_type: 'match.goal' },
  perAddress: REQUESTED_LIMIT,
  response: z.strictObject({ id: z.string().meta({ description: 'The id of the event' }) }),
  handler: async ({ principal, body }, { pool, clock, changes }) => {
    const id = await newEventId(pool);
    const { event_type: type, sport, tournament: tournamentId } = body;
    const sample = sampleEvent({ type, sport, tournamentId }, id, clock.now());
    changes.publishSample(accountIdOf(principal), JSON.stringify(sample));
    return { body: { id } };
  },
});

export const eventRoutes: RouteValue<WebhookDeps>[] = [list, one, send, trigger];
