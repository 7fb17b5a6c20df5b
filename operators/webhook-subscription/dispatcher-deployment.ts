/** Builds the Deployment for a dispatcher group, from the template that the chart provides. Pure. */

import { createHash } from 'node:crypto';
import { SHARED } from '../../src/webhooks/subscriptions/index.ts';
import { apiVersion, DEPLOYMENTS, type KubeObject, type ObjectMeta, type OwnerReference } from '../runtime/kube-api.ts';
import { GROUP, MANAGED_LABEL, MANAGER } from '../runtime/labels.ts';
import type { Spec } from './crd.ts';
import { GROUP_LABEL } from './desired-state.ts';

/** Annotation on a dispatcher Deployment, with a digest of the template from which it was made. */
export const TEMPLATE_ANNOTATION = `${GROUP}/template`;

const UID_CHARACTERS = 10;
/** Maximum length of a Deployment's name, so that the names of its pods still fit into a label. */
const DEPLOYMENT_CHARACTERS = 47;

/** @param base the template's name, which is also the name of the shared dispatchers */
export function deploymentName(base: string, group: string): string {
  if (group === SHARED) return base;
  const digest = createHash('sha256').update(group).digest('hex').slice(0, UID_CHARACTERS);
  return `${base.slice(0, DEPLOYMENT_CHARACTERS - UID_CHARACTERS - 1)}-${digest}`;
}

type Quantities = Record<string, unknown>;
interface Container {
  name: string;
  env?: { name: string; [key: string]: unknown }[];
  resources?: { requests?: Quantities; limits?: Quantities };
  [key: string]: unknown;
}
/** The fields in a Deployment that the operator uses. */
export interface Deployment extends KubeObject {
  spec: {
    replicas?: number;
    selector: { matchLabels: Record<string, string> };
    template: {
      metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> };
      spec: { containers: [Container, ...Container[]]; [key: string]: unknown };
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

/** @throws {Error} if the template is not a dispatcher Deployment */
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

/** Returns the resources from the spec, with the storage from the template, since a spec cannot set it. */
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
  const [first, ...others] = spec.template.spec.containers;
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
