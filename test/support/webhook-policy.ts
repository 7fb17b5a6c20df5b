/** Policies of webhooks for tests and measurements. */
import { readVariables } from '../../src/config/variable.ts';
import {
  policyVariables,
  type WebhookPolicy,
  webhookPolicy,
} from '../../src/webhooks/subscriptions/operator-limits.ts';

/** Policy of a service without any of the variables. */
export const DEFAULT_POLICY: WebhookPolicy = webhookPolicy(readVariables({}, policyVariables, () => []));

/** Receivers of tests share the host 127.0.0.1 and a clock that stands still, so that rates would delay unrelated tests. */
export const UNBOUNDED: WebhookPolicy = {
  ...DEFAULT_POLICY,
  subscriptionRate: 1_000_000,
  hostRate: 1_000_000,
  replaysPerHour: 1_000_000,
  replaysAtOnce: 1_000_000,
};
