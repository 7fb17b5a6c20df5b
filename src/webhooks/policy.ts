/** What the operator of the service allows webhooks to do to the hosts of others: whether these are asked first, and how much is sent to them. */
import { planNamed } from '../accounts/plans/plans.ts';
import type { PolicyConfig } from './config.ts';

export interface WebhookPolicy {
  /** Which new URLs have to answer a challenge before anything else is sent to them. auto: those of accounts that pay nothing. */
  handshake: 'auto' | 'always' | 'never';
  /** Subscriptions of one account that it may create itself, those of custom resources counted. */
  accountSubscriptions: number;
  /** Subscriptions to one host, over all accounts. */
  hostSubscriptions: number;
  /** Attempts for one subscription that may start within any second. */
  subscriptionRate: number;
  /** Attempts to one host that may start within any second, over all subscriptions and dispatchers. */
  hostRate: number;
  /** Hosts for which both of their bounds are multiplied. */
  hostFactors: ReadonlyMap<string, number>;
  /** Replays that an account may begin within any hour. */
  replaysPerHour: number;
  /** Replays of one account that are being sent. */
  replaysAtOnce: number;
}

export const webhookPolicy = (config: PolicyConfig): WebhookPolicy => ({
  handshake: config.webhookHandshake,
  accountSubscriptions: config.webhookAccountSubscriptions,
  hostSubscriptions: config.webhookHostSubscriptions,
  subscriptionRate: config.webhookSubscriptionRate,
  hostRate: config.webhookHostRate,
  hostFactors: config.webhookHostFactors,
  replaysPerHour: config.webhookReplaysPerHour,
  replaysAtOnce: config.webhookReplaysAtOnce,
});

/** Whether a new URL of an account on this plan has to answer a challenge. */
export function requiresHandshake({ handshake }: Pick<WebhookPolicy, 'handshake'>, plan: string): boolean {
  if (handshake !== 'auto') return handshake === 'always';
  return planNamed(plan).price.amount === 0;
}

/** @param host as `URL.hostname` has it */
export const hostFactor = ({ hostFactors }: Pick<WebhookPolicy, 'hostFactors'>, host: string): number =>
  hostFactors.get(host) ?? 1;
