/** The guide pages, at /docs/guides. */
import type { AccountConfig } from '../accounts/config.ts';
import type { Plan } from '../accounts/plans/index.ts';
import { type Html, html } from '../site/html.ts';
import { document } from '../site/layout.ts';

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
<aside><nav aria-label="Guides">${links}</nav></aside>
<article>
<h1>${title}</h1>
<p class="lead">${summary}</p>
${body(input)}
<p class="note">${next && html`Next: <a href="${next.name}">${next.title}</a>. `}Everything in detail:
<a href="${ROOT}docs">the reference</a>.</p>
</article>
</div>`,
  });
}

export const indexPage = (all: readonly Guide[]): string =>
  document({
    lang: 'en',
    title: 'Guides · Touchline',
    root: '../',
    styles: ['guides.css'],
    body: html`<div class="guide index">
<article>
<h1>Guides</h1>
<ul class="index">${all.map(
      ({ name, title, summary }) =>
        html`<li class="panel"><h2><a href="guides/${name}">${title}</a></h2><p>${summary}</p></li>
`,
    )}</ul>
<p>Besides them: <a href="../docs">the reference</a> of every request with examples, <a href="../docs/leagues.html">the leagues</a> and how
much is known of each.</p>
</article>
</div>`,
  });
