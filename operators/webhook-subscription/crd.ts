/** The resource `WebhookSubscription`: one schema, from which the types and the CRD come. */
import { z } from 'zod';
import type { Resource } from './api.ts';

export const GROUP = 'touchline.dev';
export const VERSION = 'v1alpha1';
export const PLURAL = 'webhooksubscriptions';
export const KIND = 'WebhookSubscription';
export const SUBSCRIPTIONS: Resource = { group: GROUP, version: VERSION, plural: PLURAL, kind: KIND };

/** A rule in CEL that the API server checks; every list and text has a bound, since the cost of a rule is reckoned from it. */
const rules = (...list: { rule: string; message: string }[]) => ({ 'x-kubernetes-validations': list });

/** A name in Kubernetes. */
const NAME_CHARACTERS = 253;
/** A name that is also the value of a label. */
const LABEL_CHARACTERS = 63;

const set = <T extends z.ZodType>(item: T, most: number) => z.array(item).max(most).default([]);
const listSet = { 'x-kubernetes-list-type': 'set' };
const quantity = z.union([z.int(), z.string()]).meta({
  'x-kubernetes-int-or-string': true,
  maxLength: 20,
  pattern: '^([0-9]+)(\\.[0-9]+)?(m|k|Ki|M|Mi|G|Gi)?$',
});
const quantities = z.strictObject({ cpu: quantity.optional(), memory: quantity.optional() });

const spec = z
  .strictObject({
    url: z
      .string()
      .min(1)
      .max(2_048)
      .meta({
        description:
          'Where deliveries are sent: https, a public address, port 443 unless the installation allows others.',
        ...rules(
          { rule: "isURL(self) && url(self).getScheme() == 'https'", message: 'must be an https address' },
          { rule: "!isURL(self) || url(self).getHostname() != ''", message: 'must name a host' },
        ),
      }),
    account: z
      .string()
      .min(3)
      .max(254)
      .meta({
        description: 'The e-mail address of the account that the subscription belongs to, and whose plan it uses.',
        ...rules({ rule: 'self == oldSelf', message: 'is immutable: make another resource' }),
      }),
    eventTypes: set(z.string().min(1).max(64), 64).meta({
      description: 'Types of events, or match.*; none: all of them.',
      ...listSet,
    }),
    sports: set(z.string().min(1).max(32), 64).meta({ description: 'Slugs of sports; none: all.', ...listSet }),
    leagues: set(z.int().min(1), 200).meta({ description: 'Ids of tournaments; none: all.', ...listSet }),
    secretRef: z
      .strictObject({
        name: z
          .string()
          .min(1)
          .max(NAME_CHARACTERS)
          .regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/)
          .optional()
          .meta({
            description: "The Secret's name; <name of this resource>-webhook where it is not given.",
          }),
        key: z
          .string()
          .min(1)
          .max(NAME_CHARACTERS)
          .regex(/^[-._a-zA-Z0-9]+$/)
          .default('secret')
          .meta({ description: 'The key inside it.' }),
      })
      .default({ key: 'secret' })
      .meta({
        description:
          'The Secret with the signing secret (whsec_ and base64 of 24 to 64 bytes). One that is missing is made; a changed one rotates.',
      }),
    paused: z.boolean().default(false).meta({ description: 'Nothing is sent while it is true.' }),
    isolation: z.enum(['Shared', 'Dedicated']).default('Shared').meta({
      description: 'Shared dispatchers, or a Deployment of its own.',
    }),
    resources: z
      .strictObject({ requests: quantities.optional(), limits: quantities.optional() })
      .optional()
      .meta({ description: 'Of the container of a dedicated dispatcher.' }),
  })
  .meta(
    rules({
      rule: "!has(self.resources) || self.isolation == 'Dedicated'",
      message: 'resources are for isolation: Dedicated',
    }),
  );

export const CONDITIONS = ['Accepted', 'Ready', 'Delivering'] as const;
export type ConditionType = (typeof CONDITIONS)[number];

const condition = z.strictObject({
  type: z.enum(CONDITIONS),
  status: z.enum(['True', 'False', 'Unknown']),
  reason: z.string().max(64),
  message: z.string().max(1_024),
  observedGeneration: z.int().min(0),
  lastTransitionTime: z.string().max(40).meta({ format: 'date-time' }),
});

const status = z.strictObject({
  observedGeneration: z.int().min(0).optional(),
  subscription: z.string().max(64).optional().meta({ description: 'The id of the subscription in the service.' }),
  dispatcher: z.string().max(NAME_CHARACTERS).optional().meta({ description: 'The Deployment that delivers.' }),
  secret: z.string().max(NAME_CHARACTERS).optional().meta({ description: 'The Secret in use.' }),
  conditions: z
    .array(condition)
    .max(CONDITIONS.length)
    .optional()
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] }),
});

export type Spec = z.output<typeof spec>;
export type Condition = z.output<typeof condition>;
export type Status = z.output<typeof status>;

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

/** What the API server lets pass has this shape: a resource of before a change of the schema may not. */
export const parseSpec = (value: unknown): z.ZodSafeParseResult<Spec> => spec.safeParse(value);

type Json = { [key: string]: unknown };

/** A JSON schema as the API server wants it: structural, without what it forbids. */
function structural(schema: Json): Json {
  const { $schema: _, additionalProperties: __, anyOf, ...rest } = schema;
  if (rest['x-kubernetes-int-or-string'] === true) return { ...rest, anyOf: [{ type: 'integer' }, { type: 'string' }] };
  if (anyOf !== undefined) throw new Error('a structural schema has no anyOf');
  if (rest.type === 'integer') return { ...rest, format: 'int64' };
  if (typeof rest.items === 'object') return { ...rest, items: structural(rest.items as Json) };
  if (typeof rest.properties !== 'object') return rest;
  const properties = Object.entries(rest.properties as Record<string, Json>).map(([name, value]) => [
    name,
    structural(value),
  ]);
  return { ...rest, properties: Object.fromEntries(properties) };
}

const openApi = (schema: z.ZodType) => structural(z.toJSONSchema(schema, { io: 'input' }) as Json);

/** The CustomResourceDefinition. */
export function customResourceDefinition(): Json {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${PLURAL}.${GROUP}`,
      // Helm would delete it, and every subscription with it, when the release is uninstalled.
      annotations: { 'helm.sh/resource-policy': 'keep' },
    },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: {
        kind: KIND,
        listKind: `${KIND}List`,
        plural: PLURAL,
        singular: 'webhooksubscription',
        shortNames: ['whs'],
      },
      versions: [
        {
          name: VERSION,
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: [
            { name: 'URL', type: 'string', jsonPath: '.spec.url' },
            { name: 'Isolation', type: 'string', jsonPath: '.spec.isolation' },
            { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
            { name: 'Dispatcher', type: 'string', jsonPath: '.status.dispatcher' },
            { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
          ],
          schema: {
            openAPIV3Schema: {
              description: 'Events of matches, delivered to an address as signed webhooks.',
              type: 'object',
              required: ['spec'],
              ...rules({
                rule: `self.metadata.name.size() <= ${LABEL_CHARACTERS}`,
                message: `the name has at most ${LABEL_CHARACTERS} characters`,
              }),
              properties: {
                apiVersion: { type: 'string' },
                kind: { type: 'string' },
                metadata: { type: 'object' },
                spec: openApi(spec),
                status: openApi(status),
              },
            },
          },
        },
      ],
    },
  };
}
