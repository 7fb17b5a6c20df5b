/** What the operator reads of the environment. */
import { z } from 'zod';
import { type ConfigOf, list, type Variables } from '../../src/config/variable.ts';
import { webhookAllow } from '../../src/webhooks/config.ts';

const atLeastOne = z.coerce.number<string>().int().min(1);

export const operatorVariables = {
  webhookAllow,
  kubeconfig: {
    name: 'KUBECONFIG',
    schema: z.string().min(1).optional(),
    unset: "the pod's service account",
    meaning: 'a kubeconfig, where the operator runs outside the cluster',
  },
  operatorNamespaces: {
    name: 'OPERATOR_NAMESPACES',
    schema: list.default([]),
    unset: 'its own namespace',
    meaning: 'the namespaces whose resources it serves, separated by commas',
  },
  operatorDeployment: {
    name: 'OPERATOR_DEPLOYMENT',
    schema: z.string().min(1).optional(),
    unset: 'none',
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
    unset: '1',
    meaning: 'shared dispatchers at least',
  },
  dispatchersMax: {
    name: 'DISPATCHERS_MAX',
    schema: atLeastOne.default(10),
    unset: '10',
    meaning: 'shared dispatchers at most',
  },
  subscriptionsPerDispatcher: {
    name: 'SUBSCRIPTIONS_PER_DISPATCHER',
    schema: atLeastOne.default(100),
    unset: '100',
    meaning: 'shared subscriptions that one dispatcher takes',
  },
} satisfies Variables;

export type OperatorConfig = ConfigOf<typeof operatorVariables>;
