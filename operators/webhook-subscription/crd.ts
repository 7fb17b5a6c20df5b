/** The resource `WebhookSubscription`. The types and the CRD are derived from one schema. */

import { z } from 'zod';
import {
  HEADER_LIMITS,
  MAX_CONDITION_CHARACTERS,
  MAX_CONDITIONS,
  MAX_DELAY,
  MAX_IDS,
  PACE_LIMITS,
} from '../../src/webhooks/subscriptions/index.ts';
import {
  conditionColumn,
  conditionsSchema,
  customResource,
  immutable,
  listSet,
  NAME_CHARACTERS,
  rules,
  secretKey,
  secretName,
} from '../runtime/crd.ts';
import type { Resource } from '../runtime/kube-api.ts';
import { GROUP } from '../runtime/labels.ts';

/**
 * The version that is stored, and that the operator uses. The CRD of the previous release has no other, and the API
 * server refuses a CRD without the stored version. A roll back to that release would therefore fail if the newest
 * version were stored. A later release can store it.
 */
export const VERSION = 'v1alpha1';
/** The served versions, newest first. All have the same schema, so that no conversion webhook is needed. */
const VERSIONS = ['v1beta1', VERSION] as const;
const PLURAL = 'webhooksubscriptions';
export const KIND = 'WebhookSubscription';
export const SUBSCRIPTIONS: Resource = { group: GROUP, version: VERSION, plural: PLURAL, kind: KIND };

const set = <T extends z.ZodType>(item: T, most: number) => z.array(item).max(most).default([]);
const quantity = z.union([z.int(), z.string()]).meta({
  'x-kubernetes-int-or-string': true,
  maxLength: 20,
  pattern: '^([0-9]+)(\\.[0-9]+)?(m|k|Ki|M|Mi|G|Gi)?$',
});
const quantities = z.strictObject({ cpu: quantity.optional(), memory: quantity.optional() });

const secretKeyRef = z.strictObject({ name: secretName, key: secretKey });

/** The settings of all kinds, since a structural schema has no alternatives. The service checks that they fit the kind. */
const destination = z
  .strictObject({
    kind: z.enum(['Kafka', 'MQTT', 'Slack', 'Discord', 'Telegram']),
    brokers: z.array(z.string().min(1).max(261)).min(1).max(10).optional().meta({ description: 'Kafka: host:port.' }),
    topic: z.string().min(1).max(249).optional().meta({ description: 'Kafka: a topic that exists.' }),
    mechanism: z.enum(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512']).optional().meta({
      description: 'Kafka: default SCRAM-SHA-512.',
    }),
    broker: z.string().min(1).max(261).optional().meta({ description: 'MQTT: host:port.' }),
    prefix: z.string().min(1).max(64).optional().meta({ description: 'MQTT: default touchline.' }),
    homeAssistant: z.boolean().optional().meta({ description: 'MQTT: whether to publish sensors; default true.' }),
    tls: z.boolean().optional().meta({
      description: 'Kafka and MQTT: default true. False only for brokers that the installation allows without TLS.',
    }),
    username: z.string().min(1).max(1_000).optional().meta({ description: 'Kafka and MQTT.' }),
    chatId: z.string().min(1).max(33).optional().meta({ description: 'Telegram: the id of a chat, or @ and a name.' }),
    api: z.string().min(1).max(300).optional().meta({ description: 'Telegram: a server of the Bot API.' }),
    language: z.enum(['en', 'ru']).optional().meta({ description: 'Chats: default en.' }),
    secretKeyRef: secretKeyRef.optional().meta({
      description:
        'The password of a broker, the address of Slack or Discord, or the token of Telegram: a key of a Secret that the operator may read and that has the label touchline.dev/webhook-destination=true.',
    }),
  })
  .meta(
    rules({
      rule: 'self.kind == oldSelf.kind',
      message: 'the kind is immutable: create another resource',
    }),
  );

const spec = z
  .strictObject({
    destination: destination.optional().meta({ description: 'Where events go instead of a URL.' }),
    url: z
      .string()
      .min(1)
      .max(2_048)
      .optional()
      .meta({
        description:
          'Where deliveries are sent: https, a public address, port 443 unless the installation allows others.',
        ...rules(
          { rule: "isURL(self) && url(self).getScheme() == 'https'", message: 'must be an https address' },
          { rule: "!isURL(self) || url(self).getHostname() != ''", message: 'must name a host' },
          { rule: "!self.matches('^[^/?#]*:/*[^/?#]*@')", message: 'may not contain a user name or a password' },
          {
            rule: "!isURL(self) || url(self).getPort() == '' || (url(self).getPort().size() <= 5 && int(url(self).getPort()) <= 65535)",
            message: 'the port may be at most 65535',
          },
        ),
      }),
    account: z
      .string()
      .min(3)
      .max(254)
      .meta({
        description:
          'The e-mail address of the account that the subscription belongs to. The plan of the account must include webhooks.',
        ...immutable,
      }),
    eventTypes: set(z.string().min(1).max(64), 64).meta({
      description: 'Event types, or match.*; empty: all.',
      ...listSet,
    }),
    sports: set(z.string().min(1).max(32), 64).meta({ description: 'Slugs of sports; empty: all.', ...listSet }),
    leagues: set(z.int().min(1), 200).meta({ description: 'Ids of tournaments; empty: all.', ...listSet }),
    matchIds: set(z.int().min(1), MAX_IDS).meta({ description: 'Ids of matches; empty: all.', ...listSet }),
    participantIds: set(z.int().min(1), MAX_IDS).meta({
      description:
        'Ids of teams, or of players in individual sports: the home or the away side of the match; empty: all.',
      ...listSet,
    }),
    conditions: set(z.string().min(1).max(MAX_CONDITION_CHARACTERS), MAX_CONDITIONS).meta({
      description: 'Conditions on the fields of events, such as "data.match.minute >= 80"; an event has to meet all.',
      ...listSet,
    }),
    headers: z
      .array(
        z
          .strictObject({
            name: z.string().min(1).max(HEADER_LIMITS.name),
            value: z.string().min(1).max(HEADER_LIMITS.value).optional(),
            valueFrom: z.strictObject({ secretKeyRef }).optional().meta({
              description:
                'A key of a Secret that the operator may read and that has the label touchline.dev/webhook-headers=true. The value is stored encrypted.',
            }),
          })
          .meta(
            rules({
              rule: 'has(self.value) != has(self.valueFrom)',
              message: 'must have a value or valueFrom, not both',
            }),
          ),
      )
      .max(HEADER_LIMITS.headers)
      .default([])
      .meta({
        description: 'Headers that are added to each request.',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
      }),
    ordering: z.enum(['None', 'Match']).optional().meta({
      description:
        "Match: a match's events are sent one after the other. If one fails, the later events of that match wait. Default: None for a url, Match for a destination.",
    }),
    maxPerSecond: z.int().min(1).max(PACE_LIMITS.perSecond).optional().meta({
      description: 'Requests within any second; default: the limit of the installation.',
    }),
    maxInFlight: z.int().min(1).max(PACE_LIMITS.inFlight).optional().meta({
      description: 'Requests that wait for a reply at the same time; default: the limit of the service.',
    }),
    delay: z.int().min(0).max(MAX_DELAY).default(0).meta({
      description:
        'How many seconds after an event it is sent, so that a score does not arrive before the television shows it.',
    }),
    secretRef: z
      .strictObject({
        name: secretName.optional().meta({
          description: 'The name of the Secret; default: <name of this resource>-webhook.',
        }),
        key: secretKey.default('secret').meta({ description: 'The key in the Secret.' }),
      })
      .default({ key: 'secret' })
      .meta({
        description:
          'The Secret with the signing secret (whsec_ and base64 of 24 to 64 bytes). The operator creates the Secret if it is missing. A change of the Secret rotates the signing secret.',
      }),
    paused: z
      .boolean()
      .default(false)
      .meta({ description: 'While true, nothing is sent. Takes effect when the spec changes.' }),
    isolation: z.enum(['Shared', 'Dedicated']).default('Shared').meta({
      description: 'Shared dispatchers, or a dedicated Deployment.',
    }),
    resources: z
      .strictObject({ requests: quantities.optional(), limits: quantities.optional() })
      .optional()
      .meta({ description: 'Resources of the container of a dedicated dispatcher.' }),
  })
  .meta(
    rules(
      {
        rule: "!has(self.resources) || self.isolation == 'Dedicated'",
        message: 'resources require isolation: Dedicated',
      },
      { rule: 'has(self.url) != has(self.destination)', message: 'must have a url or a destination, not both' },
      {
        rule: 'has(self.url) == has(oldSelf.url)',
        message: 'a url cannot replace a destination: create another resource',
      },
    ),
  );

/** `Stalled` is True if a person has to repair something, as kstatus defines it. Flux would otherwise look at `Ready` alone. */
export const CONDITIONS = ['Accepted', 'Ready', 'Delivering', 'Stalled'] as const;
export type ConditionType = (typeof CONDITIONS)[number];
/** The conditions that a list of resources shows. */
const SHOWN = ['Accepted', 'Ready', 'Delivering'] as const;

const status = z.strictObject({
  observedGeneration: z.int().min(0).optional(),
  subscription: z.string().max(64).optional().meta({ description: 'The id of the subscription in the service.' }),
  dispatcher: z
    .string()
    .max(NAME_CHARACTERS)
    .optional()
    .meta({ description: 'The Deployment that sends the deliveries.' }),
  secret: z.string().max(NAME_CHARACTERS).optional().meta({ description: 'The Secret in use.' }),
  installation: z.string().max(NAME_CHARACTERS).optional().meta({
    description: 'The installation that serves the resource: <namespace>/<name>.',
  }),
  reason: z.string().max(64).optional().meta({
    description: 'The reason of the first condition that is not True. If all are True, the reason of Delivering.',
  }),
  conditions: conditionsSchema(CONDITIONS),
});

export type Spec = z.output<typeof spec>;
export type Status = z.output<typeof status>;
export type Condition = NonNullable<Status['conditions']>[number];

export interface WebhookSubscription {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace: string;
    uid: string;
    generation: number;
    resourceVersion: string;
    annotations?: Record<string, string>;
    deletionTimestamp?: string;
  };
  spec: Spec;
  status?: Status;
}

/** Validates a spec. A spec that was stored before the schema changed may be invalid. */
export const parseSpec = (value: unknown): z.ZodSafeParseResult<Spec> => spec.safeParse(value);

/** The CustomResourceDefinition. */
export const customResourceDefinition = () =>
  customResource({
    kind: KIND,
    plural: PLURAL,
    shortName: 'whs',
    description: 'Delivers match events to a URL as signed webhooks.',
    versions: VERSIONS,
    storedVersion: VERSION,
    columns: [
      { name: 'URL', type: 'string', jsonPath: '.spec.url' },
      { name: 'Destination', type: 'string', jsonPath: '.spec.destination.kind', priority: 1 },
      ...SHOWN.map(conditionColumn),
      { name: 'Reason', type: 'string', jsonPath: '.status.reason' },
      { name: 'Isolation', type: 'string', jsonPath: '.spec.isolation', priority: 1 },
      { name: 'Dispatcher', type: 'string', jsonPath: '.status.dispatcher', priority: 1 },
    ],
    spec,
    status,
  });
