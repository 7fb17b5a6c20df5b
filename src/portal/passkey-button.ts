/** The button that makes or uses a passkey. The script (passkey.js) shows it, puts the answer into the form, and sends the form. */
import type { Lang } from '../http/index.ts';
import { hidden } from '../site/forms/fields.ts';
import { type Html, html } from '../site/html.ts';
import { PASSKEYS } from '../site/texts/index.ts';

/** Paths, relative to the root, at which the script asks for a challenge. */
export const CHALLENGES = {
  signIn: 'account/passkey/challenge',
  code: 'account/code/challenge',
  confirm: 'account/confirm/challenge',
  add: 'account/security/passkeys/challenge',
} as const;

interface PasskeyButton {
  challenge: keyof typeof CHALLENGES;
  label: string;
  root: string;
  lang: Lang;
  /** Form field for the answer. */
  field?: string;
  /** True if the button stands first in its form. */
  isMain?: boolean;
}

/** Stands in a form. A browser without scripts or passkeys shows nothing or, with `isMain`, why not. */
export function passkeyButton({
  challenge,
  label,
  root,
  lang,
  field = 'passkey',
  isMain = false,
}: PasskeyButton): Html {
  const text = PASSKEYS[lang];
  const kind = !isMain && html` class="plain"`;
  return html`${hidden(field, '')}<p class="passkey"><button type="button"${kind} hidden
 data-passkey="${root}${CHALLENGES[challenge]}" data-field="${field}" data-failed="${text.failed}"
 data-exists="${text.exists}" data-unavailable="${text.unavailable}"${
   isMain && html` data-unsupported="${text.unsupported}"`
 }>${label}</button>${isMain && html`<noscript>${text.needsScript}</noscript>`}
<span class="problem" role="alert" hidden></span></p>`;
}
