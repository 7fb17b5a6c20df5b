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
import { auditTable } from '../audit-table.ts';
import type { PortalDeps } from '../deps.ts';
import { doneQuery, doneText } from '../done-messages.ts';
import { keyTable } from '../key-table.ts';
import type { Shown } from '../page.ts';
import { moreSessions, sessionTable } from '../session-table.ts';
import { windowMeters } from '../usage-page.ts';
import { type Operator, operatorPage } from './section.ts';

const AUDIT_ENTRIES = 20;

export function stateText({ suspended_at, awaits_approval, is_operator }: Account): string {
  if (awaits_approval) return 'waits for approval';
  const state = suspended_at === null ? 'active' : 'suspended';
  return is_operator ? `${state}, operator` : state;
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
  return html`<section class="panel"><h2>Plan</h2>
${
  !isOffered &&
  html`<p class="problem">The plan ${plan} is not offered any more: the account is treated as on ${plans.named(plan).title}.</p>`
}
<form method="post" action="${path}/plan">
${selectField({ name: 'plan', label: 'Plan', options: plans.list.map(({ name, title }) => [name, title]), chosen: plan })}
<button>Change the plan</button></form>
<p class="note">It takes effect within seconds, for all keys, streams and webhooks.</p></section>`;
}

function stateForm(account: Account, path: string, root: string): Html {
  const { suspended_at, awaits_approval, is_operator, id } = account;
  const own = `${root}operator/approval/${id}`;
  const body = awaits_approval
    ? html`<p>Nothing works until it is approved. To reject it deletes it.</p><div class="actions">
${postButton(`${own}/approve`, 'Approve')}${postButton(`${own}/reject`, 'Reject', { kind: 'danger' })}</div>`
    : suspended_at !== null
      ? html`<p>Suspended since ${dateTime(suspended_at)}.</p>${postButton(`${path}/lift`, 'Lift the suspension')}`
      : html`<p>A suspension refuses its keys, ends its sessions and streams, and stops its webhooks, within seconds.</p>
${postButton(`${path}/suspend`, 'Suspend the account', { kind: 'danger' })}`;
  return html`<section class="panel">
<h2>State</h2>${
    is_operator &&
    html`<p>It is an operator's: it is neither suspended nor deleted here, and gets no link to set a password.
Its role is taken away by <code>touchline account operator ${account.email} --revoke</code>.</p>`
  }
${!is_operator && body}</section>`;
}

function memberTable(members: readonly ListedMember[]): Html {
  if (members.length === 0)
    return html`<p class="panel">Nobody can sign in yet: a password is set by a link, below.</p>`;
  const rows = members.map(
    (member) => html`<tr><th scope="row">${member.email}</th>
<td>${member.has_second_factor ? 'on' : 'off'}</td><td>${member.signed_in_at === null ? 'never' : dateTime(member.signed_in_at)}</td>
<td>${member.operator_since === null ? '' : html`since ${dateTime(member.operator_since)}`}</td></tr>`,
  );
  return scrollTable({
    label: 'Members',
    head: heads(['Member', 'Second factor', 'Last signed in (UTC)', 'Operator']),
    rows,
  });
}

const resetForm = (
  path: string,
  hasMail: boolean,
  left: string | null,
): Html => html`<section class="panel"><h2>A new password</h2>
<p>A link to set one works once and for an hour. It ends the one before.${
  left !== null && html` The account has ${left}, which a new password leaves.`
}</p>
<form method="post" action="${path}/reset">
<fieldset><label><input type="checkbox" name="second_factor" value="remove"> Also remove the second factor:
the phone is lost, or somebody else has turned it on</label>
<label><input type="checkbox" name="keys" value="revoke"> Also revoke all keys and pause webhooks: somebody else may know them</label>
<p class="note">Either also ends the password and all sessions at once.</p></fieldset>
<div class="actions">${hasMail && html`<button name="how" value="send">Send the link</button>`}
<button name="how" value="show"${hasMail && html` class="plain"`}>Show the link</button></div></form></section>`;

const deleteForm = (path: string): Html => html`<section class="panel"><h2>Delete the account</h2>
<form method="post" action="${path}/delete">
<p>Ends all keys, streams and webhooks within seconds, and removes their logs. It cannot be undone.</p>
${field({ name: 'email', label: 'Its email, to be sure', required: true, maxlength: 254 })}
<button class="danger">Delete the account</button></form></section>`;

function accountBody(parts: Parts, { root, sessionHash }: Operator, { clock, mail, plans }: PortalDeps): Html {
  const { account, members, sessions, keys, windows, requests, entries, leftovers } = parts;
  const path = `${root}operator/accounts/${account.id}`;
  const now = clock.now();
  const revoke = (key: ListedKey) =>
    keyState(key, now) === 'active' &&
    postButton(`${path}/keys/${key.id}/revoke`, 'Revoke', {
      kind: 'plain',
      label: `Revoke ${key.name ?? `key ${key.id}`}`,
    });
  return html`<dl class="facts panel">
<div><dt>Account</dt><dd>${account.id}</dd></div>
<div><dt>Plan</dt><dd>${plans.for(account).title}</dd></div>
<div><dt>State</dt><dd>${stateText(account)}</dd></div>
<div><dt>Keys in use</dt><dd>${account.keys}</dd></div>
<div><dt>Requests today</dt><dd>${requests.toLocaleString('en-GB')}</dd></div>
<div><dt>Created</dt><dd>${dateTime(account.created_at)}</dd></div>
</dl>
<section class="panel"><h2>Use of the plan</h2>${windowMeters(windows)}</section>
${planForm(account, path, plans)}
${stateForm(account, path, root)}
<section><h2>Members</h2>${memberTable(members)}</section>
<section class="panel"><h2>Sessions</h2>
${sessionTable(sessions, { current: sessionHash, endPath: ({ id }) => `${path}/sessions/${id}/end` })}
${moreSessions(sessions)}
${sessions.length > 0 && postButton(`${path}/sessions/end`, 'End all sessions')}</section>
<section><h2>Keys</h2>${keyTable(keys.toReversed(), { now, action: revoke })}</section>
${!account.is_operator && html`${resetForm(path, mail.isConfigured, leftoversText(leftovers))}${deleteForm(path)}`}
<section><h2>Audit log</h2>${auditTable(entries)}
<p><a href="${root}operator/audit?${new URLSearchParams({ account: account.email }).toString()}">All of it</a></p></section>`;
}

const DONE = {
  plan: 'The account has another plan.',
  suspended: 'The account is suspended.',
  lifted: 'The suspension is lifted.',
  approved: 'The account is approved.',
  'session-ended': 'The session has ended.',
  'sessions-ended': 'All sessions have ended.',
  revoked: 'The key is revoked.',
  sent: 'The link is on its way.',
};

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
    accountPage(operator, params.id, deps, { done: doneText(DONE, query.done) }),
});
