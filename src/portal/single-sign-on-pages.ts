/** The settings of an organisation's single sign-on, for owners. */
import { toActor } from '../accounts/index.ts';
import { listMembers } from '../accounts/members/index.ts';
import {
  callbackPath,
  changeSettings,
  type Domain,
  GIVEN_ROLES,
  readSettings,
  removeSettings,
  type Settings,
  type SettingsChange,
  settingsChange,
  verifyDomain,
} from '../accounts/single-sign-on/index.ts';
import { invalidParameter, type Lang, parseInput, type Reply, type RouteValue } from '../http/index.ts';
import { heads, scrollTable } from '../site/components/index.ts';
import {
  checkbox,
  field,
  hidden,
  linesField,
  readLines,
  readList,
  readSecret,
  readText,
  selectField,
} from '../site/forms/fields.ts';
import { type Html, html } from '../site/html.ts';
import { SINGLE_SIGN_ON } from '../site/texts/index.ts';
import { confirmation } from './confirmation.ts';
import type { PortalDeps } from './deps.ts';
import { doneQuery, doneText } from './done-messages.ts';
import type { Shown } from './page.ts';
import { memberPage, redirect, type Visitor } from './visit.ts';

const PATH = '/account/single-sign-on';

interface Owner {
  id: number;
  email: string;
}

/** The values in the form: the stored settings, or what was typed. */
interface Typed {
  issuer: string;
  clientId: string;
  domains: string;
  defaultRole: string;
  groupsClaim: string;
  groupRoles: string;
  required: boolean;
  emergencyOwner: string;
}

const storedForm = (settings: Settings | null): Typed => ({
  issuer: settings?.issuer ?? '',
  clientId: settings?.client_id ?? '',
  domains: settings?.domains.map(({ domain }) => domain).join('\n') ?? '',
  defaultRole: settings?.default_role ?? 'viewer',
  groupsClaim: settings?.groups_claim ?? 'groups',
  groupRoles: settings?.group_roles.map(({ group, role }) => `${group} = ${role}`).join('\n') ?? '',
  required: settings?.required ?? false,
  emergencyOwner: String(settings?.emergency_owner ?? ''),
});

const typedForm = (form: URLSearchParams | null): Typed => ({
  issuer: readText(form, 'issuer'),
  clientId: readText(form, 'client_id'),
  domains: readText(form, 'domains'),
  defaultRole: readText(form, 'default_role'),
  groupsClaim: readText(form, 'groups_claim'),
  groupRoles: readText(form, 'group_roles'),
  required: form?.has('required') === true,
  emergencyOwner: readText(form, 'emergency_owner'),
});

function settingsForm(typed: Typed, isStored: boolean, owners: readonly Owner[], root: string, lang: Lang): Html {
  const texts = SINGLE_SIGN_ON[lang];
  const people: [string, string][] = owners.map(({ id, email }) => [String(id), email]);
  return html`<form method="post" action="${root}account/single-sign-on">
<section class="panel"><h2>${texts.provider}</h2>
${field({ name: 'issuer', label: texts.issuer, value: typed.issuer, required: true, hint: texts.issuerHint })}
${field({ name: 'client_id', label: texts.clientId, value: typed.clientId, required: true })}
${field({
  name: 'client_secret',
  label: texts.clientSecret,
  type: 'password',
  required: !isStored,
  ...(isStored && { hint: texts.secretKept }),
})}
</section>
<section class="panel"><h2>${texts.people}</h2>
${linesField({ name: 'domains', label: texts.domains, value: typed.domains, hint: texts.domainsHint })}
${selectField({
  name: 'default_role',
  label: texts.defaultRole,
  options: GIVEN_ROLES.map((role): [string, string] => [role, texts.roles[role]]),
  chosen: typed.defaultRole,
})}
${field({ name: 'groups_claim', label: texts.groupsClaim, value: typed.groupsClaim, required: true })}
${linesField({ name: 'group_roles', label: texts.groupRoles, value: typed.groupRoles, hint: texts.groupRolesHint })}
${checkbox({ name: 'required', label: texts.required, checked: typed.required })}
${selectField({
  name: 'emergency_owner',
  label: texts.emergencyOwner,
  options: [['', texts.nobody], ...people],
  chosen: typed.emergencyOwner,
})}
<p class="note">${texts.emergencyHint}</p>
<button>${texts.save}</button>
</section></form>`;
}

function domainRow({ domain, record, verified_at }: Domain, root: string, lang: Lang): Html {
  const texts = SINGLE_SIGN_ON[lang];
  return html`<tr><th scope="row"><code>${domain}</code></th><td><code>${record}</code></td>
<td>${verified_at === null ? texts.notVerified : texts.verified}</td>
<td><form method="post" action="${root}account/single-sign-on/verify">${hidden('domain', domain)}
<button class="plain" aria-label="${texts.verifyOne(domain)}">${texts.verify}</button></form></td></tr>`;
}

function recordsPart(domains: readonly Domain[], root: string, lang: Lang): Html | false {
  if (domains.length === 0) return false;
  const texts = SINGLE_SIGN_ON[lang];
  return html`<section class="panel"><h2>${texts.records}</h2><p>${texts.recordsNote}</p>
${scrollTable({
  label: texts.records,
  head: [...heads([texts.domain, texts.record, texts.state]), html`<td></td>`],
  rows: domains.map((one) => domainRow(one, root, lang)),
})}</section>`;
}

async function page(
  member: Visitor,
  { pool }: PortalDeps,
  baseUrl: string,
  shown: Shown & { typed?: Typed } = {},
): Promise<Reply> {
  const { root, lang } = member;
  const texts = SINGLE_SIGN_ON[lang];
  const [settings, members] = await Promise.all([
    readSettings(pool, member.accountId),
    listMembers(pool, member.accountId),
  ]);
  const owners = members.filter(({ role }) => role === 'owner');
  const { typed = storedForm(settings), ...message } = shown;
  return member.page({
    title: texts.title,
    ...message,
    body: html`<p>${texts.note}</p>
<p>${texts.redirectUri} <code class="value">${baseUrl}${callbackPath(member.accountId)}</code></p>
${settings !== null && recordsPart(settings.domains, root, lang)}
${settingsForm(typed, settings !== null, owners, root, lang)}
${
  settings !== null &&
  html`<section class="panel">${confirmation(texts.remove, {
    action: `${root}account/single-sign-on/remove`,
    question: texts.removeQuestion,
    form: html`<button class="danger">${texts.removeYes}</button>`,
    isDangerous: true,
  })}</section>`
}`,
  });
}

const show = memberPage({
  method: 'GET',
  path: PATH,
  permission: 'organisation',
  summary: 'Single sign-on of the organisation',
  query: doneQuery,
  handler: (member, { query, baseUrl }, deps) =>
    page(member, deps, baseUrl, { done: doneText(SINGLE_SIGN_ON[member.lang].done, query.done) }),
});

/** @throws {Problem} invalid_parameter */
function readChange(form: URLSearchParams | null): SettingsChange {
  const typed = typedForm(form);
  const secret = readSecret(form, 'client_secret');
  const groupRoles = readLines(form, 'group_roles').map((line) => {
    const equals = line.lastIndexOf('=');
    if (equals < 1) throw invalidParameter('group_roles', 'invalid_line', 'are lines like: group = role');
    return { group: line.slice(0, equals).trim(), role: line.slice(equals + 1).trim() };
  });
  const given = {
    issuer: typed.issuer,
    client_id: typed.clientId,
    ...(secret !== '' && { client_secret: secret }),
    domains: readList(form, 'domains'),
    default_role: typed.defaultRole,
    groups_claim: typed.groupsClaim,
    group_roles: groupRoles,
    required: typed.required,
    emergency_owner: typed.emergencyOwner === '' ? null : Number(typed.emergencyOwner),
  };
  return parseInput(settingsChange, given, 'form', 1);
}

const save = memberPage({
  method: 'POST',
  path: PATH,
  permission: 'organisation',
  needsRecentSignIn: true,
  summary: 'Save single sign-on',
  handler: async (member, input, deps) => {
    await changeSettings(deps, { accountId: member.accountId, actor: toActor(input) }, readChange(input.form));
    return redirect(input, `${PATH}?done=saved`);
  },
  onProblem: (problem, member, { form, baseUrl }, deps) =>
    page(member, deps, baseUrl, { problem, typed: typedForm(form) }),
});

const verify = memberPage({
  method: 'POST',
  path: `${PATH}/verify`,
  permission: 'organisation',
  needsRecentSignIn: true,
  summary: 'Verify a domain',
  handler: async (member, input, deps) => {
    await verifyDomain(deps, { accountId: member.accountId, actor: toActor(input) }, readText(input.form, 'domain'));
    return redirect(input, `${PATH}?done=verified`);
  },
  onProblem: (problem, member, { baseUrl }, deps) => page(member, deps, baseUrl, { problem }),
});

const remove = memberPage({
  method: 'POST',
  path: `${PATH}/remove`,
  permission: 'organisation',
  needsRecentSignIn: true,
  summary: 'Remove single sign-on',
  handler: async (member, input, deps) => {
    if ((await readSettings(deps.pool, member.accountId)) !== null)
      await removeSettings(deps, { accountId: member.accountId, actor: toActor(input) });
    return redirect(input, `${PATH}?done=removed`);
  },
});

export const singleSignOnPages: RouteValue<PortalDeps>[] = [show, save, verify, remove];
