/** The members' page, with roles, invitations, name, handing over and leaving. */

import { findAccount, listAccounts, mayGrant, ROLES } from '../accounts/index.ts';
import {
  answerOwnership,
  changeRole,
  createOrganisation,
  findMembership,
  inviteMember,
  type ListedMember,
  leaveOrganisation,
  listMemberInvitations,
  listMembers,
  type MemberInvitation,
  type OwnershipOffer,
  offerOwnership,
  readOffer,
  removeMember,
  renameOrganisation,
  revokeMemberInvitation,
  withdrawOwnership,
} from '../accounts/members/index.ts';
import { idParams, invalidParameter, type Lang, type Reply, type Role, type RouteValue } from '../http/index.ts';
import { dateTime, heads, scrollTable } from '../site/components/index.ts';
import { field, postButton, readText, selectField } from '../site/forms/fields.ts';
import { type Html, html } from '../site/html.ts';
import { fill, MEMBERS, utcText } from '../site/texts/index.ts';
import { confirmation } from './confirmation.ts';
import type { PortalDeps } from './deps.ts';
import { doneQuery, doneText } from './done-messages.ts';
import type { Shown } from './page.ts';
import { memberPage, redirect, signedInMember, type Visitor, type VisitorPage } from './visit.ts';

const PATH = '/account/members';

/** The roles that a member may give. */
const grantable = (role: Role): Role[] => ROLES.filter((one) => mayGrant(role, one));

function roleCell(one: ListedMember, { permissions, role, root, lang }: Visitor): Html {
  const text = MEMBERS[lang];
  if (!permissions.has('members') || !mayGrant(role, one.role)) return html`${text.roles[one.role]}`;
  const id = `role-${one.id}`;
  const names = { id, label: fill(text.roleOf, { email: one.email }), save: fill(text.saveOne, { email: one.email }) };
  return html`<form class="inline" method="post" action="${root}account/members/${one.id}/role">
<select name="role" id="${names.id}" aria-label="${names.label}">${grantable(role).map(
    (given) => html`<option value="${given}"${given === one.role && html` selected`}>${text.roles[given]}</option>`,
  )}</select> <button class="plain" aria-label="${names.save}">${text.save}</button></form>`;
}

function memberRow(one: ListedMember, member: Visitor): Html {
  const { permissions, role, root, lang, memberId } = member;
  const text = MEMBERS[lang];
  const mayRemove = permissions.has('members') && mayGrant(role, one.role) && one.id !== memberId;
  return html`<tr><th scope="row" class="email">${one.email}${one.id === memberId && html` <span class="note">${text.you}</span>`}</th>
<td>${roleCell(one, member)}</td><td>${dateTime(one.joined_at)}</td>
<td>${one.signed_in_at === null ? text.never : dateTime(one.signed_in_at)}</td>
<td>${one.has_second_factor ? text.on : text.off}</td>
<td>${
    mayRemove &&
    confirmation(text.remove, {
      action: `${root}account/members/${one.id}/remove`,
      question: fill(text.removeQuestion, { email: one.email }),
      form: html`<button class="danger">${text.removeNow}</button>`,
      isDangerous: true,
    })
  }</td></tr>
`;
}

function invitationsPart(invitations: readonly MemberInvitation[], { root, lang }: Visitor): Html | false {
  const text = MEMBERS[lang];
  if (invitations.length === 0) return false;
  return html`<section><h2>${text.open}</h2>${scrollTable({
    label: text.open,
    head: [...heads(text.invitationColumns), html`<td></td>`],
    rows: invitations.map(
      (one) => html`<tr><th scope="row" class="email">${one.email}</th><td>${text.roles[one.role]}</td>
<td class="email">${one.invited_by}</td><td>${dateTime(one.expires_at)}</td>
<td>${postButton(`${root}account/members/invitations/${one.id}/revoke`, text.revoke, {
        kind: 'plain',
        label: fill(text.revokeOne, { email: one.email }),
      })}</td></tr>
`,
    ),
  })}</section>`;
}

const inviteForm = ({ root, role, lang }: Visitor, hasMail: boolean, email: string): Html => {
  const text = MEMBERS[lang];
  return html`<section class="panel"><h2>${text.invite}</h2>
<form method="post" action="${root}account/members/invitations">
${field({
  name: 'email',
  label: text.email,
  type: 'email',
  value: email,
  required: true,
  maxlength: 254,
  hint: hasMail ? text.inviteHint : text.inviteHintNoMail,
})}
${selectField({
  name: 'role',
  label: text.role,
  options: grantable(role).map((one) => [one, text.roles[one]] as const),
  chosen: 'developer',
})}
<button>${text.send}</button></form></section>`;
};

const nameForm = (name: string | null, { root, lang }: Visitor): Html => {
  const text = MEMBERS[lang];
  return html`<section class="panel"><h2>${text.name}</h2>
<form method="post" action="${root}account/members/name">
${field({ name: 'name', label: text.name, value: name ?? '', maxlength: 100, hint: text.nameHint })}
<button>${text.rename}</button></form></section>`;
};

/** Shows an owner the open offer, or the form to make one. */
function transferPart(members: readonly ListedMember[], offer: OwnershipOffer | null, { root, lang }: Visitor): Html {
  const text = MEMBERS[lang];
  const others = members.filter(({ role }) => role !== 'owner');
  const until = offer === null ? '' : utcText(offer.expires_at.toISOString());
  const form = () =>
    others.length === 0
      ? html`<p>${text.nobody}</p>`
      : html`<p>${text.transferNote}</p>${confirmation(text.offer, {
          action: `${root}account/members/transfer`,
          question: text.transferQuestion,
          form: html`${selectField({
            name: 'member',
            label: text.transferTo,
            options: others.map(({ id, email }) => [String(id), email] as const),
          })}<button>${text.offerNow}</button>`,
        })}`;
  return html`<section class="panel"><h2>${text.transfer}</h2>${
    offer === null
      ? form()
      : html`<p>${fill(text.offered, { email: offer.to, until })}</p>
${postButton(`${root}account/members/transfer/withdraw`, text.withdraw, { kind: 'plain' })}`
  }</section>`;
}

/** Shows the offer to the member who may accept it. */
const offerPart = ({ from }: OwnershipOffer, { root, lang }: Visitor): Html => {
  const text = MEMBERS[lang];
  return html`<section class="panel"><h2>${text.transfer}</h2><p>${fill(text.isOffered, { email: from })}</p>
${confirmation(text.accept, {
  action: `${root}account/members/transfer/accept`,
  question: text.acceptQuestion,
  form: html`<button>${text.acceptNow}</button>`,
})}
${postButton(`${root}account/members/transfer/decline`, text.decline, { kind: 'plain' })}</section>`;
};

const rolesPart = (
  lang: Lang,
): Html => html`<section class="panel"><h2>${MEMBERS[lang].rolesTitle}</h2><dl class="facts">
${ROLES.map((role) => html`<div><dt>${MEMBERS[lang].roles[role]}</dt><dd>${MEMBERS[lang].permits[role]}</dd></div>`)}
</dl></section>`;

const leavePart = ({ root, lang }: Visitor): Html => {
  const text = MEMBERS[lang];
  return html`<section class="panel"><h2>${text.leave}</h2>
${confirmation(text.leave, {
  action: `${root}account/members/leave`,
  question: text.leaveNote,
  form: html`<button class="danger">${text.leaveNow}</button>`,
  isDangerous: true,
})}</section>`;
};

const createPart = ({ root, lang }: Visitor): Html => {
  const text = MEMBERS[lang];
  return html`<section class="panel"><h2>${text.own}</h2><p>${text.ownNote}</p>
<form method="post" action="${root}account/members/create">
${field({ name: 'name', label: text.name, maxlength: 100, hint: text.nameHint })}
<button>${text.create}</button></form></section>`;
};

/** Whether somebody can create an organisation without an invitation: each address has one at most. */
async function canCreate({ pool, clock, config }: PortalDeps, email: string): Promise<boolean> {
  if (config.signUp !== 'open' && config.signUp !== 'approve') return false;
  return (await listAccounts(pool, clock, email)).length === 0;
}

async function membersPage(
  member: Visitor,
  deps: PortalDeps,
  { email = '', ...shown }: Shown & { email?: string } = {},
): Promise<Reply> {
  const { accountId, memberId, permissions, lang } = member;
  const { pool, clock, mail } = deps;
  const mayInvite = permissions.has('members');
  const [account, members, invitations, offer, mayCreate] = await Promise.all([
    findAccount(pool, clock, accountId),
    listMembers(pool, accountId),
    mayInvite ? listMemberInvitations(pool, clock, accountId) : [],
    readOffer(pool, clock, accountId),
    canCreate(deps, member.email),
  ]);
  return member.page({
    title: MEMBERS[lang].title,
    section: 'members',
    ...shown,
    body: html`<p>${MEMBERS[lang].intro}</p>
${offer?.to_id === memberId && offerPart(offer, member)}
${scrollTable({
  label: MEMBERS[lang].title,
  kind: 'members',
  head: [...heads(MEMBERS[lang].columns), html`<td></td>`],
  rows: members.map((one) => memberRow(one, member)),
})}
${invitationsPart(invitations, member)}
${mayInvite && inviteForm(member, mail.isConfigured, email)}
${rolesPart(lang)}
${permissions.has('organisation') && html`${nameForm(account?.name ?? null, member)}${transferPart(members, offer, member)}`}
${leavePart(member)}
${mayCreate && createPart(member)}`,
  });
}

const show = memberPage({
  method: 'GET',
  path: PATH,
  permission: 'view',
  summary: "The organisation's members",
  query: doneQuery,
  handler: (member, { query }, deps) =>
    membersPage(member, deps, { done: doneText(MEMBERS[member.lang].done, query.done) }),
});

type Form<P> = Pick<VisitorPage<Visitor, P, Record<string, never>>, 'params' | 'handler'>;

/** A form on the members' page, which shows the form's problems. @param path relative to the page's */
const form = <P>(
  path: string,
  permission: 'members' | 'organisation' | 'personal',
  summary: string,
  { params, handler }: Form<P>,
): RouteValue<PortalDeps> =>
  memberPage<P, Record<string, never>>({
    method: 'POST',
    path: `${PATH}/${path}`,
    permission,
    summary,
    needsRecentSignIn: true,
    params,
    handler,
    onProblem: (problem, member, input, deps) =>
      membersPage(member, deps, { problem, email: readText(input.form, 'email') }),
  });

/** @throws {Problem} invalid_parameter */
function readRole(given: URLSearchParams | null): Role {
  const role = ROLES.find((one) => one === readText(given, 'role'));
  if (role === undefined) throw invalidParameter('role', 'invalid_value', 'is not one of the choices');
  return role;
}

const role = form('{id}/role', 'members', "Change a member's role", {
  params: idParams,
  handler: async (member, input, deps) => {
    // Answers 404 for somebody who is no member, before the form is read.
    await findMembership(deps.pool, member.accountId, input.params.id);
    await changeRole(deps, signedInMember(member, input), input.params.id, readRole(input.form));
    return redirect(input, `${PATH}?done=role`);
  },
});

const remove = form('{id}/remove', 'members', 'Remove a member', {
  params: idParams,
  handler: async (member, input, deps) => {
    await removeMember(deps, signedInMember(member, input), input.params.id);
    return redirect(input, `${PATH}?done=removed`);
  },
});

const invite = form('invitations', 'members', 'Invite somebody to the organisation', {
  handler: async (member, input, deps) => {
    const { lang, root } = member;
    const given = { email: readText(input.form, 'email'), role: readRole(input.form), lang };
    const { email, token } = await inviteMember(deps, signedInMember(member, input), given);
    if (deps.mail.isConfigured) return redirect(input, `${PATH}?done=invited`);
    return member.page({
      title: MEMBERS[lang].linkTitle,
      body: html`<section class="panel secret"><p>${fill(MEMBERS[lang].link, { email })}</p>
<p><code class="value">${`${input.baseUrl}/account/join?token=${token}`}</code></p></section>
<p><a href="${root}account/members">${MEMBERS[lang].backToMembers}</a></p>`,
    });
  },
});

const revoke = form('invitations/{id}/revoke', 'members', 'Revoke an invitation', {
  params: idParams,
  handler: async (member, input, deps) => {
    await revokeMemberInvitation(deps, signedInMember(member, input), input.params.id);
    return redirect(input, `${PATH}?done=revoked`);
  },
});

const rename = form('name', 'organisation', 'Name the organisation', {
  handler: async (member, input, deps) => {
    await renameOrganisation(deps, signedInMember(member, input), readText(input.form, 'name') || null);
    return redirect(input, `${PATH}?done=renamed`);
  },
});

const offer = form('transfer', 'organisation', 'Offer the organisation to a member', {
  handler: async (member, input, deps) => {
    const id = idParams.shape.id.safeParse(readText(input.form, 'member'));
    if (!id.success) throw invalidParameter('member', 'invalid_value', 'is not one of the choices');
    await offerOwnership(deps, signedInMember(member, input), id.data);
    return redirect(input, `${PATH}?done=offered`);
  },
});

const withdraw = form('transfer/withdraw', 'organisation', 'Withdraw the offer', {
  handler: async (member, input, deps) => {
    await withdrawOwnership(deps, signedInMember(member, input));
    return redirect(input, `${PATH}?done=withdrawn`);
  },
});

const accept = form('transfer/accept', 'personal', 'Accept the organisation', {
  handler: async (member, input, deps) => {
    await answerOwnership(deps, signedInMember(member, input), 'accept');
    return redirect(input, `${PATH}?done=accepted`);
  },
});

const decline = form('transfer/decline', 'personal', 'Decline the organisation', {
  handler: async (member, input, deps) => {
    await answerOwnership(deps, signedInMember(member, input), 'decline');
    return redirect(input, `${PATH}?done=declined`);
  },
});

const leave = form('leave', 'personal', 'Leave the organisation', {
  handler: async (member, input, deps) => {
    await leaveOrganisation(deps, signedInMember(member, input));
    // Leads to the sign-in page if the person belongs nowhere else.
    return redirect(input, '/account');
  },
});

const create = form('create', 'personal', 'Create an organisation of your own', {
  handler: async (member, input, deps) => {
    const name = readText(input.form, 'name') || undefined;
    const { awaitsApproval } = await createOrganisation(deps, signedInMember(member, input), { name });
    return redirect(input, awaitsApproval ? `${PATH}?done=awaits` : '/account');
  },
});

export const memberPages: RouteValue<PortalDeps>[] = [
  ...[show, role, remove, invite, revoke],
  ...[rename, offer, withdraw, accept, decline, leave, create],
];
