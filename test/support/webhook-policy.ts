/** Webhook policies for tests and measurements. */
import { readVariables } from '../../src/config/variable.ts';
import {
  policyVariables,
  type WebhookPolicy,
  webhookPolicy,
} from '../../src/webhooks/subscriptions/operator-limits.ts';

/** The policy of a service without these variables. */
export const DEFAULT_POLICY: WebhookPolicy = webhookPolicy(readVariables({}, policyVariables, () => []));

/**
 * A policy without rate limits. All receivers in tests are on the host 127.0.0.1, and the clock does not advance, so
 * that limits would delay unrelated tests.
 */
export const UNBOUNDED: WebhookPolicy = {
  ...DEFAULT_POLICY,
  subscriptionRate: 1_000_000,
  hostRate: 1_000_000,
  replaysPerHour: 1_000_000,
  replaysAtOnce: 1_000_000,
};
