/** Environment variables for accounts. */
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import type { ConfigOf, Variables } from '../config/variable.ts';
import { BUILT_IN, plansText } from './plans/plan-file.ts';

const mailbox = z
  .string()
  .regex(
    /^([^<>\r\n"]{1,100} )?<?[^\s<>@"]+@[^\s<>@"]+>?$/,
    'must be an address like service@example.com or Name <service@example.com>',
  );

/** Allows only mailto and https, because the page links to it and a scheme like `javascript:` would run a script. */
const contactUrl = z
  .string()
  .refine(
    (text) => /^(mailto:[^\s@,]+@[^\s@,]+|https:\/\/[^\s]+)$/.test(text) && URL.canParse(text),
    'must be https://example.com/contact or mailto:sales@example.com',
  );

export const accountVariables = {
  signUp: {
    name: 'SIGNUP',
    schema: z.enum(['open', 'approve', 'invite', 'off']).default('invite'),
    unset: 'invite; open under `make run`',
    meaning:
      'who may create an account: anybody (`open`), anybody after approval by an operator (`approve`), people with an invitation (`invite`, see `touchline account invite`), or nobody (`off`)',
  },
  smtpUrl: {
    name: 'SMTP_URL',
    schema: z.url({ protocol: /^smtps?$/, error: 'must be smtp://user:password@host:port or smtps://…' }).optional(),
    unset: 'no mail is sent',
    meaning:
      'the mail server for password reset links, address verification and notices: `smtp://user:password@host:587` (with STARTTLS; `?requireTLS=false` allows clear text), or `smtps://` for TLS from the start; needs `BASE_URL`',
  },
  mailFrom: {
    name: 'MAIL_FROM',
    schema: mailbox.default('touchline@localhost'),
    meaning: 'the mail sender, `Name <service@example.com>`',
  },
  oidcIssuer: {
    name: 'OIDC_ISSUER',
    schema: z.url({ protocol: /^https?$/ }).optional(),
    unset: 'operators sign in with a password or a passkey',
    meaning:
      'the issuer of the [identity provider](single-sign-on.md#operators) at which operators of this service may sign in; set it together with `OIDC_CLIENT_ID`, `OIDC_CLIENT_SECRET` and `BASE_URL`',
  },
  oidcClientId: {
    name: 'OIDC_CLIENT_ID',
    schema: z.string().optional(),
    meaning: 'the id of this service at the identity provider',
  },
  oidcClientSecret: {
    name: 'OIDC_CLIENT_SECRET',
    schema: z.string().optional(),
    meaning: 'the secret of this service at the identity provider',
  },
  contactUrl: {
    name: 'CONTACT_URL',
    schema: contactUrl.optional(),
    unset: 'no contact is shown',
    meaning: 'the contact that the plan pages show: an `https:` or a `mailto:` address',
  },
} satisfies Variables;
export type AccountConfig = Config & ConfigOf<typeof accountVariables>;

/** Variables that every process reads. */
export const planVariables = {
  plans: {
    name: 'PLANS',
    schema: plansText.default(BUILT_IN),
    unset: 'the built-in plans',
    meaning: 'the [plans](plans.md) as YAML or JSON, usually given by `PLANS_FILE`',
  },
} satisfies Variables;

export type PlanConfig = ConfigOf<typeof planVariables>;
