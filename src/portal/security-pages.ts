/** A member's password, second factor and sessions. */
import { renderSVG } from 'uqr';
import {
  beginSecondFactor,
  confirmSecondFactor,
  confirmSession,
  deviceCookie,
  endCredentials,
  listSessions,
  removeSecondFactor,
  renewRecoveryCodes,
  sessionCookie,
  takeCode,
} from '../accounts/credentials/index.ts';
import { audit, deleteAccount, toActor } from '../accounts/index.ts';
import {
  changePassword,
  confirmPassword,
  type Member,
  type NoticeName,
  readMember,
  sendNotice,
} from '../accounts/members/index.ts';
import { type Queryable, transaction } from '../db/postgres.ts';
import { invalidParameter, Problem, type Reply, type RouteInput, type RouteValue } from '../http/index.ts';
import { field, hidden, readSecret, readText } from '../site/forms/fields.ts';
import { type Html, html } from '../site/html.ts';
import type { PortalDeps } from './deps.ts';
import { doneQuery, doneText } from './done-messages.ts';
import type { Shown } from './page.ts';
import { SESSION_DONE, sessionPanel } from './session-pages.ts';
import { isSecure, memberPage, redirect, signedInMember, type Visitor } from './visit.ts';

const PATH = '/account/security';

const passwordField = (label: string, name = 'current') =>
  field({ name, label, type: 'password', required: true, autocomplete: 'current-password' });

const secondFactorPart = (isOn: boolean, root: string): Html =>
  isOn
    ? html`<p>On: signing in takes your password and a code.</p>
<form method="post" action="${root}account/security/recovery-codes">${passwordField('Your password', 'recovery_password')}
<button>New recovery codes</button></form>
<form method="post" action="${root}account/security/second-factor/remove">${passwordField('Your password', 'current_password')}
${field({
  name: 'code',
  label: 'Code',
  required: true,
  autocomplete: 'one-time-code',
  maxlength: 40,
  hint: 'Of your app, or a recovery code.',
})}<button class="danger">Turn it off</button></form>`
    : html`<p>Off. With it, signing in takes your password and a code of an app on your phone.</p>
<form method="post" action="${root}account/security/second-factor">${passwordField('Your password', 'factor_password')}
<button>Turn it on</button></form>`;

const emailPart = (email: string, root: string, sendsMail: boolean): Html => html`<p>${email}</p>
<form method="post" action="${root}account/security/email">
${field({
  name: 'email',
  label: 'New address',
  type: 'email',
  required: true,
  autocomplete: 'email',
  ...(sendsMail && { hint: 'A link is sent to it. Your account moves there when you open the link.' }),
})}
${passwordField('Your password', 'email_password')}
<button>Change the address</button></form>`;

export async function securityPage(
  member: Visitor,
  { pool, clock, mail }: PortalDeps,
  shown: Shown = {},
): Promise<Reply> {
  const { root } = member;
  const [stored, sessions] = await Promise.all([
    readMember(pool, member.memberId),
    listSessions(pool, clock, { memberId: member.memberId }),
  ]);
  return member.page({
    title: 'Security',
    ...shown,
    body: html`<section class="panel"><h2>Password</h2>
<form method="post" action="${root}account/security/password">
${hidden('username', member.email)}
${passwordField('Current password')}
${field({
  name: 'password',
  label: 'New password',
  type: 'password',
  required: true,
  autocomplete: 'new-password',
  hint: 'At least 10 characters. All other sessions and the address of your calendar end.',
})}
<button>Change the password</button>
</form></section>
<section class="panel"><h2>Email</h2>${emailPart(member.email, root, mail.isConfigured)}</section>
<section class="panel"><h2>Second factor</h2>${secondFactorPart(stored?.hasSecondFactor === true, member.root)}</section>
${sessionPanel(sessions, member)}
<section class="panel"><h2>Delete the account</h2>
<form method="post" action="${root}account/security/delete">
<p>Ends all keys, streams and webhooks within seconds, and removes their logs. It cannot be undone.</p>
${passwordField('Your password', 'delete_password')}
<button class="danger">Delete the account</button>
</form></section>`,
  });
}

const DONE = {
  password: 'Your password is changed. All other sessions have ended, and so has the address of your calendar.',
  removed: 'The second factor is off.',
  moved: 'Your account has its new address.',
  asked: 'A link is on its way to the new address. Open it to move your account there.',
  operator: 'The pages of operators need a second factor. Turn it on here.',
  ...SESSION_DONE,
};
const show = memberPage({
  method: 'GET',
  path: PATH,
  summary: 'Password, second factor and sessions',
  query: doneQuery,
  handler: (member, { query }, deps) => securityPage(member, deps, { done: doneText(DONE, query.done) }),
});

const password = memberPage({
  method: 'POST',
  path: `${PATH}/password`,
  summary: 'Change the password',
  handler: async (member, input, deps) => {
    const { form } = input;
    const given = { current: readSecret(form, 'current'), password: readSecret(form, 'password') };
    const changed = await changePassword(deps, signedInMember(member, input), given);
    const secure = isSecure(input);
    // The browser's previous device cookie is invalid after a password change.
    const mark = deviceCookie(deps.config.secretKeys, changed, deps.clock.now(), secure);
    return redirect(input, `${PATH}?done=password`, [mark]);
  },
  onProblem: (problem, member, _input, deps) => securityPage(member, deps, { problem }),
});

type Input = RouteInput<unknown, unknown, unknown>;

/** @throws {Problem} invalid_parameter, rate_limited, unavailable */
const passwordConfirmed = (member: Visitor, input: Input, name: string, deps: PortalDeps): Promise<Member> =>
  confirmPassword(deps, signedInMember(member, input), readSecret(input.form, name));

/**
 * A stranger may have signed up with this address, whose owner could not reclaim the account once it has a second
 * factor.
 */
function checkVerified({ verifiedAt }: Member, { mail }: PortalDeps): void {
  if (!mail.isConfigured || verifiedAt !== null) return;
  throw new Problem('key_not_permitted', 'Verify your address first: the overview of your account sends you a link.');
}

async function setUpPage(member: Visitor, deps: PortalDeps, problem?: Problem): Promise<Reply> {
  // After a wrong code the app already has the secret.
  const { secret, uri } = await beginSecondFactor(deps.pool, deps, member, problem === undefined);
  const picture = `data:image/svg+xml;base64,${Buffer.from(renderSVG(uri, { border: 2 })).toString('base64')}`;
  const body = html`<section class="panel">
<p>Scan this with an app for one-time codes, or type the secret into it.</p>
<p><img class="qr" src="${picture}" alt="The secret as a QR code" width="220" height="220"></p>
<p><code class="value">${secret.replace(/.{4}(?=.)/g, '$& ')}</code></p>
<form method="post" action="${member.root}account/security/second-factor/confirm">
${field({
  name: 'code',
  label: 'The code that the app shows',
  required: true,
  autocomplete: 'one-time-code',
  inputmode: 'numeric',
  maxlength: 10,
})}
<button>Turn it on</button>
</form></section><p><a href="${member.root}account/security">Back</a></p>`;
  return member.page({ title: 'Second factor', body, problem });
}

const setUp = memberPage({
  method: 'POST',
  path: `${PATH}/second-factor`,
  summary: 'Begin to turn on the second factor',
  handler: async (member, input, deps) => {
    const stored = await passwordConfirmed(member, input, 'factor_password', deps);
    checkVerified(stored, deps);
    return stored.hasSecondFactor ? redirect(input, PATH) : setUpPage(member, deps);
  },
  onProblem: (problem, member, _input, deps) => securityPage(member, deps, { problem }),
});

const codesPage = ({ page, root }: Visitor, codes: readonly string[]): Reply =>
  page({
    title: 'Recovery codes',
    body: html`<section class="panel secret"><p>Each of them replaces a code once, if you lose your phone. They are not shown again.</p>
<ul class="codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<p><a class="button" href="${root}account/security">I have stored them</a></p></section>`,
  });

const confirm = memberPage({
  method: 'POST',
  path: `${PATH}/second-factor/confirm`,
  summary: 'Turn on the second factor',
  handler: async (member, input, deps) => {
    const code = readText(input.form, 'code');
    const attempt = deps.signInLimits.code(member.memberId, code, input.address);
    const codes = await changed(member, input.address, deps, 'second_factor_on', async (db) => {
      const made = await confirmSecondFactor(db, deps, member.memberId, code);
      await endOthers(db, member, input.address, deps);
      await confirmSession(db, deps.clock, member.sessionHash);
      return made;
    });
    attempt.giveBack();
    return codesPage(member, codes);
  },
  onProblem: (problem, member, _input, deps) => setUpPage(member, deps, problem),
});

/** Runs a change and writes the audit log entry in one transaction, then notifies the member by mail. */
async function changed<T>(
  { accountId, email }: Visitor,
  address: string,
  { pool, clock, mail }: PortalDeps,
  name: NoticeName,
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
  endCredentials(db, clock, 'sign_in_changed', {
    accountId,
    memberId,
    keptSession: sessionHash,
    actor: { name: email, address },
  });

const recoveryCodes = memberPage({
  method: 'POST',
  path: `${PATH}/recovery-codes`,
  summary: 'New recovery codes',
  handler: async (member, input, deps) => {
    await passwordConfirmed(member, input, 'recovery_password', deps);
    const codes = await changed(member, input.address, deps, 'recovery_codes_renewed', (db) =>
      renewRecoveryCodes(db, member.memberId),
    );
    return codesPage(member, codes);
  },
  onProblem: (problem, member, _input, deps) => securityPage(member, deps, { problem }),
});

const remove = memberPage({
  method: 'POST',
  path: `${PATH}/second-factor/remove`,
  summary: 'Turn off the second factor',
  handler: async (member, input, deps) => {
    await passwordConfirmed(member, input, 'current_password', deps);
    const code = readText(input.form, 'code');
    const { memberId } = member;
    const attempt = deps.signInLimits.code(memberId, code, input.address);
    await changed(member, input.address, deps, 'second_factor_off', async (db) => {
      if ((await takeCode(db, deps, memberId, code)) === null)
        throw invalidParameter('code', 'invalid_code', 'is wrong, or was used before');
      await removeSecondFactor(db, memberId);
      await endOthers(db, member, input.address, deps);
    });
    attempt.giveBack();
    return redirect(input, `${PATH}?done=removed`);
  },
  onProblem: (problem, member, _input, deps) => securityPage(member, deps, { problem }),
});

const end = memberPage({
  method: 'POST',
  path: `${PATH}/delete`,
  summary: 'Delete the account',
  handler: async (member, input, deps) => {
    await passwordConfirmed(member, input, 'delete_password', deps);
    await deleteAccount(deps.pool, member.accountId, toActor(input));
    return redirect(input, '/account/sign-in?done=deleted', [sessionCookie(null, isSecure(input))]);
  },
  onProblem: (problem, member, _input, deps) => securityPage(member, deps, { problem }),
});

export const securityPages: RouteValue<PortalDeps>[] = [show, password, setUp, confirm, recoveryCodes, remove, end];
