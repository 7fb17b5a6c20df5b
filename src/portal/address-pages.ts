/** Pages that verify an account's address and change it. */
import { z } from 'zod';
import { changeAddress, readAddressLink, sendAddressLink, verifyAddress } from '../accounts/members/index.ts';
import type { Lang, RouteValue } from '../http/index.ts';
import { hidden, postButton, readText } from '../site/forms/fields.ts';
import { type Html, html } from '../site/html.ts';
import { fill, SECURITY } from '../site/texts/index.ts';
import type { PortalDeps } from './deps.ts';
import { securityPage } from './security-pages.ts';
import { memberPage, redirect, signedInMember } from './visit.ts';

const PATH = '/account/address';
const ADDRESS = { en: SECURITY.en.address, ru: SECURITY.ru.address };

/** Shown until the address has been verified. */
export const unverifiedPanel = (
  email: string,
  root: string,
  lang: Lang,
): Html => html`<section class="panel"><h2>${ADDRESS[lang].verify}</h2>
<p>${ADDRESS[lang].unverified(email)}</p>
${postButton(`${root}account/address/link`, ADDRESS[lang].sendAgain)}</section>`;

const show = memberPage({
  method: 'GET',
  path: PATH,
  permission: 'personal',
  summary: 'The form that a link to an address leads to',
  query: z.object({ token: z.string().max(500).default('') }),
  handler: async (member, { query: { token } }, { pool, clock }) => {
    const email = await readAddressLink(pool, clock, token, member.memberId);
    const text = ADDRESS[member.lang];
    const body =
      email === null
        ? html`<p class="panel">${ADDRESS[member.lang].linkExpired}</p>`
        : html`<form class="panel" method="post" action="${member.root}account/address">
<p>${email === member.email ? fill(text.isYours, { email }) : fill(text.moves, { before: member.email, after: email })}</p>
${hidden('token', token)}<button>${ADDRESS[member.lang].confirm}</button></form>`;
    return member.page({ title: ADDRESS[member.lang].title, section: 'security', body });
  },
});

const verify = memberPage({
  method: 'POST',
  path: PATH,
  permission: 'personal',
  summary: 'Verify an address',
  handler: async (member, input, deps) => {
    await verifyAddress(deps, signedInMember(member, input), readText(input.form, 'token'));
    return redirect(input, '/account?done=verified');
  },
  onProblem: (problem, { page, root, lang }) => {
    const body = html`<p><a href="${root}account/security">${SECURITY[lang].title}</a></p>`;
    return page({ title: ADDRESS[lang].title, section: 'security', problem, body });
  },
});

const again = memberPage({
  method: 'POST',
  path: `${PATH}/link`,
  permission: 'personal',
  summary: 'Send the link to verify the address again',
  handler: async (member, input, deps) => {
    return redirect(input, `/account?done=${await sendAddressLink(deps, member.memberId, member.email)}`);
  },
});

const change = memberPage({
  method: 'POST',
  path: '/account/security/email',
  permission: 'personal',
  needsRecentSignIn: true,
  summary: 'Give the account another address',
  handler: async (member, input, deps) => {
    const isMoved = await changeAddress(deps, signedInMember(member, input), readText(input.form, 'email'));
    return redirect(input, `/account/security?done=${isMoved ? 'moved' : 'asked'}`);
  },
  onProblem: (problem, member, input, deps) => securityPage(member, input, deps, { problem }),
});

export const addressPages: RouteValue<PortalDeps>[] = [show, verify, again, change];
