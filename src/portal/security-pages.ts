/** Password, second factor and sessions of a member. */
import { renderSVG } from 'uqr';
import { deleteAccount } from '../accounts/accounts.ts';
import { actorOf, audit } from '../accounts/audit.ts';
import { changePassword, readMember } from '../accounts/members/members.ts';
import { verifyPassword } from '../accounts/members/passwords.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from '../accounts/members/second-factor.ts';
import { confirmSession, listSessions, sessionCookie } from '../accounts/members/sessions.ts';
import { transaction } from '../db/postgres.ts';
import { invalidParameter, type Problem } from '../http/errors.ts';
import { type Html, html } from '../http/html.ts';
import type { Reply, RouteValue } from '../http/route.ts';
import type { PortalDeps } from './deps.ts';
import { doneQuery, doneText } from './done.ts';
import { field, hidden, secretOf, textOf } from './form.ts';
import { portalPage } from './page.ts';
import { SESSION_DONE, sessionPanel } from './session-pages.ts';
import { isSecure, memberPage, orShown, redirect, type Visitor } from './visit.ts';

const PATH = '/account/security';
const page = ({ root, email }: Visitor, title: string, body: Html, problem?: Problem): Reply =>
  portalPage({ title, root, section: 'security', email, body, problem });

const passwordField = (label: string, name = 'current') =>
  field({ name, label, type: 'password', required: true, autocomplete: 'current-password' });

const secondFactorPart = (isOn: boolean, root: string): Html =>
  isOn
    ? html`<p>On: signing in takes your password and a code.</p>
<form method="post" action="${root}account/security/recovery-codes">${passwordField('Your password', 'recovery_password')}<button>New recovery codes</button></form>
<form method="post" action="${root}account/security/second-factor/remove">${passwordField('Your password', 'current_password')}<button class="danger">Turn it off</button></form>`
    : html`<p>Off. With it, signing in takes your password and a code of an app on your phone.</p>
<form method="post" action="${root}account/security/second-factor"><button>Turn it on</button></form>`;

async function securityPage(
  member: Visitor,
  { pool, clock }: PortalDeps,
  { problem, done }: { problem?: Problem; done?: string | undefined } = {},
): Promise<Reply> {
  const { root } = member;
  const [stored, sessions] = await Promise.all([
    readMember(pool, member.memberId),
    listSessions(pool, clock, { memberId: member.memberId }),
  ]);
  return portalPage({
    title: 'Security',
    root,
    section: 'security',
    email: member.email,
    problem,
    done,
    body: html`<section class="panel"><h2>Password</h2>
<form method="post" action="${root}account/security/password">
${hidden('username', member.email)}
${passwordField('Current password')}
${field({ name: 'password', label: 'New password', type: 'password', required: true, autocomplete: 'new-password', hint: 'At least 10 characters. All other sessions end.' })}
<button>Change the password</button>
</form></section>
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
  password: 'Your password is changed, and all other sessions have ended.',
  removed: 'The second factor is off.',
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
  form: true,
  handler: (member, input, deps) =>
    orShown(
      async () => {
        const { form, address } = input;
        deps.signInLimits.current(member.memberId);
        const given = { current: secretOf(form, 'current'), password: secretOf(form, 'password') };
        await changePassword(deps, member, given, address);
        return redirect(input, `${PATH}?done=password`);
      },
      (problem) => securityPage(member, deps, { problem }),
    ),
});

/** Who has found an open session cannot weaken the account. @throws {Problem} invalid_parameter, rate_limited */
async function checkPassword({ memberId }: Visitor, given: string, { pool, signInLimits }: PortalDeps) {
  signInLimits.current(memberId);
  const stored = await readMember(pool, memberId);
  if (!(await verifyPassword(stored?.password ?? null, given)))
    throw invalidParameter('password', 'wrong_password', 'is not your password');
}

async function setUpPage(member: Visitor, deps: PortalDeps, problem?: Problem): Promise<Reply> {
  // After a wrong code the app has the secret already.
  const { secret, uri } = await beginSecondFactor(deps.pool, deps, member, problem === undefined);
  const picture = `data:image/svg+xml;base64,${Buffer.from(renderSVG(uri, { border: 2 })).toString('base64')}`;
  const body = html`<section class="panel">
<p>Scan this with an app for one-time codes, or type the secret into it.</p>
<p><img class="qr" src="${picture}" alt="The secret as a QR code" width="220" height="220"></p>
<p><code class="value">${secret.replace(/.{4}(?=.)/g, '$& ')}</code></p>
<form method="post" action="${member.root}account/security/second-factor/confirm">
${field({ name: 'code', label: 'The code that the app shows', required: true, autocomplete: 'one-time-code', inputmode: 'numeric', maxlength: 10 })}
<button>Turn it on</button>
</form></section><p><a href="${member.root}account/security">Back</a></p>`;
  return page(member, 'Second factor', body, problem);
}

const setUp = memberPage({
  method: 'POST',
  path: `${PATH}/second-factor`,
  summary: 'Begin to turn on the second factor',
  form: true,
  handler: async (member, input, deps) => {
    const stored = await readMember(deps.pool, member.memberId);
    return stored?.hasSecondFactor === true ? redirect(input, PATH) : setUpPage(member, deps);
  },
});

const codesPage = (member: Visitor, codes: readonly string[]): Reply =>
  page(
    member,
    'Recovery codes',
    html`<section class="panel secret"><p>Each of them replaces a code once, if you lose your phone. They are not shown again.</p>
<ul class="codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<p><a class="button" href="${member.root}account/security">I have stored them</a></p></section>`,
  );

const confirm = memberPage({
  method: 'POST',
  path: `${PATH}/second-factor/confirm`,
  summary: 'Turn on the second factor',
  form: true,
  handler: (member, input, deps) =>
    orShown(
      async () => {
        const attempt = deps.signInLimits.code(member.memberId);
        const codes = await transaction(deps.pool, async (db) => {
          const made = await confirmSecondFactor(db, deps, member.memberId, textOf(input.form, 'code'));
          await change(db, member, input.address, deps, 'member.second_factor_on');
          await confirmSession(db, deps.clock, member.sessionHash);
          return made;
        });
        attempt.succeeded();
        return codesPage(member, codes);
      },
      (problem) => setUpPage(member, deps, problem),
    ),
});

const change = (
  db: Parameters<typeof audit>[0],
  { accountId, email }: Visitor,
  address: string,
  { clock }: PortalDeps,
  action: string,
) => audit(db, clock, { accountId, actor: { name: email, address }, action });

const recoveryCodes = memberPage({
  method: 'POST',
  path: `${PATH}/recovery-codes`,
  summary: 'New recovery codes',
  form: true,
  handler: (member, input, deps) =>
    orShown(
      async () => {
        await checkPassword(member, secretOf(input.form, 'recovery_password'), deps);
        const codes = await transaction(deps.pool, async (db) => {
          await change(db, member, input.address, deps, 'member.recovery_codes_renewed');
          return renewRecoveryCodes(db, member.memberId);
        });
        return codesPage(member, codes);
      },
      (problem) => securityPage(member, deps, { problem }),
    ),
});

const remove = memberPage({
  method: 'POST',
  path: `${PATH}/second-factor/remove`,
  summary: 'Turn off the second factor',
  form: true,
  handler: (member, input, deps) =>
    orShown(
      async () => {
        await checkPassword(member, secretOf(input.form, 'current_password'), deps);
        await transaction(deps.pool, async (db) => {
          await removeSecondFactor(db, member.memberId);
          await change(db, member, input.address, deps, 'member.second_factor_off');
        });
        return redirect(input, `${PATH}?done=removed`);
      },
      (problem) => securityPage(member, deps, { problem }),
    ),
});

const end = memberPage({
  method: 'POST',
  path: `${PATH}/delete`,
  summary: 'Delete the account',
  form: true,
  handler: (member, input, deps) =>
    orShown(
      async () => {
        await checkPassword(member, secretOf(input.form, 'delete_password'), deps);
        await deleteAccount(deps.pool, member.accountId, actorOf(input));
        return redirect(input, '/account/sign-in?done=deleted', [sessionCookie(null, isSecure(input))]);
      },
      (problem) => securityPage(member, deps, { problem }),
    ),
});

export const securityPages: RouteValue<PortalDeps>[] = [show, password, setUp, confirm, recoveryCodes, remove, end];
