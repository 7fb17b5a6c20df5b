/** A member's sessions. The page lists them, and ends one of them, all except the current one, or all. */

import { type ListedSession, sessionCookie } from '../accounts/credentials/index.ts';
import { toActor } from '../accounts/index.ts';
import { endOneSession, endOwnSessions } from '../accounts/members/index.ts';
import { idParams, type RouteValue } from '../http/index.ts';
import { postButton } from '../site/forms/fields.ts';
import { type Html, html } from '../site/html.ts';
import { SESSIONS } from '../site/texts/index.ts';
import type { PortalDeps } from './deps.ts';
import { moreSessions, sessionTable } from './session-table.ts';
import { isSecure, memberPage, redirect, type Visitor } from './visit.ts';

const PATH = '/account/security/sessions';

/** Section of the security page. */
export function sessionPanel(sessions: readonly ListedSession[], { root, sessionHash, lang }: Visitor): Html {
  const path = `${root}${PATH.slice(1)}`;
  return html`<section class="panel"><h2>${SESSIONS[lang].title}</h2>
${sessionTable(sessions, { current: sessionHash, endPath: ({ id }) => `${path}/${id}/end` }, lang)}
${moreSessions(sessions, lang)}
<p class="note">${SESSIONS[lang].endNote}</p>
<div class="actions">
${postButton(`${path}/end-others`, SESSIONS[lang].endOthers)}
${postButton(`${root}account/security/sign-out`, SESSIONS[lang].endAll, { kind: 'plain' })}
</div></section>`;
}

const end = memberPage({
  method: 'POST',
  path: `${PATH}/{id}/end`,
  permission: 'personal',
  needsRecentSignIn: true,
  summary: 'End a session',
  params: idParams,
  handler: async ({ memberId, sessionHash }, input, deps) => {
    const ended = await endOneSession(deps, { memberId }, input.params.id, toActor(input));
    if (!ended.equals(sessionHash)) return redirect(input, '/account/security?done=session-ended');
    return redirect(input, '/account/sign-in?done=signed-out', [sessionCookie(null, isSecure(input))]);
  },
});

const endOthers = memberPage({
  method: 'POST',
  path: `${PATH}/end-others`,
  permission: 'personal',
  needsRecentSignIn: true,
  summary: 'End all sessions except this one',
  handler: async (member, input, deps) => {
    await endOwnSessions(deps, member, 'others', toActor(input));
    return redirect(input, '/account/security?done=others-ended');
  },
});

const signOutEverywhere = memberPage({
  method: 'POST',
  path: '/account/security/sign-out',
  permission: 'personal',
  needsRecentSignIn: true,
  summary: 'End all sessions',
  handler: async (member, input, deps) => {
    await endOwnSessions(deps, member, 'all', toActor(input));
    return redirect(input, '/account/sign-in?done=signed-out-everywhere', [sessionCookie(null, isSecure(input))]);
  },
});

export const sessionPages: RouteValue<PortalDeps>[] = [end, endOthers, signOutEverywhere];
