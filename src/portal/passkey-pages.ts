/** Routes with which the script asks for challenges, and the forms that add, rename and remove a member's passkeys. */
import { z } from 'zod';
import { addOptions, createHolder, findAwaitingCode, passkeySite, useOptions } from '../accounts/credentials/index.ts';
import { addPasskey, deviceName, readMember, removePasskey, renamePasskey } from '../accounts/members/index.ts';
import { idParams, type MemberPrincipal, Problem, type RouteValue } from '../http/index.ts';
import { readText } from '../site/forms/fields.ts';
import { PASSKEYS, SESSIONS } from '../site/texts/index.ts';
import { type PortalDeps, route } from './deps.ts';
import { CHALLENGES } from './passkey-button.ts';
import { checkVerified, codesPage, securityPage } from './security-pages.ts';
import { isSecure, memberPage, redirect, signedInMember } from './visit.ts';

const PATH = '/account/security/passkeys';

/** Fields that the routes for the script share. */
const common = {
  method: 'POST',
  tag: 'Pages',
  undocumented: true,
  cost: 0,
  cache: 'no-store',
  form: true,
  perAddress: { requests: 60, seconds: 60 },
  response: z.strictObject({ publicKey: z.record(z.string(), z.unknown()) }),
} as const;

const signInChallenge = route({
  ...common,
  access: 'visitor',
  path: `/${CHALLENGES.signIn}`,
  summary: 'A challenge for signing in with a passkey',
  handler: async (input, deps) => {
    const { holder, cookie } = createHolder(isSecure(input));
    const publicKey = await useOptions(deps, passkeySite(input.baseUrl), null, holder);
    return { body: { publicKey }, headers: { 'Set-Cookie': [cookie] } };
  },
});

const codeChallenge = route({
  ...common,
  access: 'visitor',
  path: `/${CHALLENGES.code}`,
  summary: 'A challenge for a passkey after the password',
  handler: async (input, deps) => {
    const awaiting = await findAwaitingCode(deps.pool, deps.clock, input.headers.cookie, isSecure(input));
    if (awaiting === null) throw new Problem('key_missing', 'Give the password first.');
    const { memberId, hash } = awaiting;
    return { body: { publicKey: await useOptions(deps, passkeySite(input.baseUrl), memberId, hash) } };
  },
});

const confirmChallenge = route({
  ...common,
  access: 'member',
  permission: 'personal',
  path: `/${CHALLENGES.confirm}`,
  summary: 'A challenge for a passkey in an open session',
  handler: async (input, deps) => {
    const { memberId, sessionHash } = input.principal as MemberPrincipal;
    return { body: { publicKey: await useOptions(deps, passkeySite(input.baseUrl), memberId, sessionHash) } };
  },
});

const addChallenge = route({
  ...common,
  access: 'member',
  permission: 'personal',
  needsRecentSignIn: true,
  path: `/${CHALLENGES.add}`,
  summary: 'A challenge for a new passkey',
  handler: async (input, deps) => {
    const member = input.principal as MemberPrincipal;
    return { body: { publicKey: await addOptions(deps, passkeySite(input.baseUrl), member, member.sessionHash) } };
  },
});

const add = memberPage({
  method: 'POST',
  path: PATH,
  summary: 'Add a passkey',
  permission: 'personal',
  needsRecentSignIn: true,
  handler: async (member, input, deps) => {
    const { form, baseUrl, headers } = input;
    checkVerified((await readMember(deps.pool, member.memberId))!, deps);
    const name = readText(form, 'name');
    const text = readText(form, 'passkey');
    // The script sends the form without an answer if the member has to confirm first.
    if (text === '') return securityPage(member, input, deps, { done: PASSKEYS[member.lang].ready }, name);
    const codes = await addPasskey(deps, signedInMember(member, input), {
      site: passkeySite(baseUrl),
      text,
      name: name === '' ? deviceName(headers['user-agent'] ?? '', SESSIONS[member.lang].device).slice(0, 100) : name,
    });
    return codes === null ? redirect(input, '/account/security?done=passkey-added') : codesPage(member, codes);
  },
  onProblem: (problem, member, input, deps) =>
    securityPage(member, input, deps, { problem }, readText(input.form, 'name')),
});

const rename = memberPage({
  method: 'POST',
  path: `${PATH}/{id}`,
  summary: 'Rename a passkey',
  params: idParams,
  permission: 'personal',
  needsRecentSignIn: true,
  handler: async (member, input, deps) => {
    await renamePasskey(deps, signedInMember(member, input), input.params.id, readText(input.form, 'name'));
    return redirect(input, '/account/security?done=passkey-renamed');
  },
  onProblem: (problem, member, input, deps) => securityPage(member, input, deps, { problem }),
});

const remove = memberPage({
  method: 'POST',
  path: `${PATH}/{id}/remove`,
  summary: 'Remove a passkey',
  params: idParams,
  permission: 'personal',
  needsRecentSignIn: true,
  handler: async (member, input, deps) => {
    await removePasskey(deps, signedInMember(member, input), input.params.id);
    return redirect(input, '/account/security?done=passkey-removed');
  },
});

export const passkeyPages: RouteValue<PortalDeps>[] = [
  signInChallenge,
  codeChallenge,
  confirmChallenge,
  addChallenge,
  add,
  rename,
  remove,
];
