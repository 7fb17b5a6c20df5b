/** The wire form for subscriptions and deliveries. */
import { z } from 'zod';
import { MAX_CONDITION_CHARACTERS, MAX_CONDITIONS, MAX_DELAY, MAX_VALUES } from '../../events/index.ts';
import { MAX_INTEGER } from '../../http/index.ts';
import { SPORT_SLUGS } from '../../sports/sports.ts';
import { EVENT_TYPES, type EventType } from '../../wire/event-types.ts';
import { timestamp } from '../../wire/time.ts';
import { FAILURE_CAUSES } from '../destinations/failure-cause.ts';
import { destinationSettings, shownDestination } from '../destinations/kinds.ts';
import { HEADER_LIMITS } from '../subscriptions/custom-headers.ts';
import { MAX_IDS } from '../subscriptions/event-filter.ts';
import { MAX_DESCRIPTION, METADATA_LIMITS, ORDERINGS, PACE_LIMITS } from '../subscriptions/settings.ts';

const id = z.int().min(1).max(MAX_INTEGER);
const ids = (most: number) => z.array(id).max(most);
export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as [EventType, ...EventType[]];
const MAX_URL = 2_048;
const MAX_TYPES = 64;

/** Text with limits on its length, in code points, since people count these as characters. */
const text = (min: number, max: number) =>
  z
    .string()
    .refine((value) => [...value].length >= min && [...value].length <= max && !value.includes('\0'), {
      error: `must have ${min === 0 ? 'at most' : `${min} to`} ${max} characters, without NUL`,
    })
    .meta({ ...(min > 0 && { minLength: min }), maxLength: max });

const metadata = z
  .record(text(1, METADATA_LIMITS.key), text(0, METADATA_LIMITS.value))
  .refine(
    (pairs) => Object.keys(pairs).length <= METADATA_LIMITS.pairs,
    `must have at most ${METADATA_LIMITS.pairs} pairs`,
  )
  .meta({ maxProperties: METADATA_LIMITS.pairs, description: 'Names and values of your own' });

const settings = {
  url: z.string().min(1).max(MAX_URL).optional().meta({
    description:
      'https, public, port 443 unless the installation allows others. A subscription has either this or `destination`',
  }),
  destination: destinationSettings.optional().meta({
    description:
      'Where events go instead of a URL. Its kind cannot be changed. A change replaces all its settings, and a secret that is null stays',
  }),
  description: text(0, MAX_DESCRIPTION).optional(),
  metadata: metadata.optional(),
  event_types: z.array(z.string().min(1).max(64)).max(MAX_TYPES).optional().meta({
    description:
      'Event types, or `match.*`; all events of matches if empty. An event has to pass all filters. Notices about other subscriptions of the account (`webhook.failing`, `webhook.disabled`, `webhook.recovered`, or `webhook.*`) and entries of its audit log (`account.changed`) have to be named, and the other filters do not apply to them.',
  }),
  sports: z.array(z.enum(SPORT_SLUGS)).max(SPORT_SLUGS.length).optional().meta({ description: 'Slugs; all if empty' }),
  leagues: ids(MAX_VALUES).optional().meta({ description: 'Tournament ids; all if empty' }),
  match_ids: ids(MAX_IDS).optional().meta({ description: 'All if empty' }),
  participant_ids: ids(MAX_IDS).optional().meta({
    description: "Teams, or players in individual sports, as the match's home or away side; all if empty",
  }),
  conditions: z.array(z.string().min(1).max(MAX_CONDITION_CHARACTERS)).max(MAX_CONDITIONS).optional().meta({
    description:
      'Conditions on fields that an event has to meet all, such as `data.match.minute >= 80`, `data.incident.kind in goal | card` or `data.incident.assist_name exists`; the operators are `=`, `in`, `>=`, `<=` and `exists`',
  }),
  headers: z
    .array(
      z
        .strictObject({
          name: z.string().min(1).max(HEADER_LIMITS.name),
          value: z.string().min(1).max(HEADER_LIMITS.value).nullable(),
          secret: z.boolean().default(false),
        })
        .meta({ id: 'WebhookHeader' }),
    )
    .max(HEADER_LIMITS.headers)
    .optional()
    .meta({
      description:
        'Headers that are added to each request. The value of a `secret` header is encrypted, and null in replies; null in a change keeps it',
    }),
  ordering: z.enum(ORDERINGS).optional().meta({
    description:
      'match: the events of a match are sent one after the other. If one fails, later events of that match wait until it has been delivered, skipped or given up',
  }),
  max_per_second: z.int().min(1).max(PACE_LIMITS.perSecond).nullable().optional().meta({
    description: 'Requests that are received within any second; null for the limit of the installation alone',
  }),
  max_in_flight: z
    .int()
    .min(1)
    .max(PACE_LIMITS.inFlight)
    .nullable()
    .optional()
    .meta({ description: 'Requests that wait for a reply at the same time; null for the limit of the service alone' }),
  delay: z.int().min(0).max(MAX_DELAY).optional().meta({
    description:
      'How many seconds after an event it is sent, so that a score does not arrive before the television shows it',
  }),
  paused: z
    .boolean()
    .optional()
    .meta({ description: 'While true, nothing is sent. Afterwards sending continues where it stopped' }),
};
export const toCreate = z.strictObject(settings);
const { event_types, sports, leagues, match_ids, participant_ids, conditions } = settings;
export const toPreview = z.strictObject({ event_types, sports, leagues, match_ids, participant_ids, conditions });
export const preview = z
  .strictObject({
    examined: z.int().meta({
      description: 'Number of events examined: the newest 100 that are stored, as far as the plan includes them',
    }),
    passed: z.int(),
    events: z.array(
      z.strictObject({
        cursor: z.int(),
        id: z.string(),
        type: z.string(),
        match_id: z.int(),
        passes: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'FilterPreview' });
export const change = z.strictObject(settings);

const since = z.iso.datetime({ offset: true }).meta({ description: 'A time within the last 7 days' });
const cursor = z.int().min(0).max(MAX_INTEGER);
export const replayFrom = z.strictObject({
  cursor: cursor.optional().meta({ description: 'Events after this cursor are sent (again)' }),
  since: since.optional(),
});
export const failedSince = z.strictObject({
  since: z.iso
    .datetime({ offset: true })
    .meta({ description: 'Only deliveries whose first attempt was at this time or later' }),
});

const fields = {
  id: z.int(),
  url: z.string().meta({ description: 'For a destination that is not a URL, its address without secrets' }),
  destination: shownDestination.nullable().meta({ description: 'Without its secret. Null if events go to the URL' }),
  description: z.string(),
  metadata: z.record(z.string(), z.string()),
  event_types: z.array(z.string()),
  sports: z.array(z.string()),
  leagues: z.array(z.int()),
  match_ids: z.array(z.int()),
  participant_ids: z.array(z.int()),
  conditions: z.array(z.string()),
  headers: z.array(z.strictObject({ name: z.string(), value: z.string().nullable(), secret: z.boolean() })),
  ordering: z.enum(ORDERINGS),
  max_per_second: z.int().nullable(),
  max_in_flight: z.int().nullable(),
  delay: z.int(),
  paused: z.boolean(),
  state: z.enum(['active', 'failing', 'paused', 'unconfirmed', 'suspended', 'disabled']).meta({
    description:
      'failing: several failures in a row, still sending; or no event can be sent, for the reason in `fault`. unconfirmed: no event is sent until the receiver has answered a challenge. suspended: the plan does not include webhooks, or the account is suspended.',
  }),
  disabled: z
    .strictObject({
      at: timestamp,
      code: z.enum(['no_success', 'gone']),
      reason: z.string(),
      cursor: z
        .int()
        .meta({ description: 'The last position. Enable the subscription from this cursor to leave no event out' }),
    })
    .nullable(),
  unconfirmed: z
    .strictObject({
      since: timestamp,
      challenges: z
        .int()
        .meta({ description: 'Number of challenges sent so far. After the seventh, they are sent only on request' }),
      challenged_at: timestamp.nullable(),
      failure: z.string().nullable().meta({ description: 'Why the last challenge did not confirm the URL' }),
    })
    .nullable()
    .meta({ description: 'The receiver has to repeat the `data.challenge` of a `webhook.challenge` in the reply' }),
  fault: z.strictObject({ at: timestamp, reason: z.string() }).nullable().meta({
    description: 'Why the stored settings cannot be used, so that no event is sent. Change them, or rotate the secret',
  }),
  cursor: z.int().meta({
    description: 'Position: every event up to this cursor was delivered, is being retried, or did not pass the filters',
  }),
  lag: z.int().meta({
    description:
      'Number of cursors from the position to the newest event, whether or not the events pass the filters. Events that wait for the delay do not count',
  }),
  gap: z
    .strictObject({ at: timestamp, from: z.int(), to: z.int() })
    .nullable()
    .meta({ description: 'Events that were dropped from the log before they could be sent' }),
  pending: z.int().meta({ description: 'Deliveries that wait for a retry' }),
  held_matches: z.int().meta({
    description:
      'Matches whose later events wait, since `ordering` is `match`, until an earlier event has been delivered',
  }),
  rests_until: timestamp.nullable().meta({
    description: 'No event is sent until then, because the last reply with status 429 asked for it',
  }),
  failures: z.int().meta({ description: 'Consecutive failures' }),
  last_failure: z.string().nullable(),
  last_failure_at: timestamp.nullable(),
  last_success_at: timestamp.nullable(),
  secret_rotated_at: timestamp.nullable(),
  managed: z.strictObject({ namespace: z.string(), name: z.string() }).nullable().meta({
    description: 'The custom resource in the cluster that declares the subscription. Change the subscription there',
  }),
  created_at: timestamp,
};
export const subscription = z.strictObject(fields).meta({ id: 'WebhookSubscription' });
export const subscriptions = z.strictObject({ webhooks: z.array(subscription) });
export const created = z
  .strictObject({
    ...fields,
    secret: z.string().optional().meta({
      description: 'The key that signs deliveries. It is shown once, and not again if the request is repeated.',
    }),
  })
  .meta({ id: 'CreatedWebhookSubscription' });

const outcome = {
  status: z.int().nullable().meta({ description: 'Reply status; null if there was no reply' }),
  failure: z.string().nullable().meta({ description: 'A short reason; null if it was delivered' }),
  cause: z.enum(FAILURE_CAUSES).nullable(),
};
const reply = z.string().nullable().meta({ description: 'The first 1,024 bytes of the reply body' });

export const requested = z
  .strictObject({
    delivery_id: z.string(),
    event_id: z.string(),
    at: timestamp,
    delivered: z.boolean().meta({ description: 'For a challenge: delivered and confirmed' }),
    ...outcome,
    reply,
    duration_ms: z.int(),
  })
  .meta({ id: 'WebhookTest' });

const deliveryFields = {
  id: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  state: z.enum(DELIVERY_STATES),
  attempts: z.int(),
  created_at: timestamp.meta({ description: 'When the first attempt was made' }),
  last_attempt_at: timestamp.nullable().meta({ description: 'Attempts are stored for 7 days' }),
  next_attempt_at: timestamp.nullable(),
  ...outcome,
  duration_ms: z.int().nullable(),
};
export const deliveries = z.strictObject({
  deliveries: z.array(z.strictObject(deliveryFields).meta({ id: 'WebhookDelivery' })),
  next_cursor: z.string().nullable().meta({ description: 'For the next, older deliveries; null if there are none' }),
});
export const delivery = z
  .strictObject({
    ...deliveryFields,
    body: z
      .string()
      .nullable()
      .meta({ description: 'The request body, byte for byte; null if it is no longer stored' }),
    log: z
      .array(
        z.strictObject({
          attempt: z.int(),
          at: timestamp,
          duration_ms: z.int(),
          ...outcome,
          reply,
          next_attempt_at: timestamp.nullable(),
        }),
      )
      .meta({ description: 'Its attempts, newest first' }),
  })
  .meta({ id: 'WebhookDeliveryDetail' });
export const retried = z.strictObject({
  retried: z.int().meta({ description: 'Deliveries that are due now' }),
  has_more: z.boolean().meta({ description: 'There are more, so repeat the request after these have been sent' }),
});
