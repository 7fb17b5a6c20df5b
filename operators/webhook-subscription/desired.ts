/** The desired state of a resource: names, the row, the Deployment. Pure. */
import { createHash } from 'node:crypto';
import { SHARED, type Wanted } from '../../src/webhooks/subscriptions/subscription.ts';
import type { Subscription } from '../../src/webhooks/subscriptions/subscription-queries.ts';
import { GROUP, KIND, type Spec, VERSION, type WebhookSubscription } from './crd.ts';
import { apiVersion, DEPLOYMENTS, type KubeObject, type ObjectMeta, type OwnerReference } from './kube-api.ts';
import type { SharedWork } from './queries.ts';

export const GROUP_LABEL = `${GROUP}/dispatcher-group`;
export const MANAGED_LABEL = 'app.kubernetes.io/managed-by';
export const MANAGER = 'touchline-operator';
/** On a resource, or on a Deployment of dispatchers: the operator leaves it unchanged. */
const PAUSE_ANNOTATION = `${GROUP}/pause-reconciliation`;
/** On a Deployment of dispatchers: a digest of its template. */
export const TEMPLATE_ANNOTATION = `${GROUP}/template`;

export const isPaused = ({ metadata }: { metadata: Pick<ObjectMeta, 'annotations'> }): boolean =>
  metadata.annotations?.[PAUSE_ANNOTATION] === 'true';

/** Returns the group of dispatchers that a resource requests. */
export const dispatcherGroup = ({
  metadata,
  spec,
}: {
  metadata: { uid: string };
  spec: Pick<Spec, 'isolation'>;
}): string => (spec.isolation === 'Dedicated' ? dedicatedGroup(metadata.uid) : SHARED);
export const dedicatedGroup = (uid: string): string => `whs-${uid}`;

export const secretName = ({ metadata, spec }: { metadata: { name: string }; spec: Pick<Spec, 'secretRef'> }): string =>
  spec.secretRef.name ?? `${metadata.name}-webhook`;

const UID_CHARACTERS = 10;
/** The longest name of a Deployment for which the names of its pods fit into a label. */
const DEPLOYMENT_CHARACTERS = 47;

/** @param base the name of the template, which the shared dispatchers have too */
export function deploymentName(base: string, group: string): string {
  if (group === SHARED) return base;
  const digest = createHash('sha256').update(group).digest('hex').slice(0, UID_CHARACTERS);
  return `${base.slice(0, DEPLOYMENT_CHARACTERS - UID_CHARACTERS - 1)}-${digest}`;
}

const same = (a: readonly (string | number)[], b: readonly (string | number)[]) =>
  a.length === b.length && [...a].sort().join() === [...b].sort().join();
const href = (url: string) => (URL.canParse(url) ? new URL(url).href : url);

/**
 * Returns the changes that bring the row in line with the spec. `paused` is applied only while the spec is new: a pause
 * that was made or lifted elsewhere since then stays.
 */
export function diffSpec(spec: Spec, row: Subscription, { isNew }: { isNew: boolean }): Partial<Wanted> {
  return {
    ...(href(spec.url) !== row.url && { url: spec.url }),
    ...(!same(spec.eventTypes, row.eventTypes) && { eventTypes: spec.eventTypes }),
    ...(!same(spec.sports, row.sports) && { sports: spec.sports }),
    ...(!same(spec.leagues, row.leagues) && { leagues: spec.leagues }),
    ...(!same(spec.matchIds, row.matchIds) && { matchIds: spec.matchIds }),
    ...(!same(spec.participantIds, row.participantIds) && { participantIds: spec.participantIds }),
    ...(isNew && spec.paused !== row.paused && { paused: spec.paused }),
  };
}

export interface Bounds {
  min: number;
  max: number;
  /** Subscriptions per dispatcher. */
  each: number;
}

/** Load of a dispatcher at which a further one is made: below 1, since events come in bursts. */
const TARGET_LOAD = 0.6;
/** Tolerated before the number changes, as by a HorizontalPodAutoscaler. */
const TOLERANCE = 0.1;

/** Returns the number of shared dispatchers; at least one, since the portal creates subscriptions too. */
export const sharedReplicas = ({ subscriptions, load }: SharedWork, { min, max, each }: Bounds): number => {
  const wanted = Math.max(Math.ceil(subscriptions / each), Math.ceil(load / TARGET_LOAD - TOLERANCE));
  return Math.max(1, min, Math.min(max, wanted));
};

export const ownerReference = ({ metadata }: WebhookSubscription): OwnerReference => ({
  apiVersion: `${GROUP}/${VERSION}`,
  kind: KIND,
  name: metadata.name,
  uid: metadata.uid,
  controller: true,
});

type Quantities = Record<string, unknown>;
interface Container {
  name: string;
  env?: { name: string; [key: string]: unknown }[];
  resources?: { requests?: Quantities; limits?: Quantities };
  [key: string]: unknown;
}
/** The fields of a Deployment that the operator uses. */
export interface Deployment extends KubeObject {
  spec: {
    replicas?: number;
    selector: { matchLabels: Record<string, string> };
    template: {
      metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> };
      spec: { containers: Container[]; [key: string]: unknown };
    };
    [key: string]: unknown;
  };
  status?: { observedGeneration?: number; updatedReplicas?: number; availableReplicas?: number };
}

export interface DesiredDeployment {
  /** The Deployment that the chart provides. */
  template: Deployment;
  namespace: string;
  group: string;
  replicas: number;
  resources?: Spec['resources'] | undefined;
  owner?: OwnerReference | undefined;
}

export type AppliedDeployment = Omit<Deployment, 'metadata'> & { metadata: Partial<ObjectMeta> };

/** @throws {Error} if the template is not a Deployment of dispatchers */
export function parseTemplate(value: unknown): Deployment {
  const template = value as Partial<Deployment> | null;
  if (template?.kind !== 'Deployment') throw new Error('the template of dispatchers is not a Deployment');
  if (!template.metadata?.name) throw new Error('the template of dispatchers has no name');
  if (!template.spec?.template?.spec?.containers?.length)
    throw new Error('the template of dispatchers has no container');
  for (const { name, env = [] } of template.spec.template.spec.containers) {
    const names = env.map((one) => one.name);
    const repeated = names.find((one, index) => names.indexOf(one) !== index);
    if (repeated !== undefined)
      throw new Error(`the template of dispatchers sets ${repeated} twice in the container ${name}`);
  }
  return template as Deployment;
}

/** Returns the resources of a spec, with the template's storage, which no spec sets. */
function withStorage(own: NonNullable<Spec['resources']>, template: Container['resources']): Container['resources'] {
  const merged: NonNullable<Container['resources']> = {};
  for (const part of ['requests', 'limits'] as const) {
    const storage = template?.[part]?.['ephemeral-storage'];
    const all = { ...(storage !== undefined && { 'ephemeral-storage': storage }), ...own[part] };
    if (Object.keys(all).length > 0) merged[part] = all;
  }
  return merged;
}

/** Returns the Deployment to apply for a group. */
export function deploymentFor({
  template,
  namespace,
  group,
  replicas,
  resources,
  owner,
}: DesiredDeployment): AppliedDeployment {
  const { metadata, spec } = template;
  const label = { [GROUP_LABEL]: group };
  const [first, ...others] = spec.template.spec.containers as [Container, ...Container[]];
  const env = [
    ...(first.env ?? []).filter(({ name }) => name !== 'DISPATCHER_GROUP'),
    { name: 'DISPATCHER_GROUP', value: group },
  ];
  return {
    apiVersion: apiVersion(DEPLOYMENTS),
    kind: DEPLOYMENTS.kind,
    metadata: {
      name: deploymentName(metadata.name, group),
      namespace,
      labels: { ...metadata.labels, ...label, [MANAGED_LABEL]: MANAGER },
      ...(metadata.annotations !== undefined && { annotations: metadata.annotations }),
      ...(owner !== undefined && { ownerReferences: [owner] }),
    },
    spec: {
      ...spec,
      replicas,
      selector: { matchLabels: { ...spec.selector?.matchLabels, ...label } },
      template: {
        ...spec.template,
        metadata: {
          ...spec.template.metadata,
          labels: { ...spec.selector?.matchLabels, ...spec.template.metadata?.labels, ...label },
        },
        spec: {
          ...spec.template.spec,
          containers: [
            { ...first, env, ...(resources !== undefined && { resources: withStorage(resources, first.resources) }) },
            ...others,
          ],
        },
      },
    },
  };
}
