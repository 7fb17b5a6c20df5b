/** Environment variables for the operator. */
import { z } from 'zod';
import { planVariables } from '../../src/accounts/config.ts';
import { type ConfigOf, flag, list, type Variables } from '../../src/config/variable.ts';
import { webhookVariables } from '../../src/webhooks/config.ts';

/** A DNS label, the form for namespace names. */
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
/** A DNS subdomain, the form for Secret names. */
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const atLeastOne = z.coerce.number<string>().int().min(1);

export const operatorVariables = {
  ...webhookVariables,
  ...planVariables,
  kubeconfig: {
    name: 'KUBECONFIG',
    schema: z.string().min(1).optional(),
    unset: "the pod's service account",
    meaning: 'a kubeconfig, where the operator runs outside the cluster',
  },
  operatorNamespaces: {
    name: 'OPERATOR_NAMESPACES',
    schema: list.pipe(z.array(z.string().max(63).regex(LABEL))).default([]),
    unset: 'its own namespace',
    meaning: 'the namespaces whose resources it serves, separated by commas',
  },
  operatorInstallation: {
    name: 'OPERATOR_INSTALLATION',
    schema: z.string().max(53).regex(LABEL).default('touchline'),
    meaning: 'the name of the installation among others in its namespace: in the name of its Lease, and in its rows',
  },
  operatorSecrets: {
    name: 'OPERATOR_SECRETS',
    schema: list.pipe(z.array(z.string().max(253).regex(SUBDOMAIN))).optional(),
    unset: 'whatever its rights allow',
    meaning: 'the only Secrets that resources may name, separated by commas',
  },
  operatorDedicated: {
    name: 'OPERATOR_DEDICATED',
    schema: flag.default(true),
    meaning: '0: resources with `isolation: Dedicated` are refused',
  },
  operatorDeployment: {
    name: 'OPERATOR_DEPLOYMENT',
    schema: z.string().min(1).optional(),
    meaning: 'its own Deployment, which owns those of the shared dispatchers',
  },
  dispatcherTemplate: {
    name: 'DISPATCHER_TEMPLATE',
    schema: z.string().min(1).optional(),
    unset: 'none: it makes no Deployments',
    meaning: 'YAML, usually by `DISPATCHER_TEMPLATE_FILE`: the Deployment of dispatchers',
  },
  dispatchersMin: {
    name: 'DISPATCHERS_MIN',
    schema: atLeastOne.default(1),
    meaning: 'shared dispatchers at least',
  },
  dispatchersMax: {
    name: 'DISPATCHERS_MAX',
    schema: atLeastOne.default(10),
    meaning: 'shared dispatchers at most',
  },
  subscriptionsPerDispatcher: {
    name: 'SUBSCRIPTIONS_PER_DISPATCHER',
    schema: atLeastOne.default(100),
    meaning: 'shared subscriptions that one dispatcher takes',
  },
  dispatchersAutoscaled: {
    name: 'DISPATCHERS_AUTOSCALED',
    schema: flag.default(false),
    meaning: '1: an autoscaler sets the number of shared dispatchers, and the operator leaves it',
  },
} satisfies Variables;

export type OperatorConfig = ConfigOf<typeof operatorVariables>;
