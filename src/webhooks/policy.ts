/** The bounds that the operator of the service sets on webhooks, which go to the hosts of others. */
import { planNamed } from '../accounts/plans/plans.ts';
import type { PolicyConfig } from './config.ts';

export interface WebhookPolicy {
  /** The new URLs that have to answer a challenge before anything else is sent to them. auto: if the plan of the account costs nothing. */
  handshake: 'auto' | 'always' | 'never';
  /** Subscriptions of an account beyond which it creates no more itself; custom resources are counted. */
  accountSubscriptions: number;
  /** Subscriptions to one host, over all accounts. */
  hostSubscriptions: number;
  /** Attempts for one subscription that may start within any second. */
  subscriptionRate: number;
  /** Attempts to one host that may start within any second, over all subscriptions and dispatchers. */
  hostRate: number;
  /** By host: the factor of both of its bounds. */
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
