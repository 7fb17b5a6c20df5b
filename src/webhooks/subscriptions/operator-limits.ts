/** Limits that the service's operator sets on webhooks, which go to third-party hosts. */
import { z } from 'zod';
import type { Plan } from '../../accounts/plans/index.ts';
import { type ConfigOf, list, type Variables } from '../../config/variable.ts';

const count = (most: number) => z.coerce.number<string>().int().min(1).max(most);
const MOST = 1_000_000;
const FACTOR = /^(?<host>[a-z0-9.-]+|\[[0-9a-f:.]+\])=(?<factor>[1-9]\d{0,3})$/;

/** Parses `hooks.example.com=10` as ['hooks.example.com', 10]. */
const hostFactors = list
  .refine(
    (entries) => entries.every((entry) => FACTOR.test(entry.toLowerCase())),
    'must be host=factor, with a whole factor of 1 to 9999, separated by commas',
  )
  .transform(
    (entries): ReadonlyMap<string, number> =>
      new Map(
        entries.map((entry) => {
          const { host, factor } = FACTOR.exec(entry.toLowerCase())!.groups!;
          return [host!, Number(factor)];
        }),
      ),
  );

export const policyVariables = {
  webhookHandshake: {
    name: 'WEBHOOK_HANDSHAKE',
    schema: z.enum(['auto', 'always', 'never']).default('auto'),
    meaning:
      'which new URLs have to answer a [challenge](webhooks.md#handshake) before events are sent to them: URLs on free plans (`auto`), all (`always`), or none (`never`)',
  },
  webhookAccountSubscriptions: {
    name: 'WEBHOOK_ACCOUNT_SUBSCRIPTIONS',
    schema: count(MOST).default(100),
    meaning: 'webhook subscriptions that an account may create',
  },
  webhookHostSubscriptions: {
    name: 'WEBHOOK_HOST_SUBSCRIPTIONS',
    schema: count(MOST).default(500),
    meaning: 'webhook subscriptions to one host, over all accounts',
  },
  webhookSubscriptionRate: {
    name: 'WEBHOOK_SUBSCRIPTION_RATE',
    schema: count(MOST).default(100),
    meaning: 'requests for one webhook subscription within any second; more wait',
  },
  webhookHostRate: {
    name: 'WEBHOOK_HOST_RATE',
    schema: count(MOST).default(200),
    meaning: 'requests to one host within any second, over all subscriptions, accounts and dispatchers; more wait',
  },
  webhookHostFactors: {
    name: 'WEBHOOK_HOST_FACTORS',
    schema: hostFactors.default(new Map()),
    meaning:
      'hosts that may get more, such as `hooks.example.com=10`, separated by commas; the factor multiplies both bounds of the host',
  },
  webhookReplaysPerHour: {
    name: 'WEBHOOK_REPLAYS_PER_HOUR',
    schema: count(MOST).default(20),
    meaning: 'replays of webhooks that an account may begin within any hour',
  },
  webhookReplaysAtOnce: {
    name: 'WEBHOOK_REPLAYS_AT_ONCE',
    schema: count(MOST).default(5),
    meaning: 'replays of webhooks of one account that are sent at the same time',
  },
} satisfies Variables;

export const webhookPolicy = (config: ConfigOf<typeof policyVariables>) => ({
  handshake: config.webhookHandshake,
  accountSubscriptions: config.webhookAccountSubscriptions,
  hostSubscriptions: config.webhookHostSubscriptions,
  subscriptionRate: config.webhookSubscriptionRate,
  hostRate: config.webhookHostRate,
  hostFactors: config.webhookHostFactors,
  replaysPerHour: config.webhookReplaysPerHour,
  replaysAtOnce: config.webhookReplaysAtOnce,
});

export type WebhookPolicy = ReturnType<typeof webhookPolicy>;

/** Returns whether a new URL has to answer a challenge if the account has this plan. */
export function requiresHandshake({ handshake }: Pick<WebhookPolicy, 'handshake'>, plan: Plan): boolean {
  if (handshake !== 'auto') return handshake === 'always';
  return plan.price.amount === 0;
}

/** @param host as in `URL.hostname` */
export const hostFactor = ({ hostFactors }: Pick<WebhookPolicy, 'hostFactors'>, host: string): number =>
  hostFactors.get(host) ?? 1;
