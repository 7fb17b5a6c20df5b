/** Environment variables for the operator. */
import { z } from 'zod';
import { planVariables } from '../src/accounts/config.ts';
import { type ConfigOf, flag, list, type Variables } from '../src/config/variable.ts';
import { pollingVariables } from '../src/polling/config.ts';
import { webhookVariables } from '../src/webhooks/config.ts';
import { ALL_NAMESPACES } from './runtime/kube-api.ts';

/** A DNS label, which is the format for namespace names. */
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
/** A DNS subdomain, which is the format for Secret names. */
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const atLeastOne = z.coerce.number<string>().int().min(1);

export const operatorVariables = {
  ...webhookVariables,
  ...planVariables,
  providers: pollingVariables.providers,
  kubeconfig: {
    name: 'KUBECONFIG',
    schema: z.string().min(1).optional(),
    unset: "the pod's service account",
    meaning: 'a kubeconfig, if the operator runs outside the cluster',
  },
  operatorNamespaces: {
    name: 'OPERATOR_NAMESPACES',
    schema: list
      .pipe(
        z.union(
          [z.tuple([z.literal('*')]), z.array(z.string().max(63).regex(LABEL))],
          'must be namespaces, or * alone',
        ),
      )
      .default([]),
    unset: "the operator's namespace",
    meaning: 'the namespaces that the operator serves, separated by commas; `*` for all',
  },
  operatorInstallation: {
    name: 'OPERATOR_INSTALLATION',
    schema: z.string().max(53).regex(LABEL).default('touchline'),
    meaning:
      'the installation name, which distinguishes several installations in one namespace; the Lease and the rows contain it',
  },
  operatorSecrets: {
    name: 'OPERATOR_SECRETS',
    schema: list.pipe(z.array(z.string().max(253).regex(SUBDOMAIN))).optional(),
    unset: "whatever the operator's rights allow",
    meaning: 'the only Secrets that resources may name, separated by commas',
  },
  operatorDedicated: {
    name: 'OPERATOR_DEDICATED',
    schema: flag.default(true),
    meaning: '0 refuses resources with `isolation: Dedicated`',
  },
  operatorTenancy: {
    name: 'OPERATOR_TENANCY',
    schema: flag.default(true),
    meaning: '0 lets the operator reconcile `WebhookSubscription` resources only',
  },
  operatorRequireAccounts: {
    name: 'OPERATOR_REQUIRE_ACCOUNTS',
    schema: flag.default(false),
    meaning: '1 refuses subscriptions in a namespace without an `Account` resource',
  },
  operatorDeployment: {
    name: 'OPERATOR_DEPLOYMENT',
    schema: z.string().min(1).optional(),
    meaning: "the operator's Deployment, which owns the shared dispatchers' Deployments",
  },
  dispatcherTemplate: {
    name: 'DISPATCHER_TEMPLATE',
    schema: z.string().min(1).optional(),
    unset: 'none: the operator makes no Deployments',
    meaning: 'the dispatcher Deployment as YAML, usually given by `DISPATCHER_TEMPLATE_FILE`',
  },
  dispatchersMin: {
    name: 'DISPATCHERS_MIN',
    schema: atLeastOne.default(1),
    meaning: 'minimum number of shared dispatchers',
  },
  dispatchersMax: {
    name: 'DISPATCHERS_MAX',
    schema: atLeastOne.default(10),
    meaning: 'maximum number of shared dispatchers',
  },
  subscriptionsPerDispatcher: {
    name: 'SUBSCRIPTIONS_PER_DISPATCHER',
    schema: atLeastOne.default(100),
    meaning: 'shared subscriptions that one dispatcher takes',
  },
  dispatchersAutoscaled: {
    name: 'DISPATCHERS_AUTOSCALED',
    schema: flag.default(false),
    meaning: '1 lets an autoscaler set the number of shared dispatchers; the operator leaves it alone',
  },
} satisfies Variables;

export type OperatorConfig = ConfigOf<typeof operatorVariables>;

/**
 * Returns the namespaces that the operator serves; ALL_NAMESPACES alone for all.
 * @param configured OPERATOR_NAMESPACES
 * @param own the operator's namespace
 */
export function servedNamespaces(configured: readonly string[], own: string): string[] {
  if (configured.length === 0) return [own];
  return [...new Set(configured)].map((namespace) => (namespace === '*' ? ALL_NAMESPACES : namespace));
}
