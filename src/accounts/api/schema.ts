/** Wire format for accounts, keys, sessions and audit log. */
import { z } from 'zod';
import { isNetwork } from '../../config/network.ts';
import { KEY_SCOPES } from '../../http/index.ts';
import { timestamp } from '../../wire/time.ts';
import { auditEvent } from '../audit-events.ts';
import { MAX_LISTED, MAX_NAME_LENGTH } from '../keys/key-store.ts';
import { MAX_OVERLAP_SECONDS, OVERLAP_SECONDS } from '../keys/manage-keys.ts';
import { GIVEN_ROLES, groupRole } from '../single-sign-on/settings.ts';

const MAX_TEXT = 1_000;
const shortText = z.string().max(MAX_TEXT);
const network = z.string().max(60).refine(isNetwork, 'must be an IP address or a network like 10.0.0.0/8');

export const accountChange = z.strictObject({
  name: shortText.nullable().meta({ description: '1 to 100 characters; null removes the name' }),
});

export const signUp = z.strictObject({
  email: shortText.meta({ format: 'email' }),
  password: shortText.meta({ description: 'At least 10 characters' }),
  invitation: shortText.optional().meta({ description: 'Invitation token, if `SIGNUP` is `invite`' }),
});

const windows = z.array(z.strictObject({ name: z.enum(['burst', 'day', 'month']), quota: z.int() }));

export const account = z
  .strictObject({
    id: z.int(),
    email: z.string(),
    name: z.string().nullable().meta({ description: 'Name of the organisation, shown in place of the email' }),
    email_verified: z.boolean().meta({
      description:
        'False if a link that verifies the address was sent and has not been used yet. Until then the day and month windows are a tenth of those in the plan for new accounts',
    }),
    created_at: timestamp,
    plan: z.strictObject({
      name: z.string(),
      title: z.string(),
      price: z.strictObject({ amount: z.number(), currency: z.string() }).meta({ description: 'Per month' }),
      windows: windows.meta({ description: 'Requests of all secret keys together' }),
      publishable_windows: windows.meta({
        description: 'Requests of all publishable keys together, which are counted separately',
      }),
      publishable_per_address: windows.meta({
        description: 'Share of the publishable windows that one client address may use',
      }),
      connections: z.int().meta({ description: 'Concurrent streams of all secret keys together' }),
      publishable_connections: z.int().meta({ description: 'Concurrent streams of all publishable keys together' }),
      stream: z.boolean(),
      webhooks: z.boolean(),
    }),
    keys: z.int().meta({ description: 'Number of usable keys' }),
    awaits_approval: z
      .boolean()
      .meta({ description: 'True if the keys are refused until an operator of this service approves the account' }),
  })
  .meta({ id: 'Account' });

const keyFields = {
  id: z.int(),
  kind: z.enum(['sk', 'pk']).meta({ description: 'sk: secret, for servers. pk: publishable, for browsers.' }),
  name: z.string().nullable(),
  prefix: z.string().meta({ description: 'First characters of the key' }),
  last_four: z.string(),
  state: z.enum(['active', 'expired', 'revoked']),
  origins: z.array(z.string()).nullable().meta({ description: 'Origins that may use the key; null for any' }),
  addresses: z
    .array(z.string())
    .nullable()
    .meta({ description: 'Addresses and networks that may use the key; null for any' }),
  scopes: z.array(z.enum(KEY_SCOPES)).nullable().meta({
    description:
      'The permitted uses; null for all. `read`: data over REST, and tools. `stream`: streams and replay. `webhooks`: webhook subscriptions and stored events. `account`: account, usage and audit log',
  }),
  member: z.string().nullable().meta({
    description: 'The address of the person to whom the key belongs; null for a key of the organisation',
  }),
  created_at: timestamp,
  expires_at: timestamp.nullable(),
  revoked_at: timestamp.nullable(),
  last_used_at: timestamp.nullable(),
  last_used_from: z.string().nullable().meta({ description: 'The client address in the latest request' }),
  replaced_by: z.int().nullable().meta({ description: 'Id of the key that replaced this one in a rotation' }),
  managed: z.strictObject({ namespace: z.string(), name: z.string() }).nullable().meta({
    description: 'The custom resource in the cluster that declares the key. Change the key there',
  }),
};
export const key = z.strictObject(keyFields).meta({ id: 'ApiKey' });
export const keys = z.strictObject({ keys: z.array(key) });
export const newKey = z
  .strictObject({
    ...keyFields,
    key: z
      .string()
      .optional()
      .meta({ description: 'The key itself. It is shown once, not in the reply to a repeated request.' }),
  })
  .meta({ id: 'CreatedApiKey' });
export const signedUp = z.strictObject({ account, key: newKey });

const lists = {
  origins: z.array(shortText).max(MAX_LISTED).nullable().optional(),
  addresses: z.array(network).max(MAX_LISTED).nullable().optional(),
  scopes: z
    .array(z.enum(KEY_SCOPES))
    .min(1)
    .max(KEY_SCOPES.length)
    .nullable()
    .optional()
    .meta({ description: 'The permitted uses; all if missing or null' }),
};
export const keyToCreate = z.strictObject({
  name: z.string().min(1).max(MAX_NAME_LENGTH).optional(),
  kind: z.enum(['sk', 'pk']).default('sk'),
  ...lists,
  expires_at: z.iso.datetime({ offset: true }).optional(),
  personal: z.boolean().optional().meta({
    description:
      'Whether the key belongs to you instead of the organisation. It then permits what your role permits, and ends when you leave. True by default if your role permits personal keys only',
  }),
});
export const keyChange = z.strictObject({ name: z.string().min(1).max(MAX_NAME_LENGTH).optional(), ...lists });
export const rotation = z.strictObject({
  overlap_seconds: z
    .int()
    .min(0)
    .max(MAX_OVERLAP_SECONDS)
    .default(OVERLAP_SECONDS)
    .meta({ description: 'Time for which the old key stays valid; 0 revokes it at once' }),
});

export const session = z
  .strictObject({
    id: z.int(),
    device: z.string().meta({ description: 'Browser and system, such as `Firefox 128 on Windows`' }),
    user_agent: z.string().meta({ description: 'The `User-Agent` header' }),
    address: z.string().meta({ description: 'The client address that signed in' }),
    created_at: timestamp,
    last_seen_at: timestamp.meta({ description: 'Updated at most every five minutes' }),
    current: z.boolean().meta({ description: 'Whether it is the session of this request' }),
  })
  .meta({ id: 'Session' });
export const sessions = z.strictObject({ sessions: z.array(session) });

export const passkey = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    host: z.string().meta({ description: 'The host for which it was made. Elsewhere it cannot be used' }),
    created_at: timestamp,
    last_used_at: timestamp.nullable(),
  })
  .meta({ id: 'Passkey' });
export const passkeys = z.strictObject({ passkeys: z.array(passkey) });
export const passkeyChange = z.strictObject({
  name: shortText.meta({ description: '1 to 100 characters' }),
});

export const auditLog = z.strictObject({
  entries: z.array(auditEvent.omit({ cursor: true })),
  next_cursor: z.int().nullable().meta({ description: 'Cursor for older entries; null if there are none' }),
});
export const auditEvents = z.strictObject({
  events: z.array(auditEvent),
  next_cursor: z.int().meta({ description: 'Cursor after these entries, also if there are none yet' }),
  has_more: z.boolean().meta({ description: 'Whether there are later entries now' }),
});

export const singleSignOn = z
  .strictObject({
    issuer: z.string(),
    client_id: z.string(),
    redirect_uri: z.string().meta({ description: 'The address to register at the provider' }),
    domains: z.array(
      z.strictObject({
        domain: z.string(),
        record: z.string().meta({ description: 'The TXT record that verifies the domain' }),
        verified_at: timestamp.nullable(),
        checked_at: timestamp.nullable().meta({ description: 'When the record was read last' }),
      }),
    ),
    default_role: z.enum(GIVEN_ROLES),
    groups_claim: z.string(),
    group_roles: z.array(groupRole),
    required: z.boolean(),
    emergency_owner: z.int().nullable().meta({ description: 'The id of a member' }),
  })
  .meta({ id: 'SingleSignOn' });
