/** Signing in and out. */
import { z } from 'zod';
import {
  deviceCookie,
  endSession,
  findAwaitingCode,
  listPasskeys,
  passkeySite,
  readHolder,
  sessionCookie,
  sessionHash,
} from '../accounts/credentials/index.ts';
import {
  readMember,
  type SignedIn,
  signIn,
  signInWithCode,
  signInWithPasskey,
  signInWithSecondPasskey,
} from '../accounts/members/index.ts';
import { type Lang, lang, type Problem, type Reply, type RouteInput, type RouteValue } from '../http/index.ts';
import { field, hidden, readSecret, readText } from '../site/forms/fields.ts';
import { type Html, html } from '../site/html.ts';
import { PASSKEYS, SIGN_IN, SINGLE_SIGN_ON } from '../site/texts/index.ts';
import { type PortalDeps, route } from './deps.ts';
import { doneText } from './done-messages.ts';
import { portalPage, rootPath, type Shown } from './page.ts';
import { passkeyButton } from './passkey-button.ts';
import { ownPath } from './return-path.ts';
import { isSecure, PAGE, redirect, showProblems, toClient } from './visit.ts';

const anyText = z.string().max(500).optional();

/** Returns the cookies to set after signing in. While the second-factor code is missing, this is only the session cookie. */
export function signedInCookies(
  { config, clock }: Pick<PortalDeps, 'config' | 'clock'>,
  { state, token, member }: SignedIn,
  secure: boolean,
) {
  const session = sessionCookie(token, secure);
  if (state === 'code_needed') return [session];
  return [session, deviceCookie(config.secretKeys, member, clock.now(), secure)];
}

type Address = Pick<RouteInput<unknown, unknown, unknown>, 'baseUrl' | 'lang'>;

/** Sends the form without the password, to the provider of the company. */
const companyButton = (root: string, lang: Lang): Html => html`<p>
<button class="plain" formaction="${root}account/sign-in/company" formnovalidate aria-describedby="company-hint">
${SINGLE_SIGN_ON[lang].company}</button>
<span class="note" id="company-hint">${SINGLE_SIGN_ON[lang].companyHint}</span></p>`;

export function signInForm(input: Address, next: string, email = '', shown: Shown = {}): Reply {
  const root = rootPath(input);
  return portalPage({
    title: SIGN_IN[input.lang].title,
    root,
    query: next === '/account' ? '' : new URLSearchParams({ next }).toString(),
    lang: input.lang,
    email: null,
    usesPasskeys: true,
    ...shown,
    body: html`${!next.startsWith('/account') && html`<p class="note">${SIGN_IN[input.lang].membersOnly}</p>`}
<form class="panel" method="post" action="${root}account/sign-in">
${hidden('next', next)}
${field({ name: 'email', label: SIGN_IN[input.lang].email, type: 'email', value: email, required: true, autocomplete: 'username' })}
${field({ name: 'password', label: SIGN_IN[input.lang].password, type: 'password', required: true, autocomplete: 'current-password' })}
<button>${SIGN_IN[input.lang].title}</button>
${companyButton(root, input.lang)}
</form>
<form method="post" action="${root}account/passkey">${hidden('next', next)}
${passkeyButton({ challenge: 'signIn', label: PASSKEYS[input.lang].signIn, root, lang: input.lang })}</form>
<p><a href="${root}account/sign-up">${SIGN_IN[input.lang].create}</a> ·
<a href="${root}account/reset">${SIGN_IN[input.lang].forgotten}</a></p>`,
  });
}

const signInPage = route({
  ...PAGE,
  method: 'GET',
  path: '/account/sign-in',
  summary: 'The form to sign in',
  query: z.object({ next: anyText, done: anyText, lang }),
  handler: async ({ query, principal, ...input }) => {
    const next = ownPath(query.next ?? '');
    if (principal !== null) return redirect(input, next);
    return signInForm(input, next, '', { done: doneText(SIGN_IN[input.lang].done, query.done) });
  },
});

const signInPost = route({
  ...PAGE,
  method: 'POST',
  path: '/account/sign-in',
  summary: 'Sign in',
  form: true,
  handler: async (input, deps) => {
    const { form, headers } = input;
    const next = ownPath(readText(form, 'next'));
    const email = readText(form, 'email');
    const work = async () => {
      const signedIn = await signIn(
        deps,
        {
          email,
          password: readSecret(form, 'password'),
          cookies: headers.cookie,
          secure: isSecure(input),
          before: sessionHash(headers.cookie, isSecure(input)),
        },
        toClient(input),
      );
      const path = signedIn.state === 'signed_in' ? next : `/account/code?next=${encodeURIComponent(next)}`;
      return redirect(input, path, signedInCookies(deps, signedIn, isSecure(input)));
    };
    return showProblems(work, (problem) => signInForm(input, next, email, { problem }));
  },
});

const passkeyPost = route({
  ...PAGE,
  method: 'POST',
  path: '/account/passkey',
  summary: 'Sign in with a passkey',
  form: true,
  handler: async (input, deps) => {
    const next = ownPath(readText(input.form, 'next'));
    const secure = isSecure(input);
    const { cookie } = input.headers;
    const browser = { holder: readHolder(cookie, secure), before: sessionHash(cookie, secure) };
    const work = async () => {
      const signedIn = await signInWithPasskey(deps, readPasskey(input), browser, toClient(input));
      return redirect(input, next, signedInCookies(deps, signedIn, secure));
    };
    return showProblems(work, (problem) => signInForm(input, next, '', { problem }));
  },
});

const readPasskey = ({ form, baseUrl }: Pick<RouteInput<unknown, unknown, unknown>, 'form' | 'baseUrl'>) => ({
  site: passkeySite(baseUrl),
  text: readText(form, 'passkey'),
});

/** @param memberId the member who has given the password */
async function codeForm(
  input: Address,
  { pool }: Pick<PortalDeps, 'pool'>,
  { memberId, next, problem }: { memberId: number; next: string; problem?: Problem },
): Promise<Reply> {
  const root = rootPath(input);
  const text = SIGN_IN[input.lang];
  const [member, passkeys] = await Promise.all([readMember(pool, memberId), listPasskeys(pool, memberId)]);
  const hasPasskeys = passkeys.length > 0;
  return portalPage({
    title: text.secondFactor,
    root,
    query: new URLSearchParams({ next }).toString(),
    lang: input.lang,
    email: null,
    problem,
    usesPasskeys: hasPasskeys,
    body: html`<form class="panel" method="post" action="${root}account/code">
${hidden('next', next)}
${hasPasskeys && passkeyButton({ challenge: 'code', label: PASSKEYS[input.lang].use, root, lang: input.lang })}
${field({
  name: 'code',
  label: text.code,
  required: true,
  autocomplete: 'one-time-code',
  maxlength: 40,
  hint: member?.hasCodeApp === true ? text.codeHint : text.recoveryCodeHint,
})}
<button>${text.continue}</button>
</form>
<p><a href="${root}account/sign-in">${text.startAgain}</a></p>`,
  });
}

const awaitingNotice = (
  input: Pick<RouteInput<unknown, unknown, unknown>, 'headers' | 'baseUrl'>,
  { pool, clock }: PortalDeps,
) => findAwaitingCode(pool, clock, input.headers.cookie, isSecure(input));

const codePage = route({
  ...PAGE,
  method: 'GET',
  path: '/account/code',
  summary: 'The form for the code of the second factor',
  query: z.object({ next: anyText, lang }),
  handler: async (input, deps) => {
    const awaiting = await awaitingNotice(input, deps);
    if (awaiting === null) return redirect(input, '/account/sign-in');
    return codeForm(input, deps, { ...awaiting, next: ownPath(input.query.next ?? '') });
  },
});

const codePost = route({
  ...PAGE,
  method: 'POST',
  path: '/account/code',
  summary: 'Sign in with the code of the second factor',
  form: true,
  handler: async (input, deps) => {
    const next = ownPath(readText(input.form, 'next'));
    const awaiting = await awaitingNotice(input, deps);
    if (awaiting === null) return redirect(input, '/account/sign-in');
    const work = async () => {
      const passkey = readPasskey(input);
      const signedIn =
        passkey.text === ''
          ? await signInWithCode(deps, awaiting, readText(input.form, 'code'), toClient(input))
          : await signInWithSecondPasskey(deps, passkey, awaiting, toClient(input));
      return redirect(input, next, signedInCookies(deps, signedIn, isSecure(input)));
    };
    return showProblems(work, (problem) => codeForm(input, deps, { ...awaiting, next, problem }));
  },
});

const signOut = route({
  ...PAGE,
  method: 'POST',
  path: '/account/sign-out',
  summary: 'Sign out',
  form: true,
  handler: async (input, { pool }) => {
    const hash = sessionHash(input.headers.cookie, isSecure(input));
    if (hash !== null) await endSession(pool, hash);
    return redirect(input, '/account/sign-in?done=signed-out', [sessionCookie(null, isSecure(input))]);
  },
});

export const signInPages: RouteValue<PortalDeps>[] = [signInPage, signInPost, passkeyPost, codePage, codePost, signOut];
