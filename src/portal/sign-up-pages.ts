/** Signing up, and setting a new password through a link. */
import { z } from 'zod';
import { createSession, deviceCookie, sessionCookie } from '../accounts/credentials/index.ts';
import { type ResetForm, readResetForm, resetPassword, sendResetLink, signUp } from '../accounts/members/index.ts';
import { type Lang, lang, type Problem, type Reply, type RouteInput, type RouteValue } from '../http/index.ts';
import { field, hidden, readSecret, readText } from '../site/forms/fields.ts';
import { type Html, html } from '../site/html.ts';
import { SIGN_IN } from '../site/texts/index.ts';
import { type PortalDeps, route } from './deps.ts';
import { newKeyPanel } from './key-panel.ts';
import { portalPage, rootPath } from './page.ts';
import { isSecure, PAGE, redirect, showProblems, toClient } from './visit.ts';

const RESETS = { requests: 30, seconds: 900 };
const anyText = z.string().max(500).optional();

const passwordField = (label: string, lang: Lang) =>
  field({
    name: 'password',
    label,
    type: 'password',
    required: true,
    autocomplete: 'new-password',
    hint: SIGN_IN[lang].passwordHint,
  });

type Address = Pick<RouteInput<unknown, unknown, unknown>, 'baseUrl' | 'lang'>;

function signUpForm({ config }: PortalDeps, input: Address, invitation: string, email = '', problem?: Problem): Reply {
  const root = rootPath(input);
  const isClosed = config.signUp === 'off';
  return portalPage({
    title: SIGN_IN[input.lang].create,
    root,
    query: invitation === '' ? '' : new URLSearchParams({ invitation }).toString(),
    lang: input.lang,
    email: null,
    problem,
    body: isClosed
      ? html`<p class="panel">${SIGN_IN[input.lang].closed}</p>`
      : html`<form class="panel" method="post" action="${root}account/sign-up">
${field({ name: 'email', label: SIGN_IN[input.lang].email, type: 'email', value: email, required: true, autocomplete: 'username' })}
${passwordField(SIGN_IN[input.lang].password, input.lang)}
${
  config.signUp === 'invite'
    ? field({ name: 'invitation', label: SIGN_IN[input.lang].invitation, value: invitation, required: true })
    : hidden('invitation', invitation)
}
<button>${SIGN_IN[input.lang].submit}</button>
</form>
<p>${SIGN_IN[input.lang].keyAtOnce}${
          config.signUp === 'approve' && invitation === '' && SIGN_IN[input.lang].afterApproval
        } <a href="${root}account/sign-in">${SIGN_IN[input.lang].title}</a>${SIGN_IN[input.lang].insteadIfMember}</p>`,
  });
}

const waitingPage = (input: Address, key: string): Reply =>
  portalPage({
    title: SIGN_IN[input.lang].waits,
    root: rootPath(input),
    lang: input.lang,
    email: null,
    body: html`<p class="panel">${SIGN_IN[input.lang].waitsNote}</p>
${newKeyPanel(key, input.baseUrl, `${rootPath(input)}account/sign-in`, input.lang)}`,
  });

const signUpPage = route({
  ...PAGE,
  method: 'GET',
  path: '/account/sign-up',
  summary: 'The form to sign up',
  query: z.object({ invitation: anyText, lang }),
  handler: async (input, deps) =>
    input.principal === null ? signUpForm(deps, input, input.query.invitation ?? '') : redirect(input, '/account'),
});

const signUpPost = route({
  ...PAGE,
  method: 'POST',
  path: '/account/sign-up',
  summary: 'Sign up',
  form: true,
  handler: async (input, deps) => {
    const { form, address, baseUrl } = input;
    const email = readText(form, 'email');
    const invitation = readText(form, 'invitation');
    const work = async (): Promise<Reply> => {
      const made = await signUp(deps, { email, password: readSecret(form, 'password'), invitation }, address);
      if (made.awaitsApproval) return waitingPage(input, made.key);
      const session = await createSession(deps.pool, deps.clock, made.member.id, toClient(input));
      const cookies = [
        sessionCookie(session, isSecure(input)),
        deviceCookie(deps.config.secretKeys, made.member, deps.clock.now(), isSecure(input)),
      ];
      const page = portalPage({
        title: SIGN_IN[input.lang].ready,
        root: rootPath(input),
        lang: input.lang,
        email: made.member.email,
        body: newKeyPanel(made.key, baseUrl, `${rootPath(input)}account`, input.lang),
      });
      return { ...page, headers: { ...page.headers, 'Set-Cookie': cookies } };
    };
    return showProblems(work, (problem) => signUpForm(deps, input, invitation, email, problem));
  },
});

function resetForm({ mail }: PortalDeps, input: Address, done?: string): Reply {
  const root = rootPath(input);
  return portalPage({
    title: SIGN_IN[input.lang].setPassword,
    root,
    query: '',
    lang: input.lang,
    email: null,
    done,
    body: mail.isConfigured
      ? html`<form class="panel" method="post" action="${root}account/reset">
${field({ name: 'email', label: SIGN_IN[input.lang].email, type: 'email', required: true, autocomplete: 'username' })}
<button>${SIGN_IN[input.lang].sendLink}</button>
</form>
<p><a href="${root}account/sign-in">${SIGN_IN[input.lang].title}</a></p>`
      : html`<p class="panel">${SIGN_IN[input.lang].noMail}</p>
<p><a href="${root}account/sign-in">${SIGN_IN[input.lang].title}</a></p>`,
  });
}

/** @param shown null if the link has expired in the meantime */
function newPasswordForm(input: Address, token: string, shown: ResetForm | null, problem?: Problem): Reply {
  const root = rootPath(input);
  return portalPage({
    title: SIGN_IN[input.lang].setPassword,
    root,
    query: new URLSearchParams({ token }).toString(),
    lang: input.lang,
    email: null,
    problem,
    body: html`<form class="panel" method="post" action="${root}account/reset">
${hidden('token', token)}
${passwordField(SIGN_IN[input.lang].newPassword, input.lang)}
<p>${SIGN_IN[input.lang].endsSessions}</p>
${shown !== null && (shown.keys + shown.webhooks > 0 || shown.hasSingleSignOn) && revokeKeysBox(shown, input.lang)}
<button>${SIGN_IN[input.lang].submitPassword}</button>
</form>`,
  });
}

const revokeKeysBox = (left: ResetForm, lang: Lang): Html => html`<p class="check"><label>
<input type="checkbox" name="revoke_keys" value="1"${left.isUnverified && html` checked`}>
${SIGN_IN[lang].alsoRevoke(left.keys, left.webhooks, left.hasSingleSignOn)}</label></p>
${left.isUnverified && html`<p class="note">${SIGN_IN[lang].unverified}</p>`}`;

const resetPage = route({
  ...PAGE,
  method: 'GET',
  path: '/account/reset',
  summary: 'The form to ask for a link, or to set a new password by one',
  query: z.object({ token: anyText, lang }),
  handler: async (input, deps) => {
    const { token } = input.query;
    if (token === undefined) return resetForm(deps, input);
    const shown = await readResetForm(deps.pool, deps.clock, token);
    return shown === null
      ? resetForm(deps, input, SIGN_IN[input.lang].linkExpired)
      : newPasswordForm(input, token, shown);
  },
});

const resetPost = route({
  ...PAGE,
  method: 'POST',
  path: '/account/reset',
  summary: 'Ask for a link, or set a new password by one',
  form: true,
  perAddress: RESETS,
  handler: async (input, deps) => {
    const { form, address } = input;
    const token = readText(form, 'token');
    if (token === '') {
      const email = readText(form, 'email');
      // Neither the text nor the timing of the reply shows whether the account exists.
      if (deps.mail.isConfigured && deps.signInLimits.mail('reset', email))
        sendResetLink(deps, email).catch((err) =>
          deps.logger.error({ err }, 'a link to set a password could not be sent'),
        );
      return resetForm(deps, input, SIGN_IN[input.lang].linkSent);
    }
    const work = async () => {
      const revokesKeys = form?.get('revoke_keys') === '1';
      const member = await resetPassword(deps, { token, password: readSecret(form, 'password'), revokesKeys }, address);
      return redirect(input, '/account/sign-in?done=password', [
        deviceCookie(deps.config.secretKeys, member, deps.clock.now(), isSecure(input)),
      ]);
    };
    return showProblems(work, async (problem) =>
      newPasswordForm(input, token, await readResetForm(deps.pool, deps.clock, token), problem),
    );
  },
});

export const signUpPages: RouteValue<PortalDeps>[] = [signUpPage, signUpPost, resetPage, resetPost];
