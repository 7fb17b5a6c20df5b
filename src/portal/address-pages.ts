/** Pages that verify an account's address and change it. */
import { z } from 'zod';
import {
  changeAddress,
  confirmPassword,
  readAddressLink,
  sendAddressLink,
  verifyAddress,
} from '../accounts/members/index.ts';
import type { RouteValue } from '../http/index.ts';
import { hidden, postButton, readSecret, readText } from '../site/forms/fields.ts';
import { type Html, html } from '../site/html.ts';
import type { PortalDeps } from './deps.ts';
import { securityPage } from './security-pages.ts';
import { memberPage, redirect, signedInMember } from './visit.ts';

const PATH = '/account/address';

/** Shown until the address is verified. */
export const unverifiedPanel = (
  email: string,
  root: string,
): Html => html`<section class="panel"><h2>Verify your address</h2>
<p>A link was sent to ${email}. Until you open it, your account has a tenth of the plan's requests a day.</p>
${postButton(`${root}account/address/link`, 'Send the link again')}</section>`;

const EXPIRED = 'This link is for another account, has expired or was used. Ask for a new one.';

const show = memberPage({
  method: 'GET',
  path: PATH,
  summary: 'The form that a link to an address leads to',
  query: z.object({ token: z.string().max(500).default('') }),
  handler: async (member, { query: { token } }, { pool, clock }) => {
    const email = await readAddressLink(pool, clock, token, member.accountId);
    const body =
      email === null
        ? html`<p class="panel">${EXPIRED}</p>`
        : html`<form class="panel" method="post" action="${member.root}account/address">
<p>${email === member.email ? html`Is ${email} yours?` : html`Your account moves from ${member.email} to ${email}.`}</p>
${hidden('token', token)}<button>Yes</button></form>`;
    return member.page({ title: 'Your address', section: 'security', body });
  },
});

const verify = memberPage({
  method: 'POST',
  path: PATH,
  summary: 'Verify an address',
  handler: async (member, input, deps) => {
    await verifyAddress(deps, signedInMember(member, input), readText(input.form, 'token'));
    return redirect(input, '/account?done=verified');
  },
  onProblem: (problem, { page, root }) => {
    const body = html`<p><a href="${root}account/security">Security</a></p>`;
    return page({ title: 'Your address', section: 'security', problem, body });
  },
});

const again = memberPage({
  method: 'POST',
  path: `${PATH}/link`,
  summary: 'Send the link to verify the address again',
  handler: async (member, input, deps) => {
    await sendAddressLink(deps, member, member.email);
    return redirect(input, '/account?done=sent');
  },
});

const change = memberPage({
  method: 'POST',
  path: '/account/security/email',
  summary: 'Give the account another address',
  handler: async (member, input, deps) => {
    const signedIn = signedInMember(member, input);
    await confirmPassword(deps, signedIn, readSecret(input.form, 'email_password'));
    const isMoved = await changeAddress(deps, signedIn, readText(input.form, 'email'));
    return redirect(input, `/account/security?done=${isMoved ? 'moved' : 'asked'}`);
  },
  onProblem: (problem, member, _input, deps) => securityPage(member, deps, { problem }),
});

export const addressPages: RouteValue<PortalDeps>[] = [show, verify, again, change];
