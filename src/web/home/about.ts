/** Introduces the service. This is a strip above the front page's matches, or the whole page if visitors may not see matches. */
import type { AccountConfig } from '../../accounts/config.ts';
import type { Lang } from '../../http/index.ts';
import { type Html, html } from '../../site/html.ts';
import { document } from '../../site/layout.ts';
import { TEXTS } from '../../site/texts/index.ts';

type SignUp = AccountConfig['signUp'];

export const aboutStrip = (lang: Lang, signUp: SignUp): Html => html`<section class="about">
<h2>${TEXTS[lang].about.title}</h2>
<p>${TEXTS[lang].about.summary}</p>
${ways(lang, signUp)}
</section>`;

export function aboutPage(lang: Lang, signUp: SignUp): string {
  const text = TEXTS[lang].about;
  const body = html`<div class="about whole">
<h1>${text.title}</h1>
<p class="lead">${text.summary}</p>
${ways(lang, signUp)}
<dl class="features">${text.features.map(
    ({ name, what, guide }) =>
      html`<div class="panel"><dt><a href="docs${guide}">${name}</a></dt><dd>${what}</dd></div>`,
  )}</dl>
<p class="note">${text.closed}</p>
</div>`;
  return document({ lang, title: `Touchline: ${text.title}`, root: '', styles: ['home.css'], body });
}

/** Returns links to sign-up and documentation. Omits the link to a form that would refuse the visitor. */
function ways(lang: Lang, signUp: SignUp): Html {
  const text = TEXTS[lang].about;
  const label = signUp === 'invite' ? text.signUpInvited : text.signUp;
  return html`<p class="ways">${signUp !== 'off' && html`<a class="button" href="account/sign-up">${label}</a>`}
<a href="docs/guides/quick-start">${text.quickStart}</a>
<a href="docs">${text.reference}</a>
<a href="docs/leagues.html">${text.leagues}</a></p>
${signUp !== 'open' && html`<p class="note">${signUp === 'invite' ? text.invited : text.off}</p>`}`;
}
