/** The guide pages, at /docs/guides. */
import type { AccountConfig } from '../accounts/config.ts';
import type { Plan } from '../accounts/plans/index.ts';
import type { Lang } from '../http/index.ts';
import { type Html, html } from '../site/html.ts';
import { document } from '../site/layout.ts';
import { GUIDES } from '../site/texts/index.ts';

export interface GuideInput {
  /** The service's public address, without a trailing slash. */
  baseUrl: string;
  signUp: AccountConfig['signUp'];
  /** The offered plans, smallest first. */
  plans: readonly Plan[];
  contactUrl: AccountConfig['contactUrl'];
  lang: Lang;
}

export interface Guide {
  /** Last path segment. */
  name: string;
  text(lang: Lang): { title: string; summary: string };
  body(input: GuideInput): Html;
  /** True for a guide with a form, whose fields have a style sheet of their own. */
  hasForm?: boolean;
}

/** Escapes an address for single quotes. */
export const quotable = (address: string): string => address.replaceAll("'", '%27');

/** A list of sentences. */
export const bullets = (points: readonly (Html | string)[]): Html => html`<ul>
${points.map(
  (point) => html`<li>${point}</li>
`,
)}</ul>`;

/** Relative addresses, so that the pages also work if BASE_URL has a path. */
const ROOT = '../../';

/** @param query the page's query without the language */
export function guidePage(guide: Guide, all: readonly Guide[], input: GuideInput, query = ''): string {
  const { lang } = input;
  const { name, body } = guide;
  const { title, summary } = guide.text(lang);
  const links = all.map(
    (one) => html`<a href="${one.name}"${one.name === name && html` aria-current="page"`}>${one.text(lang).title}</a>
`,
  );
  const next = all[all.indexOf(guide) + 1];
  return document({
    lang,
    title: `${title} · Touchline`,
    root: ROOT,
    query,
    styles: guide.hasForm ? ['guides.css', 'account.css'] : ['guides.css'],
    body: html`<div class="guide">
<aside><nav aria-label="${GUIDES[lang].title}">${links}</nav></aside>
<article>
<h1>${title}</h1>
<p class="lead">${summary}</p>
${body(input)}
<p class="note">${next && GUIDES[lang].next(next.name, next.text(lang).title)}${GUIDES[lang].reference(`${ROOT}docs`)}</p>
</article>
</div>`,
  });
}

export const indexPage = (all: readonly Guide[], lang: Lang): string =>
  document({
    lang,
    title: `${GUIDES[lang].title} · Touchline`,
    root: '../',
    query: '',
    styles: ['guides.css'],
    body: html`<div class="guide index">
<article>
<h1>${GUIDES[lang].title}</h1>
<ul class="index">${all.map((guide) => {
      const { title, summary } = guide.text(lang);
      return html`<li class="panel"><h2><a href="guides/${guide.name}">${title}</a></h2><p>${summary}</p></li>
`;
    })}</ul>
<p>${GUIDES[lang].besides}</p>
</article>
</div>`,
  });
