/** Limits that the service's operator sets on webhooks, which go to third-party hosts. */
import type { Plan } from '../../accounts/plans/index.ts';

export interface WebhookPolicy {
  /**
   * Which new URLs have to answer a challenge before any event is sent to them. auto: if the plan of the account is
   * free.
   */
  handshake: 'auto' | 'always' | 'never';
  /** Subscriptions per account above which the account cannot create more; custom resources count too. */
  accountSubscriptions: number;
  /** Subscriptions to one host, over all accounts. */
  hostSubscriptions: number;
  /** Attempts for one subscription that may start within any second. */
  subscriptionRate: number;
  /** Attempts to one host that may start within any second, over all subscriptions and dispatchers. */
  hostRate: number;
  /** By host: the factor of both of its limits. */
  hostFactors: ReadonlyMap<string, number>;
  /** Replays that an account may begin within any hour. */
  replaysPerHour: number;
  /** Concurrent replays of one account. */
  replaysAtOnce: number;
}

/** Whether a new URL of an account on this plan has to answer a challenge. */
export function requiresHandshake({ handshake }: Pick<WebhookPolicy, 'handshake'>, plan: Plan): boolean {
  if (handshake !== 'auto') return handshake === 'always';
  return plan.price.amount === 0;
}

/** @param host in the form of `URL.hostname` */
export const hostFactor = ({ hostFactors }: Pick<WebhookPolicy, 'hostFactors'>, host: string): number =>
  hostFactors.get(host) ?? 1;
