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
import { idParams, type Lang, Problem, type Reply } from '../../http/index.ts';
import { dateTime, english, heads, scrollTable, utcTime } from '../../site/components/index.ts';
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

export function stateText({ suspended_at, awaits_approval, is_operator }: Account, lang: Lang): string {
  if (awaits_approval) return LIST[lang].states.waits;
  const state = LIST[lang].states[suspended_at === null ? 'active' : 'suspended'];
  return is_operator ? fill(LIST[lang].operatorState, { state }) : state;
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

function planForm({ plan }: Account, path: string, plans: OfferedPlans, lang: Lang): Html {
  const isOffered = plans.names.includes(plan);
  return html`<section class="panel"><h2>${ONE[lang].plan}</h2>
${!isOffered && html`<p class="problem">${fill(ONE[lang].formerPlan, { plan, treatedAs: plans.named(plan).title })}</p>`}
<form method="post" action="${path}/plan">
${selectField({ name: 'plan', label: ONE[lang].plan, options: plans.list.map(({ name, title }) => [name, title]), chosen: plan })}
<button>${ONE[lang].changePlan}</button></form>
<p class="note">${ONE[lang].changePlanNote}</p></section>`;
}

function stateForm(account: Account, path: string, root: string, lang: Lang): Html {
  const { suspended_at, awaits_approval, is_operator, id } = account;
  const own = `${root}operator/approval/${id}`;
  const body = awaits_approval
    ? html`<p>${ONE[lang].approvalNote}</p><div class="actions">
${postButton(`${own}/approve`, ONE[lang].approve)}${postButton(`${own}/reject`, ONE[lang].reject, { kind: 'danger' })}</div>`
    : suspended_at !== null
      ? html`<p>${ONE[lang].suspendedSince(utcTime(suspended_at))}</p>${postButton(`${path}/lift`, ONE[lang].lift)}`
      : html`<p>${ONE[lang].suspendNote}</p>
${postButton(`${path}/suspend`, ONE[lang].suspend, { kind: 'danger' })}`;
  return html`<section class="panel">
<h2>${ONE[lang].state}</h2>${is_operator && html`<p>${ONE[lang].operatorNote(account.email)}</p>`}
${!is_operator && body}</section>`;
}

function memberTable(members: readonly ListedMember[], lang: Lang): Html {
  if (members.length === 0) return html`<p class="panel">${ONE[lang].noMembers}</p>`;
  const rows = members.map(
    (member) => html`<tr><th scope="row">${member.email}</th>
<td>${member.has_second_factor ? ONE[lang].hasSecondFactor : ONE[lang].noSecondFactor}</td><td>${
      member.signed_in_at === null ? ONE[lang].neverSignedIn : dateTime(member.signed_in_at)
    }</td>
<td>${member.operator_since === null ? '' : ONE[lang].operatorSince(utcTime(member.operator_since))}</td></tr>`,
  );
  return scrollTable({
    label: ONE[lang].members,
    head: heads(ONE[lang].memberColumns),
    rows,
  });
}

const resetForm = (
  path: string,
  hasMail: boolean,
  left: string | null,
  lang: Lang,
): Html => html`<section class="panel"><h2>${ONE[lang].newPassword}</h2>
<p>${ONE[lang].linkNote}${left !== null && html` ${fill(ONE[lang].leftovers, { leftovers: left })}`}</p>
<form method="post" action="${path}/reset">
<fieldset><label><input type="checkbox" name="second_factor" value="remove"> ${ONE[lang].removeSecondFactor}</label>
<label><input type="checkbox" name="keys" value="revoke"> ${ONE[lang].revokeKeys}</label>
<p class="note">${ONE[lang].removeNote}</p></fieldset>
<div class="actions">${hasMail && html`<button name="how" value="send">${ONE[lang].sendLink}</button>`}
<button name="how" value="show"${hasMail && html` class="plain"`}>${ONE[lang].showLink}</button></div></form></section>`;

const deleteForm = (path: string, lang: Lang): Html => html`<section class="panel"><h2>${SECURITY[lang].delete}</h2>
<form method="post" action="${path}/delete">
<p>${SECURITY[lang].deleteNote}</p>
${field({ name: 'email', label: ONE[lang].emailToDelete, required: true, maxlength: 254 })}
<button class="danger">${SECURITY[lang].delete}</button></form></section>`;

function accountBody(parts: Parts, { root, sessionHash, lang }: Operator, { clock, mail, plans }: PortalDeps): Html {
  const { account, members, sessions, keys, windows, requests, entries, leftovers } = parts;
  const path = `${root}operator/accounts/${account.id}`;
  const now = clock.now();
  const revoke = (key: ListedKey) =>
    keyState(key, now) === 'active' &&
    key.managed === null &&
    postButton(`${path}/keys/${key.id}/revoke`, ONE[lang].revoke, {
      kind: 'plain',
      label: fill(ONE[lang].revokeOne, { key: key.name ?? fill(ONE[lang].unnamedKey, { id: key.id }) }),
    });
  return html`<dl class="facts panel">
<div><dt>${ONE[lang].id}</dt><dd>${account.id}</dd></div>
<div><dt>${ONE[lang].plan}</dt><dd>${english(plans.for(account).title, lang)}</dd></div>
<div><dt>${ONE[lang].state}</dt><dd>${stateText(account, lang)}</dd></div>
${account.managed !== null && html`<div><dt>${ONE[lang].managed}</dt><dd>${fill(ONE[lang].managedBy, account.managed)}</dd></div>`}
<div><dt>${ONE[lang].keys}</dt><dd>${account.keys}</dd></div>
<div><dt>${ONE[lang].requests}</dt><dd>${requests.toLocaleString('en-GB')}</dd></div>
<div><dt>${ONE[lang].created}</dt><dd>${utcTime(account.created_at)}</dd></div>
</dl>
<section class="panel"><h2>${ONE[lang].use}</h2>${windowMeters(windows, lang)}</section>
${account.managed === null && planForm(account, path, plans, lang)}
${account.managed === null && stateForm(account, path, root, lang)}
<section><h2>${ONE[lang].members}</h2>${memberTable(members, lang)}</section>
<section class="panel"><h2>${SESSIONS[lang].title}</h2>
${sessionTable(sessions, { current: sessionHash, endPath: ({ id }) => `${path}/sessions/${id}/end` }, lang)}
${moreSessions(sessions, lang)}
${sessions.length > 0 && postButton(`${path}/sessions/end`, ONE[lang].endSessions)}</section>
<section><h2>${KEYS[lang].title}</h2>${keyTable(keys.toReversed(), { now, action: revoke }, lang)}</section>
${!account.is_operator && resetForm(path, mail.isConfigured, leftoversText(leftovers, lang), lang)}
${!account.is_operator && account.managed === null && deleteForm(path, lang)}
<section><h2>${ACCOUNT[lang].audit.title}</h2>${auditTable(entries, lang)}
<p><a href="${root}operator/audit?${new URLSearchParams({ account: account.email }).toString()}">${ONE[lang].wholeLog}</a></p></section>`;
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
    accountPage(operator, params.id, deps, { done: doneText(ONE[operator.lang].done, query.done) }),
});
