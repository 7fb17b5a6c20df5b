/** Wire format for organisations and their members. */
import { z } from 'zod';
import { timestamp } from '../../wire/time.ts';
import { ROLES } from '../roles.ts';

const role = z.enum(ROLES).meta({ description: 'See docs/organisations.md for what each role permits' });
const email = z.string().max(1_000).meta({ format: 'email' });

export const member = z
  .strictObject({
    id: z.int(),
    email: z.string(),
    role,
    joined_at: timestamp,
    last_signed_in_at: timestamp.nullable(),
    second_factor: z.boolean(),
    current: z.boolean().meta({ description: 'Whether it is the member who sent the request' }),
  })
  .meta({ id: 'Member' });
export const members = z.strictObject({
  members: z.array(member),
  ownership_offer: z
    .strictObject({
      from: z.string().meta({ description: 'Email of the owner' }),
      to: z.string().meta({ description: 'Email of the member to whom the organisation is offered' }),
      to_id: z.int(),
      expires_at: timestamp,
    })
    .nullable(),
});
export const roleChange = z.strictObject({ role });

export const invitation = z
  .strictObject({
    id: z.int(),
    email: z.string(),
    role,
    invited_by: z.string().meta({ description: 'Email of the inviter' }),
    created_at: timestamp,
    expires_at: timestamp,
  })
  .meta({ id: 'MemberInvitation' });
export const invitations = z.strictObject({ invitations: z.array(invitation) });
export const toInvite = z.strictObject({
  email,
  role,
  lang: z.enum(['en', 'ru']).default('en').meta({ description: 'Language of the mail' }),
});
export const newInvitation = invitation
  .extend({ link: z.string().nullable().meta({ description: 'The link, shown once; null if it was sent by mail' }) })
  .meta({ id: 'CreatedMemberInvitation' });

export const offer = z.strictObject({ member_id: z.int().min(1).max(Number.MAX_SAFE_INTEGER) });
export const answer = z.strictObject({ answer: z.enum(['accept', 'decline']) });

export const newOrganisation = z.strictObject({
  name: z.string().min(1).max(100).optional(),
  invitation: z
    .string()
    .max(1_000)
    .optional()
    .meta({ description: 'Invitation token of an operator, if `SIGNUP` is `invite`' }),
});
export const createdOrganisation = z.strictObject({
  id: z.int(),
  awaits_approval: z.boolean().meta({ description: 'True if an operator has to approve the organisation first' }),
});

export const organisations = z.strictObject({
  organisations: z.array(
    z.strictObject({
      id: z.int(),
      name: z.string().meta({ description: "The name or, without one, the account's email" }),
      role,
      current: z.boolean().meta({ description: 'Whether the session acts for it' }),
    }),
  ),
});
