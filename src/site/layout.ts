/** Layout of every page. URLs are relative, so that pages also work under a path of BASE_URL. */
import type { Lang } from '../http/route.ts';
import { wireTime } from '../wire/time.ts';
import { type Html, html } from './html.ts';
import { htmlDocument } from './html-document.ts';
import { TEXTS } from './texts/texts.ts';

export interface Page {
  lang: Lang;
  title: string;
  /** Relative URL of the root: `` or `../`. */
  root: string;
  /** Script loaded as a module; a page without one has no live updates. */
  script?: 'home.js' | 'match.js';
  /** Files of assets/, in addition to site.css. */
  styles?: readonly (
    | 'home.css'
    | 'guides.css'
    | 'match.css'
    | 'analytics.css'
    | 'leagues.css'
    | 'account.css'
    | 'models.css'
  )[];
  /** For the script, as data-… attributes. */
  data?: Record<string, string | number>;
  /** Clock of the service, on pages whose content depends on the time: a clock that was set is named. */
  clock?: { now(): number; readonly isSet?: boolean };
  /** Further tags for the head. */
  head?: Html;
  body: Html;
}

export function document({ lang, title, root, script, styles = [], data = {}, clock, head, body }: Page): string {
  const text = TEXTS[lang].pages;
  const attributes = { root, goal: text.goal, ...data };
  return htmlDocument({
    lang,
    title,
    meta: html`<meta name="color-scheme" content="light dark">`,
    links: html`<link rel="icon" type="image/svg+xml" href="${root}assets/icon.svg">
<link rel="stylesheet" href="${root}assets/site.css">
${styles.map((style) => html`<link rel="stylesheet" href="${root}assets/${style}">`)}
${head}
${script && html`<script type="module" src="${root}assets/${script}"></script>`}`,
    data: attributes,
    body: html`<a class="skip" href="#content">${text.skip}</a>
<header class="bar">
<a class="brand" href="${root || './'}"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M3 4h18v16H3zM12 4v16M3 9h4v6H3M21 9h-4v6h4"/><circle cx="12" cy="12" r="3"/></svg>Touchline</a>
<nav aria-label="Touchline">
<a href="${root}docs">${text.docs}</a>
<a href="${root}docs/guides">${text.guides}</a>
<a href="${root}docs/leagues.html">${text.leagues}</a>
<a href="${root}v1/openapi.json">${text.openapi}</a>
<a href="${root}account">${text.account}</a>
</nav>
${
  script &&
  html`<p id="connection" class="connection" role="status" data-state="connecting" data-connecting="${text.connecting}" data-open="${text.connected}" data-offline="${text.offline}" hidden>${text.connecting}</p>`
}
</header>
<main id="content">
${clock?.isSet && html`<p class="note" id="clock">${text.clock} ${wireTime(clock.now()).slice(0, 16).replace('T', ' ')} UTC.</p>`}
${body}
${script && html`<noscript><p class="note">${text.noScript}</p></noscript><p id="announcement" class="hidden" aria-live="polite"></p>`}
</main>`,
  });
}

/** Placeholder for a part without content; the script replaces it as soon as the part has content. */
export const absent = (id: string): Html => html`<section id="${id}" hidden></section>`;

/** Renders a page with a short message. */
export function notice(lang: Lang, root: string, title: string, message: string): string {
  return document({
    lang,
    title,
    root,
    body: html`<section class="panel notice"><h1>${title}</h1><p>${message}</p></section>`,
  });
}
