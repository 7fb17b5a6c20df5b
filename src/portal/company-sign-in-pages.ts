/** The way to the identity provider of a company, and back. */
import { z } from 'zod';
import { sessionHash } from '../accounts/credentials/index.ts';
import type { SignedIn } from '../accounts/members/index.ts';
import {
  attemptCookie,
  beginCompanySignIn,
  callbackPath,
  finishCompanySignIn,
  readAttemptToken,
} from '../accounts/single-sign-on/index.ts';
import { idParams, type Reply, type RouteInput, type RouteValue } from '../http/index.ts';
import { readText } from '../site/forms/fields.ts';
import { html } from '../site/html.ts';
import { SINGLE_SIGN_ON } from '../site/texts/index.ts';
import { type PortalDeps, route } from './deps.ts';
import { portalPage, rootPath } from './page.ts';
import { ownPath } from './return-path.ts';
import { signedInCookies, signInForm } from './sign-in-pages.ts';
import { isSecure, PAGE, redirect, showProblems, toClient } from './visit.ts';

/**
 * A page that leads to the provider. A redirect is not enough, because the policy of our pages permits forms to lead only to this
 * service.
 */
function leavingPage(
  input: Pick<RouteInput<unknown, unknown, unknown>, 'baseUrl' | 'lang'>,
  url: URL,
  cookie: string,
): Reply {
  const texts = SINGLE_SIGN_ON[input.lang];
  const page = portalPage({
    title: texts.leaving,
    root: rootPath(input),
    lang: input.lang,
    email: null,
    body: html`<div class="panel"><p>${texts.leavingNote(url.host)}</p>
<p><a class="button" href="${url.href}">${texts.leavingLink}</a></p></div>`,
  });
  return { ...page, headers: { ...page.headers, 'Set-Cookie': [cookie], Refresh: `0; url=${url.href}` } };
}

const begin = route({
  ...PAGE,
  method: 'POST',
  path: '/account/sign-in/company',
  summary: "Sign in with the company's account",
  form: true,
  handler: (input, deps) => {
    const next = ownPath(readText(input.form, 'next'));
    const email = readText(input.form, 'email');
    const work = async () => {
      const { url, token } = await beginCompanySignIn(deps, {
        email,
        next,
        again: readText(input.form, 'again') === '1',
        address: input.address,
        baseUrl: input.baseUrl,
      });
      return leavingPage(input, url, attemptCookie(token, isSecure(input)));
    };
    return showProblems(work, (problem) => signInForm(input, next, email, { problem }));
  },
});

const text = z.string().max(8_192).optional();
/** The parameters that a provider may add. Further parameters mean nothing here. */
const answerQuery = z.object({
  code: text,
  state: text,
  iss: text,
  error: text,
  error_description: text,
  error_uri: text,
});

async function finish(
  input: RouteInput<unknown, z.output<typeof answerQuery>, undefined>,
  deps: PortalDeps,
  accountId: number | null,
): Promise<Reply> {
  const secure = isSecure(input);
  const cookies = input.headers.cookie;
  const query = Object.fromEntries(
    Object.entries(input.query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const work = async () => {
    const signedIn: SignedIn & { next: string } = await finishCompanySignIn(deps, {
      accountId,
      query,
      token: readAttemptToken(cookies, secure),
      baseUrl: input.baseUrl,
      before: sessionHash(cookies, secure),
      client: toClient(input),
    });
    const path =
      signedIn.state === 'signed_in' ? signedIn.next : `/account/code?next=${encodeURIComponent(signedIn.next)}`;
    return redirect(input, path, [...signedInCookies(deps, signedIn, secure), attemptCookie(null, secure)]);
  };
  return showProblems(work, (problem) => signInForm(input, '/account', '', { problem }));
}

const back = { ...PAGE, method: 'GET', query: answerQuery } as const;

const operatorCallback = route({
  ...back,
  path: callbackPath(null),
  summary: 'Where the provider of the operators sends the browser back',
  handler: (input, deps) => finish(input, deps, null),
});

const organisationCallback = route({
  ...back,
  path: `${callbackPath(null)}/{id}`,
  summary: "Where an organisation's provider sends the browser back",
  params: idParams,
  handler: (input, deps) => finish(input, deps, input.params.id),
});

export const companySignInPages: RouteValue<PortalDeps>[] = [begin, operatorCallback, organisationCallback];
