/** The guide pages, at /docs/guides. */
import type { AccountConfig } from '../accounts/config.ts';
import type { Plan } from '../accounts/plans/index.ts';
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
}

export interface Guide {
  /** Last path segment. */
  name: string;
  title: string;
  summary: string;
  body(input: GuideInput): Html;
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

export function guidePage(guide: Guide, all: readonly Guide[], input: GuideInput): string {
  const { title, summary, body, name } = guide;
  const links = all.map(
    (one) => html`<a href="${one.name}"${one.name === name && html` aria-current="page"`}>${one.title}</a>
`,
  );
  const next = all[all.indexOf(guide) + 1];
  return document({
    lang: 'en',
    title: `${title} · Touchline`,
    root: ROOT,
    styles: ['guides.css'],
    body: html`<div class="guide">
<aside><nav aria-label="${GUIDES.title}">${links}</nav></aside>
<article>
<h1>${title}</h1>
<p class="lead">${summary}</p>
${body(input)}
<p class="note">${next && GUIDES.next(next.name, next.title)}${GUIDES.reference(`${ROOT}docs`)}</p>
</article>
</div>`,
  });
}

export const indexPage = (all: readonly Guide[]): string =>
  document({
    lang: 'en',
    title: `${GUIDES.title} · Touchline`,
    root: '../',
    styles: ['guides.css'],
    body: html`<div class="guide index">
<article>
<h1>${GUIDES.title}</h1>
<ul class="index">${all.map(
      ({ name, title, summary }) =>
        html`<li class="panel"><h2><a href="guides/${name}">${title}</a></h2><p>${summary}</p></li>
`,
    )}</ul>
<p>${GUIDES.besides}</p>
</article>
</div>`,
  });
