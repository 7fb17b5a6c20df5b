/** Accounts that are waiting for approval, and open invitations. */
import { randomUUID } from 'node:crypto';
import {
  type Account,
  approveAccount,
  audit,
  createOnce,
  ONCE_FIELD,
  removeAccount,
  searchAccounts,
} from '../../accounts/index.ts';
import { createInvitation, type Invitation, listInvitations, revokeInvitation } from '../../accounts/members/index.ts';
import type { OfferedPlans } from '../../accounts/plans/index.ts';
import { transaction } from '../../db/postgres.ts';
import { idParams, type Lang, Problem, type Reply } from '../../http/index.ts';
import { dateTime, english, heads, scrollTable } from '../../site/components/index.ts';
import { field, hidden, postButton, readText, selectField } from '../../site/forms/fields.ts';
import { type Html, html } from '../../site/html.ts';
import { fill, OPERATOR } from '../../site/texts/index.ts';
import type { PortalDeps } from '../deps.ts';
import { doneQuery, doneText } from '../done-messages.ts';
import type { Shown } from '../page.ts';
import { redirect } from '../visit.ts';
import { type Operator, type OperatorSection, operatorPage } from './section.ts';

const PATH = '/operator/approval';
const { approval: APPROVAL } = OPERATOR;
/** Maximum number of entries in each list. When these have been decided, the next ones appear. */
const MAX_LISTED = 100;

function waitingTable(accounts: readonly Account[], root: string, plans: OfferedPlans, lang: Lang): Html {
  if (accounts.length === 0) return html`<p class="panel">${APPROVAL[lang].noneWaiting}</p>`;
  const path = `${root}operator/approval`;
  return html`${scrollTable({
    label: APPROVAL[lang].waiting,
    head: [...heads(APPROVAL[lang].waitingColumns), html`<td></td>`],
    rows: accounts.map(
      ({
        id,
        email,
        plan,
        created_at,
      }) => html`<tr><th scope="row" class="email"><a href="${root}operator/accounts/${id}">${email}</a></th>
<td>${english(plans.named(plan).title, lang)}</td><td>${dateTime(created_at)}</td>
<td><div class="actions">
${postButton(`${path}/${id}/approve`, APPROVAL[lang].approve, { label: fill(APPROVAL[lang].approveOne, { email }) })}
${postButton(`${path}/${id}/reject`, APPROVAL[lang].reject, {
  kind: 'danger',
  label: fill(APPROVAL[lang].rejectOne, { email }),
})}</div></td>
</tr>`,
    ),
  })}
${accounts.length === MAX_LISTED && html`<p class="note">${fill(APPROVAL[lang].newest, { count: MAX_LISTED })}</p>`}`;
}

function invitationTable(invitations: readonly Invitation[], root: string, plans: OfferedPlans, lang: Lang): Html {
  if (invitations.length === 0) return html`<p class="panel">${APPROVAL[lang].noneOpen}</p>`;
  return html`${scrollTable({
    label: APPROVAL[lang].invitations,
    head: [...heads(APPROVAL[lang].invitationColumns), html`<td></td>`],
    rows: invitations.map(({ id, email: invited, plan, created_at, expires_at }) => {
      const email = invited ?? APPROVAL[lang].anybody;
      return html`<tr><th scope="row">${email}</th>
<td>${plan === null ? APPROVAL[lang].standardPlan : english(plans.named(plan).title, lang)}</td>
<td>${dateTime(created_at)}</td><td>${dateTime(expires_at)}</td>
<td>${postButton(`${root}operator/approval/invitations/${id}/revoke`, APPROVAL[lang].revoke, {
        kind: 'plain',
        label: fill(APPROVAL[lang].revokeOne, { email }),
      })}</td>
</tr>`;
    }),
  })}
${invitations.length === MAX_LISTED && html`<p class="note">${fill(APPROVAL[lang].newest, { count: MAX_LISTED })}</p>`}`;
}

async function approvalPage(
  { page, root, lang }: Operator,
  { pool, clock, config, mail, plans }: PortalDeps,
  shown: Shown = {},
  email = '',
): Promise<Reply> {
  const [accounts, invitations] = await Promise.all([
    searchAccounts(pool, clock, { waiting: true }, MAX_LISTED),
    listInvitations(pool, clock, MAX_LISTED),
  ]);
  const hint = `${APPROVAL[lang].emailHint}${mail.isConfigured ? APPROVAL[lang].isSentHint : ''}`;
  return page({
    title: APPROVAL[lang].title,
    ...shown,
    body: html`<p>${APPROVAL[lang].signUp[config.signUp]} <span class="note">(<code>SIGNUP=${config.signUp}</code>)</span></p>
<section><h2>${APPROVAL[lang].waiting}</h2>${waitingTable(accounts, root, plans, lang)}</section>
<section><h2>${APPROVAL[lang].open}</h2>${invitationTable(invitations, root, plans, lang)}</section>
<section class="panel"><h2>${APPROVAL[lang].invite}</h2>
<form method="post" action="${root}operator/approval/invitations">
${hidden(ONCE_FIELD, randomUUID())}
${field({ name: 'email', label: APPROVAL[lang].email, type: 'email', value: email, maxlength: 254, hint })}
${selectField({
  name: 'plan',
  label: APPROVAL[lang].plan,
  options: [['', APPROVAL[lang].standardPlan], ...plans.list.map(({ name, title }) => [name, title] as const)],
})}
<button>${APPROVAL[lang].create}</button>
</form></section>`,
  });
}

const show = operatorPage({
  method: 'GET',
  path: PATH,
  summary: 'Accounts that wait for approval, and open invitations',
  query: doneQuery,
  handler: (operator, { query }, deps) =>
    approvalPage(operator, deps, { done: doneText(APPROVAL[operator.lang].done, query.done) }),
});

const approve = operatorPage({
  method: 'POST',
  path: `${PATH}/{id}/approve`,
  summary: 'Approve an account',
  params: idParams,
  handler: async (operator, input, deps) => {
    const email = await approveAccount(deps.pool, deps.clock, input.params.id, operator.actor);
    deps.mail.send({
      to: email,
      subject: 'Your account for Touchline is approved',
      text: `The account ${email} is approved: its key works from now on.\n\nSign in: ${input.baseUrl}/account\n`,
    });
    return redirect(input, `${PATH}?done=approved`);
  },
  onProblem: (problem, operator, _input, deps) => approvalPage(operator, deps, { problem }),
});

const reject = operatorPage({
  method: 'POST',
  path: `${PATH}/{id}/reject`,
  summary: 'Reject an account, which deletes it',
  params: idParams,
  handler: async (operator, input, deps) => {
    const { actor, accountId } = operator;
    const { id } = input.params;
    const email = await transaction(deps.pool, async (db) => {
      const removed = await removeAccount(db, id, actor);
      if (!removed.awaits_approval) throw new Problem('conflict', 'The account does not wait for approval.');
      const entry = { action: 'account.rejected', target: `account ${id}`, details: { email: removed.email } } as const;
      await audit(db, deps.clock, { accountId, actor, ...entry });
      return removed.email;
    });
    deps.mail.send({
      to: email,
      subject: 'Your account for Touchline is not approved',
      text: `The operator of this service has not approved the account ${email}. It is deleted, with its key.\n`,
    });
    return redirect(input, `${PATH}?done=rejected`);
  },
  onProblem: (problem, operator, _input, deps) => approvalPage(operator, deps, { problem }),
});

/**
 * @param link undefined if the form was sent twice
 * @param isSent whether the link was sent; null if it was not meant to be
 */
const invitedPage = (
  { page, root, lang }: Operator,
  email: string | null,
  link: string | undefined,
  isSent: boolean | null,
): Reply =>
  page({
    title: APPROVAL[lang].created,
    body: html`${
      link === undefined
        ? html`<p class="panel">${APPROVAL[lang].createdBefore}</p>`
        : html`<section class="panel secret">
<p>${fill(APPROVAL[lang].link, { email: email ?? APPROVAL[lang].anyHolder })}
${email !== null && isSent !== null && fill(APPROVAL[lang][isSent ? 'isSent' : 'isUnsent'], { email })}</p>
<p><code class="value">${link}</code></p></section>`
    }<p><a href="${root}operator/approval">${APPROVAL[lang].back}</a></p>`,
  });

const invite = operatorPage({
  method: 'POST',
  path: `${PATH}/invitations`,
  summary: 'Create an invitation',
  handler: async (operator, input, deps) => {
    const email = readText(input.form, 'email') || null;
    const plan = readText(input.form, 'plan') || null;
    const { actor, accountId } = operator;
    const { body: created } = await createOnce(deps, input, 'invitation', async (db) => {
      const { id, token } = await createInvitation(db, deps.clock, deps.plans, {
        email,
        plan,
        createdBy: accountId,
      });
      const entry = { action: 'invitation.created', target: `invitation ${id}`, details: { email, plan } } as const;
      await audit(db, deps.clock, { accountId, actor, ...entry });
      return { item: {}, secret: { token } };
    });
    if (created.token === undefined) return invitedPage(operator, email, undefined, null);
    const link = `${input.baseUrl}/account/sign-up?invitation=${created.token}`;
    if (email === null || !deps.mail.isConfigured) return invitedPage(operator, email, link, null);
    const isSent = deps.mail.send({
      to: email,
      subject: 'You are invited to Touchline',
      text: `The operator of ${input.baseUrl} invites you to create an account.\n\nWithin 7 days:\n${link}\n`,
    });
    return invitedPage(operator, email, link, isSent);
  },
  onProblem: (problem, operator, { form }, deps) => approvalPage(operator, deps, { problem }, readText(form, 'email')),
});

const revoke = operatorPage({
  method: 'POST',
  path: `${PATH}/invitations/{id}/revoke`,
  summary: 'Revoke an invitation',
  params: idParams,
  handler: async ({ actor, accountId }, input, deps) => {
    const { id } = input.params;
    await transaction(deps.pool, async (db) => {
      const details = await revokeInvitation(db, id);
      await audit(db, deps.clock, {
        accountId,
        actor,
        action: 'invitation.revoked',
        target: `invitation ${id}`,
        details,
      });
    });
    return redirect(input, `${PATH}?done=revoked`);
  },
  onProblem: (problem, operator, _input, deps) => approvalPage(operator, deps, { problem }),
});

export const approval: OperatorSection = {
  path: 'approval',
  title: (lang) => APPROVAL[lang].title,
  pages: [show, approve, reject, invite, revoke],
};
