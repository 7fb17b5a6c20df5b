/** Joining an organisation by an invitation, and the switch between organisations. */
import { z } from 'zod';
import { createSession, deviceCookie, sessionCookie } from '../accounts/credentials/index.ts';
import {
  joinAsNewMember,
  joinOrganisation,
  type ReceivedInvitation,
  readMemberInvitation,
  switchOrganisation,
} from '../accounts/members/index.ts';
import { idParam, lang, type Problem, type Reply, type RouteInput, type RouteValue } from '../http/index.ts';
import { field, hidden, readSecret, readText } from '../site/forms/fields.ts';
import { type Html, html } from '../site/html.ts';
import { fill, MEMBERS } from '../site/texts/index.ts';
import { type PortalDeps, route } from './deps.ts';
import { portalPage, rootPath } from './page.ts';
import { isSecure, PAGE, redirect, showProblems, signedInMember, toClient } from './visit.ts';

const PATH = '/account/join';
const JOINS = { requests: 30, seconds: 900 };

type Input = RouteInput<unknown, unknown, unknown>;

/** Shows the form, or the step that the visitor has to take first. */
function joinPart({ email, isKnown }: ReceivedInvitation, token: string, { principal, ...input }: Input): Html {
  const text = MEMBERS[input.lang];
  const root = rootPath(input);
  const form = (fields: Html) =>
    html`<form class="panel" method="post" action="${root}account/join">${hidden('token', token)}${fields}
<button>${text.joinNow}</button></form>`;
  if (principal?.kind === 'member')
    return principal.email.toLowerCase() === email
      ? form(html``)
      : html`<p class="panel">${fill(text.otherAddress, { email: principal.email })}</p>`;
  if (isKnown) {
    const next = new URLSearchParams({ next: `${PATH}?token=${token}` }).toString();
    return html`<p class="panel">${text.signInFirst} <a href="${root}account/sign-in?${next}">${text.signIn}</a></p>`;
  }
  return form(
    html`${hidden('username', email)}<p>${text.joinNew}</p>${field({
      name: 'password',
      label: text.password,
      type: 'password',
      required: true,
      autocomplete: 'new-password',
      hint: text.passwordHint,
    })}`,
  );
}

async function joinPage(input: Input, token: string, deps: PortalDeps, problem?: Problem): Promise<Reply> {
  const text = MEMBERS[input.lang];
  const invitation = await readMemberInvitation(deps.pool, deps.clock, token);
  const { inviter = '', organisation = '', role, email = '' } = invitation ?? {};
  const page = portalPage({
    title: text.join,
    root: rootPath(input),
    query: new URLSearchParams({ token }).toString(),
    lang: input.lang,
    email: null,
    // Says the same as the page.
    problem: invitation === null && problem?.code === 'not_found' ? undefined : problem,
    body:
      invitation === null
        ? html`<p class="panel">${text.invalid}</p>`
        : html`<p>${fill(text.invited, { inviter, organisation, role: role === undefined ? '' : text.roles[role] })}
${fill(text.invitedAs, { email })}</p>
${joinPart(invitation, token, input)}`,
  });
  return invitation === null ? { ...page, status: 404 } : page;
}

const show = route({
  ...PAGE,
  method: 'GET',
  path: PATH,
  summary: 'The form to which an invitation leads',
  query: z.object({ token: z.string().max(500).default(''), lang }),
  perAddress: JOINS,
  handler: (input, deps) => joinPage(input, input.query.token, deps),
});

const join = route({
  ...PAGE,
  method: 'POST',
  path: PATH,
  summary: 'Join an organisation',
  form: true,
  perAddress: JOINS,
  handler: async (input, deps) => {
    const token = readText(input.form, 'token');
    const { principal } = input;
    const work = async () => {
      if (principal?.kind === 'member') {
        await joinOrganisation(deps, signedInMember(principal, input), token);
        return redirect(input, '/account');
      }
      const given = { token, password: readSecret(input.form, 'password') };
      const member = await joinAsNewMember(deps, given, input.address);
      const session = await createSession(deps.pool, deps.clock, member.id, toClient(input));
      const mark = deviceCookie(deps.config.secretKeys, member, deps.clock.now(), isSecure(input));
      return redirect(input, '/account', [sessionCookie(session, isSecure(input)), mark]);
    };
    return showProblems(work, (problem) => joinPage(input, token, deps, problem));
  },
});

/** Always leads to the overview, because the new organisation need not have the page before. */
const change = route({
  ...PAGE,
  method: 'POST',
  path: '/account/switch',
  permission: 'personal',
  summary: 'Act for another organisation',
  form: true,
  handler: async (input, { pool }) => {
    const { principal } = input;
    if (principal?.kind !== 'member') return redirect(input, '/account/sign-in?next=%2Faccount');
    const id = idParam.safeParse(readText(input.form, 'to'));
    if (id.success) await switchOrganisation(pool, principal, id.data);
    return redirect(input, '/account');
  },
});

export const joinPages: RouteValue<PortalDeps>[] = [show, join, change];
