/** An organisation over REST: its name, members, invitations and owner. For signed-in members, since a key is no person. */
import { z } from 'zod';
import { idParams, type Principal, Problem, type RouteInput, type RouteValue } from '../../http/index.ts';
import { wireTime } from '../../wire/time.ts';
import { accountIdOf } from '../audit.ts';
import { type AccountDeps, route } from '../deps.ts';
import {
  inviteMember,
  listMemberInvitations,
  type MemberInvitation,
  revokeMemberInvitation,
} from '../members/member-invitations.ts';
import { type ListedMember, listMembers, type SignedInMember } from '../members/members.ts';
import {
  changeRole,
  leaveOrganisation,
  listOrganisations,
  removeMember,
  switchOrganisation,
} from '../members/memberships.ts';
import { answerOwnership, offerOwnership, readOffer, withdrawOwnership } from '../members/ownership.ts';
import { createOrganisation } from '../members/sign-up.ts';
import * as schema from './organisation-schema.ts';

const member = { tag: 'Account', access: 'member', cost: 0, cache: 'no-store' } as const;
const own = { ...member, access: 'account' } as const;
/** For routes that change members. */
const changes = { ...member, needsRecentSignIn: true } as const;
const NOTHING = { status: 204, response: z.null() } as const;

type Input = Pick<RouteInput<unknown, unknown, unknown>, 'principal' | 'address'>;

/** Returns the person who sent a request. @throws {TypeError} for a route that keys may use */
export function actingMember({ principal, address }: Input): SignedInMember {
  if (principal?.kind !== 'member') throw new TypeError('no member is signed in');
  const { memberId, accountId, email, sessionHash } = principal;
  return { memberId, accountId, email, sessionHash, address };
}

const memberItem = (one: ListedMember, principal: Principal | null): z.output<typeof schema.member> => ({
  id: one.id,
  email: one.email,
  role: one.role,
  joined_at: wireTime(one.joined_at.getTime()),
  last_signed_in_at: one.signed_in_at === null ? null : wireTime(one.signed_in_at.getTime()),
  second_factor: one.has_second_factor,
  current: principal?.kind === 'member' && principal.memberId === one.id,
});

const invitationItem = (one: MemberInvitation): z.output<typeof schema.invitation> => ({
  id: one.id,
  email: one.email,
  role: one.role,
  invited_by: one.invited_by,
  created_at: wireTime(one.created_at.getTime()),
  expires_at: wireTime(one.expires_at.getTime()),
});

const list = route({
  ...own,
  method: 'GET',
  path: '/v1/account/members',
  permission: 'view',
  summary: "The organisation's members",
  description: 'In the order in which they joined. `ownership_offer` is the open offer to hand the organisation over.',
  response: schema.members,
  handler: async ({ principal }, { pool, clock }) => {
    const accountId = accountIdOf(principal);
    const [members, offer] = await Promise.all([listMembers(pool, accountId), readOffer(pool, clock, accountId)]);
    const ownership_offer = offer && {
      from: offer.from,
      to: offer.to,
      to_id: offer.to_id,
      expires_at: wireTime(offer.expires_at.getTime()),
    };
    return { body: { members: members.map((one) => memberItem(one, principal)), ownership_offer } };
  },
});

const change = route({
  ...changes,
  method: 'PATCH',
  path: '/v1/account/members/{id}',
  permission: 'members',
  summary: "Change a member's role",
  description:
    'Takes effect with the next request. You can give only a role that permits no more than your own. The last owner keeps the role.',
  params: idParams,
  body: schema.roleChange,
  exampleBody: { role: 'developer' },
  response: schema.member,
  errors: ['not_found', 'conflict'],
  handler: async (input, deps) => {
    const acting = actingMember(input);
    await changeRole(deps, acting, input.params.id, input.body.role);
    const members = await listMembers(deps.pool, acting.accountId);
    const changed = members.find(({ id }) => id === input.params.id);
    if (changed === undefined) throw new Problem('not_found', `There is no member ${input.params.id}.`);
    return { body: memberItem(changed, input.principal) };
  },
});

const remove = route({
  ...changes,
  ...NOTHING,
  method: 'DELETE',
  path: '/v1/account/members/{id}',
  permission: 'members',
  summary: 'Remove a member',
  description:
    "The member's sessions in this organisation end at once. Somebody who belongs to no other organisation can no longer sign in.",
  params: idParams,
  errors: ['not_found', 'conflict'],
  handler: async (input, deps) => {
    await removeMember(deps, actingMember(input), input.params.id);
    return { body: null };
  },
});

const leave = route({
  ...changes,
  ...NOTHING,
  method: 'POST',
  path: '/v1/account/leave',
  permission: 'personal',
  summary: 'Leave the organisation',
  description: 'The last owner cannot leave. Somebody who belongs to no other organisation can no longer sign in.',
  errors: ['conflict'],
  handler: async (input, deps) => {
    await leaveOrganisation(deps, actingMember(input));
    return { body: null };
  },
});

const invitations = route({
  ...own,
  method: 'GET',
  path: '/v1/account/member-invitations',
  permission: 'members',
  summary: 'Open invitations to the organisation',
  response: schema.invitations,
  handler: async ({ principal }, { pool, clock }) => {
    const open = await listMemberInvitations(pool, clock, accountIdOf(principal));
    return { body: { invitations: open.map(invitationItem) } };
  },
});

const invite = route({
  ...changes,
  method: 'POST',
  path: '/v1/account/member-invitations',
  permission: 'members',
  summary: 'Invite somebody to the organisation',
  description:
    'Sends a link that works once, for this address, and for 7 days. An earlier invitation to the address ends. Without a mail server, the reply has the link.',
  body: schema.toInvite,
  exampleBody: { email: 'carol@example.com', role: 'developer' },
  status: 201,
  response: schema.newInvitation,
  errors: ['conflict', 'rate_limited', 'unavailable', 'address_unverified'],
  handler: async (input, deps) => {
    const { email, role, lang } = input.body;
    const { token, ...made } = await inviteMember(deps, actingMember(input), { email, role, lang });
    const link = deps.mail.isConfigured ? null : `${input.baseUrl}/account/join?token=${token}`;
    return { body: { ...invitationItem(made), link } };
  },
});

const revoke = route({
  ...changes,
  ...NOTHING,
  method: 'DELETE',
  path: '/v1/account/member-invitations/{id}',
  permission: 'members',
  summary: 'Revoke an invitation',
  params: idParams,
  errors: ['not_found'],
  handler: async (input, deps) => {
    await revokeMemberInvitation(deps, actingMember(input), input.params.id);
    return { body: null };
  },
});

const offer = route({
  ...changes,
  ...NOTHING,
  method: 'POST',
  path: '/v1/account/ownership-offer',
  permission: 'organisation',
  summary: 'Offer the organisation to another member',
  description: 'The member has 7 days to accept, and is then an owner; you are then an admin. An earlier offer ends.',
  body: schema.offer,
  exampleBody: { member_id: 12 },
  errors: ['conflict'],
  handler: async (input, deps) => {
    await offerOwnership(deps, actingMember(input), input.body.member_id);
    return { body: null };
  },
});

const withdraw = route({
  ...changes,
  ...NOTHING,
  method: 'DELETE',
  path: '/v1/account/ownership-offer',
  permission: 'organisation',
  summary: 'Withdraw the offer',
  errors: ['conflict'],
  handler: async (input, deps) => {
    await withdrawOwnership(deps, actingMember(input));
    return { body: null };
  },
});

const answer = route({
  ...changes,
  ...NOTHING,
  method: 'POST',
  path: '/v1/account/ownership-offer/answer',
  permission: 'personal',
  summary: 'Accept or decline the offer',
  description: 'For the member to whom the organisation is offered.',
  body: schema.answer,
  exampleBody: { answer: 'accept' },
  errors: ['conflict'],
  handler: async (input, deps) => {
    await answerOwnership(deps, actingMember(input), input.body.answer);
    return { body: null };
  },
});

const organisations = route({
  ...member,
  method: 'GET',
  path: '/v1/account/organisations',
  permission: 'personal',
  summary: 'The organisations to which you belong',
  description: 'The session acts for the one with `current`.',
  response: schema.organisations,
  handler: async (input, { pool }) => {
    const { memberId, accountId } = actingMember(input);
    const found = await listOrganisations(pool, memberId);
    return { body: { organisations: found.map((one) => ({ ...one, current: one.id === accountId })) } };
  },
});

const create = route({
  ...member,
  method: 'POST',
  path: '/v1/account/organisations',
  permission: 'personal',
  summary: 'Create an organisation of your own',
  description:
    'For somebody who belongs only to organisations of others, if `SIGNUP` permits it. You own it, on the plan of new accounts, and the session acts for it.',
  body: schema.newOrganisation,
  exampleBody: { name: 'Stadium Apps' },
  status: 201,
  response: schema.createdOrganisation,
  errors: ['not_found', 'conflict', 'rate_limited'],
  handler: async (input, deps) => {
    const { accountId, awaitsApproval } = await createOrganisation(deps, actingMember(input), input.body);
    return { body: { id: accountId, awaits_approval: awaitsApproval } };
  },
});

const choose = route({
  ...member,
  ...NOTHING,
  method: 'POST',
  path: '/v1/account/organisations/{id}/choose',
  permission: 'personal',
  summary: 'Make the session act for another organisation',
  params: idParams,
  errors: ['not_found'],
  handler: async (input, { pool }) => {
    await switchOrganisation(pool, actingMember(input), input.params.id);
    return { body: null };
  },
});

export const organisationRoutes: RouteValue<AccountDeps>[] = [
  ...[list, change, remove, leave],
  ...[invitations, invite, revoke],
  ...[offer, withdraw, answer],
  ...[organisations, create, choose],
];
