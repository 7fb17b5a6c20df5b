import { type ListedSession, MAX_LISTED_SESSIONS } from '../accounts/credentials/index.ts';
import { deviceName } from '../accounts/members/index.ts';
import type { Lang } from '../http/index.ts';
import { dateTime, heads, nameText, scrollTable } from '../site/components/index.ts';
import { postButton } from '../site/forms/fields.ts';
import { type Html, html } from '../site/html.ts';
import { fill, SESSIONS } from '../site/texts/index.ts';

interface Shown {
  /** This browser's session hash. */
  current: Buffer;
  /** Returns the path to which the form that ends a session is sent. */
  endPath(session: ListedSession): string;
  /** Extra first column. */
  account?: ((session: ListedSession) => Html) | undefined;
}

function row(session: ListedSession, { current, endPath, account }: Shown, lang: Lang): Html {
  const device = deviceName(session.agent, SESSIONS[lang].device);
  return html`<tr>
${account && html`<td class="email">${account(session)}</td>`}
<th scope="row" class="agent" title="${session.agent}">${nameText(device, lang)}${
    session.hash.equals(current) && html` <span class="note">${SESSIONS[lang].current}</span>`
  }</th>
<td>${session.address}</td><td>${dateTime(session.created_at)}</td><td>${dateTime(session.seen_at)}</td>
<td>${postButton(endPath(session), SESSIONS[lang].end, { kind: 'plain', label: fill(SESSIONS[lang].endOne, { device }) })}</td>
</tr>`;
}

/** Session table. Each row has a button that ends the session. */
export function sessionTable(sessions: readonly ListedSession[], shown: Shown, lang: Lang): Html {
  if (sessions.length === 0) return html`<p>${SESSIONS[lang].none}</p>`;
  const titles = [...(shown.account ? [SESSIONS[lang].account] : []), ...SESSIONS[lang].columns];
  return scrollTable({
    label: SESSIONS[lang].title,
    head: [...heads(titles), html`<td></td>`],
    rows: sessions.map((session) => row(session, shown, lang)),
  });
}

/** @param sessions in table order */
export const moreSessions = (sessions: readonly unknown[], lang: Lang): Html | false =>
  sessions.length >= MAX_LISTED_SESSIONS &&
  html`<p class="note">${fill(SESSIONS[lang].more, { count: MAX_LISTED_SESSIONS })}</p>`;
