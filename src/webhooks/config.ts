/** Variables for the processes that send webhooks or check webhook addresses. */
import { z } from 'zod';
import { type ConfigOf, list, type Variables } from '../config/variable.ts';
import { parseAllowEntry } from '../outbound/index.ts';
import { policyVariables } from './subscriptions/operator-limits.ts';

/** Addresses that webhooks may be sent to in addition to public ones; see allow-list.ts. */
const webhookAllow = {
  name: 'WEBHOOK_ALLOW',
  schema: list
    .refine(
      (entries) => entries.every((entry) => parseAllowEntry(entry) !== null),
      'must be host[:port] or address[/bits][:port], with http:// in front for plain HTTP, separated by commas',
    )
    .default([]),
  meaning: '[addresses](webhooks.md#allowed-addresses) that webhooks may reach although they are not public',
};

export const webhookVariables = { webhookAllow, ...policyVariables } satisfies Variables;
export type WebhookConfig = ConfigOf<typeof webhookVariables>;

export const dispatcherVariables = {
  ...webhookVariables,
  dispatcherGroup: {
    name: 'DISPATCHER_GROUP',
    schema: z
      .string()
      .regex(/^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/, 'must be a name of lower-case letters, digits, - and .')
      .default('shared'),
    meaning: 'which subscriptions a dispatcher takes: `shared`, or the name of a dedicated group',
  },
} satisfies Variables;
