/** The page for one account. */

import { type ListedSession, listSessions } from '../../accounts/credentials/index.ts';
import { type Account, type AuditRow, findAccount, readAudit } from '../../accounts/index.ts';
import { keyState, type ListedKey, listKeys } from '../../accounts/keys/index.ts';
import {
  type Leftovers,
  type ListedMember,
  leftoversText,
  listMembers,
  readLeftovers,
} from '../../accounts/members/index.ts';
import type { OfferedPlans } from '../../accounts/plans/index.ts';
import { readWindows, requestsToday } from '../../accounts/usage/index.ts';
import { idParams, Problem, type Reply } from '../../http/index.ts';
import { dateTime, heads, scrollTable } from '../../site/components/index.ts';
import { field, postButton, selectField } from '../../site/forms/fields.ts';
import { type Html, html } from '../../site/html.ts';
import { ACCOUNT, fill, KEYS, OPERATOR, SECURITY, SESSIONS } from '../../site/texts/index.ts';
import { auditTable } from '../audit-table.ts';
import type { PortalDeps } from '../deps.ts';
import { doneQuery, doneText } from '../done-messages.ts';
import { keyTable } from '../key-table.ts';
import type { Shown } from '../page.ts';
import { moreSessions, sessionTable } from '../session-table.ts';
import { windowMeters } from '../usage-page.ts';
import { type Operator, operatorPage } from './section.ts';

const AUDIT_ENTRIES = 20;
const { account: ONE, accounts: LIST } = OPERATOR;

export function stateText({ suspended_at, awaits_approval, is_operator }: Account): string {
  if (awaits_approval) return LIST.states.waits;
  const state = LIST.states[suspended_at === null ? 'active' : 'suspended'];
  return is_operator ? fill(LIST.operatorState, { state }) : state;
}

interface Parts {
  account: Account;
  members: readonly ListedMember[];
  sessions: readonly ListedSession[];
  keys: readonly ListedKey[];
  windows: Awaited<ReturnType<typeof readWindows>>;
  requests: number;
  entries: readonly AuditRow[];
  leftovers: Leftovers;
}

async function readParts(id: number, { pool, clock, plans }: PortalDeps): Promise<Parts> {
  const account = await findAccount(pool, clock, id);
  if (account === null) throw new Problem('not_found', `There is no account ${id}.`);
  const now = clock.now();
  const [members, sessions, keys, windows, requests, { entries }, leftovers] = await Promise.all([
    listMembers(pool, id),
    listSessions(pool, clock, { accountId: id }),
    listKeys(pool, { accountId: id }),
    readWindows(pool, id, plans.for(account), now),
    requestsToday(pool, [id], now),
    readAudit(pool, id, AUDIT_ENTRIES),
    readLeftovers(pool, clock, id),
  ]);
  return { account, members, sessions, keys, windows, requests: requests.get(id) ?? 0, entries, leftovers };
}

function planForm({ plan }: Account, path: string, plans: OfferedPlans): Html {
  const isOffered = plans.names.includes(plan);
  return html`<section class="panel"><h2>${ONE.plan}</h2>
${!isOffered && html`<p class="problem">${fill(ONE.formerPlan, { plan, treatedAs: plans.named(plan).title })}</p>`}
<form method="post" action="${path}/plan">
${selectField({ name: 'plan', label: ONE.plan, options: plans.list.map(({ name, title }) => [name, title]), chosen: plan })}
<button>${ONE.changePlan}</button></form>
<p class="note">${ONE.changePlanNote}</p></section>`;
}

function stateForm(account: Account, path: string, root: string): Html {
  const { suspended_at, awaits_approval, is_operator, id } = account;
  const own = `${root}operator/approval/${id}`;
  const body = awaits_approval
    ? html`<p>${ONE.approvalNote}</p><div class="actions">
${postButton(`${own}/approve`, ONE.approve)}${postButton(`${own}/reject`, ONE.reject, { kind: 'danger' })}</div>`
    : suspended_at !== null
      ? html`<p>${ONE.suspendedSince(dateTime(suspended_at))}</p>${postButton(`${path}/lift`, ONE.lift)}`
      : html`<p>${ONE.suspendNote}</p>
${postButton(`${path}/suspend`, ONE.suspend, { kind: 'danger' })}`;
  return html`<section class="panel">
<h2>${ONE.state}</h2>${is_operator && html`<p>${ONE.operatorNote(account.email)}</p>`}
${!is_operator && body}</section>`;
}

function memberTable(members: readonly ListedMember[]): Html {
  if (members.length === 0) return html`<p class="panel">${ONE.noMembers}</p>`;
  const rows = members.map(
    (member) => html`<tr><th scope="row">${member.email}</th>
<td>${member.has_second_factor ? ONE.hasSecondFactor : ONE.noSecondFactor}</td><td>${
      member.signed_in_at === null ? ONE.neverSignedIn : dateTime(member.signed_in_at)
    }</td>
<td>${member.operator_since === null ? '' : ONE.operatorSince(dateTime(member.operator_since))}</td></tr>`,
  );
  return scrollTable({
    label: ONE.members,
    head: heads(ONE.memberColumns),
    rows,
  });
}

const resetForm = (
  path: string,
  hasMail: boolean,
  left: string | null,
): Html => html`<section class="panel"><h2>${ONE.newPassword}</h2>
<p>${ONE.linkNote}${left !== null && html` ${fill(ONE.leftovers, { leftovers: left })}`}</p>
<form method="post" action="${path}/reset">
<fieldset><label><input type="checkbox" name="second_factor" value="remove"> ${ONE.removeSecondFactor}</label>
<label><input type="checkbox" name="keys" value="revoke"> ${ONE.revokeKeys}</label>
<p class="note">${ONE.removeNote}</p></fieldset>
<div class="actions">${hasMail && html`<button name="how" value="send">${ONE.sendLink}</button>`}
<button name="how" value="show"${hasMail && html` class="plain"`}>${ONE.showLink}</button></div></form></section>`;

const deleteForm = (path: string): Html => html`<section class="panel"><h2>${SECURITY.delete}</h2>
<form method="post" action="${path}/delete">
<p>${SECURITY.deleteNote}</p>
${field({ name: 'email', label: ONE.emailToDelete, required: true, maxlength: 254 })}
<button class="danger">${SECURITY.delete}</button></form></section>`;

function accountBody(parts: Parts, { root, sessionHash }: Operator, { clock, mail, plans }: PortalDeps): Html {
  const { account, members, sessions, keys, windows, requests, entries, leftovers } = parts;
  const path = `${root}operator/accounts/${account.id}`;
  const now = clock.now();
  const revoke = (key: ListedKey) =>
    keyState(key, now) === 'active' &&
    postButton(`${path}/keys/${key.id}/revoke`, ONE.revoke, {
      kind: 'plain',
      label: fill(ONE.revokeOne, { key: key.name ?? fill(ONE.unnamedKey, { id: key.id }) }),
    });
  return html`<dl class="facts panel">
<div><dt>${ONE.id}</dt><dd>${account.id}</dd></div>
<div><dt>${ONE.plan}</dt><dd>${plans.for(account).title}</dd></div>
<div><dt>${ONE.state}</dt><dd>${stateText(account)}</dd></div>
<div><dt>${ONE.keys}</dt><dd>${account.keys}</dd></div>
<div><dt>${ONE.requests}</dt><dd>${requests.toLocaleString('en-GB')}</dd></div>
<div><dt>${ONE.created}</dt><dd>${dateTime(account.created_at)}</dd></div>
</dl>
<section class="panel"><h2>${ONE.use}</h2>${windowMeters(windows)}</section>
${planForm(account, path, plans)}
${stateForm(account, path, root)}
<section><h2>${ONE.members}</h2>${memberTable(members)}</section>
<section class="panel"><h2>${SESSIONS.title}</h2>
${sessionTable(sessions, { current: sessionHash, endPath: ({ id }) => `${path}/sessions/${id}/end` })}
${moreSessions(sessions)}
${sessions.length > 0 && postButton(`${path}/sessions/end`, ONE.endSessions)}</section>
<section><h2>${KEYS.title}</h2>${keyTable(keys.toReversed(), { now, action: revoke })}</section>
${!account.is_operator && html`${resetForm(path, mail.isConfigured, leftoversText(leftovers))}${deleteForm(path)}`}
<section><h2>${ACCOUNT.audit.title}</h2>${auditTable(entries)}
<p><a href="${root}operator/audit?${new URLSearchParams({ account: account.email }).toString()}">${ONE.wholeLog}</a></p></section>`;
}

/** @throws {Problem} not_found */
export async function accountPage(operator: Operator, id: number, deps: PortalDeps, shown: Shown = {}): Promise<Reply> {
  const parts = await readParts(id, deps);
  return operator.page({ ...shown, title: parts.account.email, body: accountBody(parts, operator, deps) });
}

export const account = operatorPage({
  method: 'GET',
  path: '/operator/accounts/{id}',
  summary: 'An account',
  params: idParams,
  query: doneQuery,
  handler: (operator, { params, query }, deps) =>
    accountPage(operator, params.id, deps, { done: doneText(ONE.done, query.done) }),
});
