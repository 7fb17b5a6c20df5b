/** The part of the security page with a member's passkeys. */
import { type ListedPasskey, MAX_PASSKEYS, passkeySite } from '../accounts/credentials/index.ts';
import { utcTime } from '../site/components/index.ts';
import { field } from '../site/forms/fields.ts';
import { type Html, html } from '../site/html.ts';
import { fill, PASSKEYS } from '../site/texts/index.ts';
import { confirmation } from './confirmation.ts';
import { passkeyButton } from './passkey-button.ts';
import type { Visitor } from './visit.ts';

interface PasskeyPanel {
  passkeys: readonly ListedPasskey[];
  /** Whether an app shows codes for the member. */
  hasCodeApp: boolean;
  baseUrl: string;
  /** Name that the member has typed already. */
  name?: string;
}

function item(
  { id, name, rp_id, created_at, used_at }: ListedPasskey,
  rpId: string,
  isLast: boolean,
  { root, lang }: Visitor,
): Html {
  const text = PASSKEYS[lang];
  const question = [fill(text.removeQuestion, { name }), isLast && text.removeLast].filter(Boolean).join(' ');
  const site = rp_id !== rpId && html` <span class="note">${fill(text.otherSite, { site: rp_id })}</span>`;
  const used = used_at === null ? text.never : html`${text.lastUsed} ${utcTime(used_at)}`;
  return html`<li><p><strong>${name}</strong>${site}<br>
<span class="note">${text.added} ${utcTime(created_at)} · ${used}</span></p>
<details class="confirmation"><summary>${text.rename}</summary>
<form method="post" action="${root}account/security/passkeys/${id}">
${field({ name: 'name', id: `name-${id}`, label: text.newName, value: name, required: true, maxlength: 100 })}
<button aria-label="${fill(text.renameOne, { name })}">${text.rename}</button></form></details>
${confirmation(text.remove, {
  action: `${root}account/security/passkeys/${id}/remove`,
  question,
  form: html`<button class="danger" aria-label="${fill(text.removeOne, { name })}">${text.remove}</button>`,
})}</li>`;
}

export function passkeyPanel({ passkeys, hasCodeApp, baseUrl, name = '' }: PasskeyPanel, visitor: Visitor): Html {
  const { root, lang } = visitor;
  const text = PASSKEYS[lang];
  const { rpId } = passkeySite(baseUrl);
  const isLast = passkeys.length === 1 && !hasCodeApp;
  return html`<section class="panel"><h2>${text.title}</h2><p>${text.intro}</p>
${
  passkeys.length === 0
    ? html`<p>${text.none}</p>`
    : html`<ul class="passkeys">${passkeys.map((one) => item(one, rpId, isLast, visitor))}</ul>
<p class="note">${fill(text.count, { count: passkeys.length, most: MAX_PASSKEYS })}</p>`
}
${
  passkeys.length >= MAX_PASSKEYS
    ? html`<p>${text.full}</p>`
    : html`<form method="post" action="${root}account/security/passkeys">
${field({ name: 'name', label: text.name, value: name, maxlength: 100, hint: text.nameHint })}
${passkeyButton({ challenge: 'add', label: text.add, root, lang, isMain: true })}
</form>`
}</section>`;
}
