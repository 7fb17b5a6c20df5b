/** A member's password, second factor and sessions. */
import { renderSVG } from 'uqr';
import {
  beginSecondFactor,
  confirmSecondFactor,
  confirmSession,
  deviceCookie,
  endCredentials,
  listPasskeys,
  listSessions,
  removeSecondFactor,
  renewRecoveryCodes,
  sessionCookie,
  takeCode,
} from '../accounts/credentials/index.ts';
import { audit } from '../accounts/index.ts';
import {
  changePassword,
  deleteOrganisation,
  type Member,
  type NoticeName,
  readMember,
  sendNotice,
} from '../accounts/members/index.ts';
import { type Queryable, transaction } from '../db/postgres.ts';
import { invalidParameter, type Lang, Problem, type Reply, type RouteInput, type RouteValue } from '../http/index.ts';
import { field, hidden, postButton, readSecret, readText } from '../site/forms/fields.ts';
import { type Html, html } from '../site/html.ts';
import { PASSKEYS, SECURITY, SESSIONS } from '../site/texts/index.ts';
import { confirmation } from './confirmation.ts';
import type { PortalDeps } from './deps.ts';
import { doneQuery, doneText } from './done-messages.ts';
import type { Shown } from './page.ts';
import { passkeyPanel } from './passkey-panel.ts';
import { sessionPanel } from './session-pages.ts';
import { isSecure, memberPage, redirect, signedInMember, type Visitor } from './visit.ts';

const PATH = '/account/security';

type Input = RouteInput<unknown, unknown, unknown>;

interface SecondFactor {
  hasCodeApp: boolean;
  hasPasskeys: boolean;
}

function secondFactorPart({ hasCodeApp, hasPasskeys }: SecondFactor, root: string, lang: Lang): Html {
  const text = SECURITY[lang];
  const state = hasCodeApp ? text.isOn : hasPasskeys ? text.isPasskey : text.isOff;
  return html`<p>${state}</p>
${(hasCodeApp || hasPasskeys) && postButton(`${root}account/security/recovery-codes`, text.renewCodes)}
${
  hasCodeApp
    ? html`<form method="post" action="${root}account/security/second-factor/remove">
${field({
  name: 'code',
  label: text.code,
  required: true,
  autocomplete: 'one-time-code',
  maxlength: 40,
  hint: text.codeHint,
})}<button class="danger">${text.turnOff}</button></form>`
    : postButton(`${root}account/security/second-factor`, hasPasskeys ? text.turnOnCodes : text.turnOn)
}`;
}

const emailPart = (email: string, root: string, sendsMail: boolean, lang: Lang): Html => html`<p>${email}</p>
<form method="post" action="${root}account/security/email">
${field({
  name: 'email',
  label: SECURITY[lang].newEmail,
  type: 'email',
  required: true,
  autocomplete: 'email',
  ...(sendsMail && { hint: SECURITY[lang].newEmailHint }),
})}
<button>${SECURITY[lang].changeEmail}</button></form>`;

const passwordForm = ({
  root,
  email,
  lang,
}: Visitor): Html => html`<form method="post" action="${root}account/security/password">
${hidden('username', email)}
${field({
  name: 'current',
  label: SECURITY[lang].currentPassword,
  type: 'password',
  required: true,
  autocomplete: 'current-password',
})}
${field({
  name: 'password',
  label: SECURITY[lang].newPassword,
  type: 'password',
  required: true,
  autocomplete: 'new-password',
  hint: SECURITY[lang].passwordHint,
})}
<button>${SECURITY[lang].changePassword}</button>
</form>`;

/** @param passkeyName the name that the member has typed for a new passkey */
export async function securityPage(
  member: Visitor,
  { baseUrl }: Pick<Input, 'baseUrl'>,
  { pool, clock, mail }: PortalDeps,
  shown: Shown = {},
  passkeyName = '',
): Promise<Reply> {
  const { root } = member;
  const [stored, sessions, passkeys] = await Promise.all([
    readMember(pool, member.memberId),
    listSessions(pool, clock, { memberId: member.memberId }),
    listPasskeys(pool, member.memberId),
  ]);
  const hasCodeApp = stored?.hasCodeApp === true;
  return member.page({
    title: SECURITY[member.lang].title,
    usesPasskeys: true,
    ...shown,
    body: html`<section class="panel"><h2>${SECURITY[member.lang].password}</h2>
${stored?.password == null ? html`<p>${SECURITY[member.lang].noPassword}</p>` : passwordForm(member)}</section>
<section class="panel"><h2>${SECURITY[member.lang].email}</h2>${emailPart(member.email, root, mail.isConfigured, member.lang)}</section>
${passkeyPanel({ passkeys, hasCodeApp, baseUrl, name: passkeyName }, member)}
<section class="panel"><h2>${SECURITY[member.lang].secondFactor}</h2>
${secondFactorPart({ hasCodeApp, hasPasskeys: passkeys.length > 0 }, member.root, member.lang)}</section>
${sessionPanel(sessions, member)}
${
  member.permissions.has('organisation') &&
  html`<section class="panel"><h2>${SECURITY[member.lang].delete}</h2>
<p>${SECURITY[member.lang].deleteNote}</p>
${confirmation(SECURITY[member.lang].delete, {
  action: `${root}account/security/delete`,
  question: SECURITY[member.lang].deleteQuestion,
  form: html`${hidden('sure', 'yes')}<button class="danger">${SECURITY[member.lang].deleteNow}</button>`,
  isDangerous: true,
})}</section>`
}`,
  });
}

const show = memberPage({
  method: 'GET',
  path: PATH,
  permission: 'personal',
  summary: 'Password, second factor and sessions',
  query: doneQuery,
  handler: (member, input, deps) =>
    securityPage(member, input, deps, {
      done: doneText(
        { ...SECURITY[member.lang].done, ...SESSIONS[member.lang].done, ...PASSKEYS[member.lang].done },
        input.query.done,
      ),
    }),
});

const password = memberPage({
  method: 'POST',
  path: `${PATH}/password`,
  permission: 'personal',
  summary: 'Change the password',
  handler: async (member, input, deps) => {
    const { form } = input;
    const given = { current: readSecret(form, 'current'), password: readSecret(form, 'password') };
    const changed = await changePassword(deps, signedInMember(member, input), given);
    const secure = isSecure(input);
    // After a password change, the browser's previous device cookie is no longer valid.
    const mark = deviceCookie(deps.config.secretKeys, changed, deps.clock.now(), secure);
    return redirect(input, `${PATH}?done=password`, [mark]);
  },
  onProblem: (problem, member, input, deps) => securityPage(member, input, deps, { problem }),
});

/**
 * A stranger may have signed up with somebody else's address. If the account then had a second factor, the owner of the address could not
 * reclaim it.
 */
export function checkVerified({ verifiedAt }: Member, { mail }: PortalDeps): void {
  if (!mail.isConfigured || verifiedAt !== null) return;
  throw new Problem(
    'address_unverified',
    'Verify your address first: you can request a link on the overview of your account.',
  );
}

async function setUpPage(member: Visitor, deps: PortalDeps, problem?: Problem): Promise<Reply> {
  // If a wrong code was entered, the app already has the secret, so it stays the same.
  const { secret, uri } = await beginSecondFactor(deps.pool, deps, member, problem === undefined);
  const picture = `data:image/svg+xml;base64,${Buffer.from(renderSVG(uri, { border: 2 })).toString('base64')}`;
  const body = html`<section class="panel">
<p>${SECURITY[member.lang].scan}</p>
<p><img class="qr" src="${picture}" alt="${SECURITY[member.lang].picture}" width="220" height="220"></p>
<p><code class="value">${secret.replace(/.{4}(?=.)/g, '$& ')}</code></p>
<form method="post" action="${member.root}account/security/second-factor/confirm">
${field({
  name: 'code',
  label: SECURITY[member.lang].shownCode,
  required: true,
  autocomplete: 'one-time-code',
  inputmode: 'numeric',
  maxlength: 10,
})}
<button>${SECURITY[member.lang].turnOn}</button>
</form></section><p><a href="${member.root}account/security">${SECURITY[member.lang].back}</a></p>`;
  return member.page({ title: SECURITY[member.lang].secondFactor, body, problem });
}

const setUp = memberPage({
  method: 'POST',
  path: `${PATH}/second-factor`,
  permission: 'personal',
  needsRecentSignIn: true,
  summary: 'Begin to turn on the second factor',
  handler: async (member, input, deps) => {
    const stored = (await readMember(deps.pool, member.memberId))!;
    checkVerified(stored, deps);
    return stored.hasCodeApp ? redirect(input, PATH) : setUpPage(member, deps);
  },
  onProblem: (problem, member, input, deps) => securityPage(member, input, deps, { problem }),
});

export const codesPage = ({ page, root, lang }: Visitor, codes: readonly string[]): Reply =>
  page({
    title: SECURITY[lang].recoveryCodes,
    body: html`<section class="panel secret"><p>${SECURITY[lang].recoveryCodesNote}</p>
<ul class="codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<p><a class="button" href="${root}account/security">${SECURITY[lang].stored}</a></p></section>`,
  });

const confirm = memberPage({
  method: 'POST',
  path: `${PATH}/second-factor/confirm`,
  permission: 'personal',
  summary: 'Turn on the second factor',
  handler: async (member, input, deps) => {
    const code = readText(input.form, 'code');
    const attempt = deps.signInLimits.code(member.memberId, code, input.address);
    const codes = await changed(member, input.address, deps, 'second_factor_on', async (db) => {
      const made = await confirmSecondFactor(db, deps, member.memberId, code);
      await endOthers(db, member, input.address, deps);
      await confirmSession(db, deps.clock, member.sessionHash, 'factor');
      return made;
    });
    attempt.giveBack();
    return codesPage(member, codes);
  },
  onProblem: (problem, member, _input, deps) => setUpPage(member, deps, problem),
});

/** Runs a change and writes its entry to the audit log in one transaction, then notifies the member by mail. */
async function changed<T>(
  { accountId, email }: Visitor,
  address: string,
  { pool, clock, mail }: PortalDeps,
  name: Exclude<NoticeName, 'single_sign_on_removed'>,
  change: (db: Queryable) => Promise<T>,
): Promise<T> {
  const result = await transaction(pool, async (db) => {
    const made = await change(db);
    await audit(db, clock, { accountId, actor: { name: email, address }, action: `member.${name}` });
    return made;
  });
  sendNotice(mail, email, name, address);
  return result;
}

const endOthers = (
  db: Queryable,
  { accountId, memberId, email, sessionHash }: Visitor,
  address: string,
  { clock }: PortalDeps,
) =>
  endCredentials(db, clock, 'factor_changed', {
    accountId,
    memberId,
    keptSession: sessionHash,
    actor: { name: email, address },
  });

const recoveryCodes = memberPage({
  method: 'POST',
  path: `${PATH}/recovery-codes`,
  permission: 'personal',
  needsRecentSignIn: true,
  summary: 'New recovery codes',
  handler: async (member, input, deps) => {
    const codes = await changed(member, input.address, deps, 'recovery_codes_renewed', (db) =>
      renewRecoveryCodes(db, member.memberId),
    );
    return codesPage(member, codes);
  },
  onProblem: (problem, member, input, deps) => securityPage(member, input, deps, { problem }),
});

const remove = memberPage({
  method: 'POST',
  path: `${PATH}/second-factor/remove`,
  permission: 'personal',
  needsRecentSignIn: true,
  summary: 'Turn off the second factor',
  handler: async (member, input, deps) => {
    const code = readText(input.form, 'code');
    const { memberId } = member;
    const attempt = deps.signInLimits.code(memberId, code, input.address);
    await changed(member, input.address, deps, 'second_factor_off', async (db) => {
      if ((await takeCode(db, deps, memberId, code)) === null)
        throw invalidParameter('code', 'invalid_code', 'is wrong or has already been used');
      await removeSecondFactor(db, memberId);
      await endOthers(db, member, input.address, deps);
    });
    attempt.giveBack();
    return redirect(input, `${PATH}?done=removed`);
  },
  onProblem: (problem, member, input, deps) => securityPage(member, input, deps, { problem }),
});

const end = memberPage({
  method: 'POST',
  path: `${PATH}/delete`,
  permission: 'organisation',
  needsRecentSignIn: true,
  summary: 'Delete the account',
  handler: async (member, input, deps) => {
    if (readText(input.form, 'sure') !== 'yes') throw invalidParameter('sure', 'missing', 'is required');
    if (await deleteOrganisation(deps, signedInMember(member, input))) return redirect(input, '/account?done=deleted');
    return redirect(input, '/account/sign-in?done=deleted', [sessionCookie(null, isSecure(input))]);
  },
});

export const securityPages: RouteValue<PortalDeps>[] = [show, password, setUp, confirm, recoveryCodes, remove, end];
