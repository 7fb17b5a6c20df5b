/** A member's browsers that show notifications. The page lists them, and the script of the pages adds them (notify.js). */
import { ECDH } from 'node:crypto';
import { z } from 'zod';
import {
  addBrowser,
  listBrowsers,
  MAX_BROWSERS,
  type PushAddress,
  type PushBrowser,
  readPublicKey,
  removeBrowser,
  renewBrowser,
} from '../accounts/credentials/index.ts';
import { toActor } from '../accounts/index.ts';
import { deviceName } from '../accounts/members/index.ts';
import {
  idParams,
  invalidParameter,
  type Lang,
  type MemberPrincipal,
  Problem,
  type Reply,
  type RouteValue,
} from '../http/index.ts';
import { AddressRefused } from '../outbound/index.ts';
import { pushService } from '../push/index.ts';
import { dateTime, heads, nameText, scrollTable } from '../site/components/index.ts';
import { postButton, readText } from '../site/forms/fields.ts';
import { type Html, html } from '../site/html.ts';
import { fill, NOTIFICATIONS, SESSIONS } from '../site/texts/index.ts';
import { type PortalDeps, route } from './deps.ts';
import { doneQuery, doneText } from './done-messages.ts';
import { memberPage, redirect, type Visitor } from './visit.ts';

const PATH = '/account/notifications';
/** Bytes of a browser's public key, uncompressed on the curve P-256, and of its authentication secret (RFC 8291). */
const P256DH_BYTES = 65;
const AUTH_BYTES = 16;

function row({ id, agent, created_at, session }: PushBrowser, { root, sessionHash, lang }: Visitor): Html {
  const text = NOTIFICATIONS[lang];
  const device = deviceName(agent, SESSIONS[lang].device);
  const label = fill(text.removeOne, { device });
  return html`<tr><th scope="row" class="agent" title="${agent}">${nameText(device, lang)}${
    session.equals(sessionHash) && html` <span class="note">${SESSIONS[lang].current}</span>`
  }</th><td>${dateTime(created_at)}</td>
<td>${postButton(`${root}account/notifications/${id}/remove`, text.remove, { kind: 'plain', label })}</td></tr>`;
}

function browsersPart(browsers: readonly PushBrowser[], visitor: Visitor): Html {
  const text = NOTIFICATIONS[visitor.lang];
  if (browsers.length === 0) return html`<p>${text.none}</p>`;
  return scrollTable({
    label: text.browsers,
    head: [...heads(text.columns), html`<td></td>`],
    rows: browsers.map((one) => row(one, visitor)),
  });
}

const show = memberPage({
  method: 'GET',
  path: PATH,
  permission: 'personal',
  summary: 'The browsers that notify the member',
  query: doneQuery,
  handler: async (member, { query }, { pool }) => {
    const { lang, root } = member;
    const text = NOTIFICATIONS[lang];
    const browsers = await listBrowsers(pool, member.memberId);
    return member.page({
      title: text.title,
      done: doneText(text.done, query.done),
      body: html`<p>${text.intro(html`<a href="${root}account/calendar">${text.favourites}</a>`)}</p>
<section class="panel"><h2>${text.thisBrowser}</h2>
<div data-notify="">${text.needsScript}</div></section>
<section class="panel"><h2>${text.browsers}</h2>
${browsersPart(browsers, member)}
<p class="note">${fill(text.count, { count: browsers.length, most: MAX_BROWSERS })}</p></section>`,
    });
  },
});

const remove = memberPage({
  method: 'POST',
  path: `${PATH}/{id}/remove`,
  permission: 'personal',
  summary: 'Remove a browser',
  params: idParams,
  handler: async (member, input, deps) => {
    const { id } = input.params;
    if (!(await removeBrowser(deps, member, { id }, toActor(input))))
      throw new Problem('not_found', `There is no browser ${id}.`);
    return redirect(input, `${PATH}?done=removed`);
  },
});

/** Fields that the routes for the script share. */
const common = {
  tag: 'Pages',
  undocumented: true,
  access: 'member',
  permission: 'personal',
  cost: 0,
  cache: 'no-store',
  perAddress: { requests: 60, seconds: 60 },
} as const;
const memberReply = z.strictObject({ member: z.int() });

const key = route({
  ...common,
  method: 'GET',
  path: `${PATH}/key`,
  summary: 'The public key with which a browser subscribes',
  response: memberReply.extend({ key: z.string() }),
  handler: async ({ principal }, { pool, clock, config: { secretKeys } }) => {
    const { memberId } = principal as MemberPrincipal;
    return { body: { member: memberId, key: await readPublicKey({ pool, clock, secretKeys }) } };
  },
});

/** Returns whether the text is a point on the curve P-256. */
function isPublicKey(text: string): boolean {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== P256DH_BYTES || bytes[0] !== 4) return false;
  try {
    ECDH.convertKey(bytes, 'prime256v1');
    return true;
  } catch {
    return false;
  }
}

/** @throws {Problem} invalid_parameter */
function readAddress(form: URLSearchParams | null, { guard }: Pick<PortalDeps, 'guard'>) {
  const text = (name: string) => readText(form, name);
  const address: PushAddress = {
    endpoint: text('endpoint'),
    keys: { p256dh: text('p256dh'), auth: text('auth') },
  };
  if (!isPublicKey(address.keys.p256dh))
    throw invalidParameter('p256dh', 'invalid_value', `must be a public key of ${P256DH_BYTES} bytes in base64url`);
  if (Buffer.from(address.keys.auth, 'base64url').length !== AUTH_BYTES)
    throw invalidParameter('auth', 'invalid_value', `must be ${AUTH_BYTES} bytes in base64url`);
  try {
    return { address, service: pushService(address.endpoint, guard) };
  } catch (error) {
    if (error instanceof AddressRefused) throw invalidParameter('endpoint', error.code, error.message);
    throw error;
  }
}

/** @throws {Problem} conflict if somebody else has signed in since the script has read who it is */
function checkMember(form: URLSearchParams | null, memberId: number): void {
  const meant = form?.get('member');
  if (meant != null && meant !== String(memberId))
    throw new Problem('conflict', 'Another member has signed in since: turn notifications on again.');
}

const readLang = (form: URLSearchParams | null): Lang => (form?.get('lang') === 'ru' ? 'ru' : 'en');

const answer = (memberId: number): Reply => ({ body: { member: memberId } });

const add = route({
  ...common,
  method: 'POST',
  path: `${PATH}/browsers`,
  summary: 'Add this browser, or a new address of it',
  form: true,
  response: memberReply,
  handler: async (input, deps) => {
    const { form, headers } = input;
    const member = input.principal as MemberPrincipal;
    checkMember(form, member.memberId);
    const { address, service } = readAddress(form, deps);
    const added = { address, service, lang: readLang(form), agent: headers['user-agent'] ?? '' };
    const former = readText(form, 'former');
    if (former !== '') await removeBrowser(deps, member, { endpoint: former }, toActor(input));
    await addBrowser(deps, member, added, toActor(input));
    return answer(member.memberId);
  },
});

const renew = route({
  ...common,
  method: 'POST',
  path: `${PATH}/renew`,
  summary: 'Ask whether this browser is still in the list',
  form: true,
  response: memberReply.extend({
    /** False if it was removed, for example on another device. */
    listed: z.boolean(),
  }),
  handler: async ({ form, principal }, { pool }) => {
    const member = principal as MemberPrincipal;
    checkMember(form, member.memberId);
    const listed = await renewBrowser(pool, member, readText(form, 'endpoint'), readLang(form));
    return { body: { member: member.memberId, listed } };
  },
});

const forget = route({
  ...common,
  method: 'POST',
  path: `${PATH}/forget`,
  summary: 'Remove this browser',
  form: true,
  response: memberReply,
  handler: async (input, deps) => {
    const member = input.principal as MemberPrincipal;
    await removeBrowser(deps, member, { endpoint: readText(input.form, 'endpoint') }, toActor(input));
    return answer(member.memberId);
  },
});

export const notificationPages: RouteValue<PortalDeps>[] = [show, remove, key, add, renew, forget];
