/** Layout of every page. URLs are relative, so that pages also work if BASE_URL has a path. */
import type { Lang } from '../http/index.ts';
import { withoutSecrets } from '../wire/secret-formats.ts';
import { wireTime } from '../wire/time.ts';
import { nameText } from './components/english.ts';
import { type Html, html } from './html.ts';
import { htmlDocument } from './html-document.ts';
import { THEMES } from './reader-choices.ts';
import { SETTINGS } from './texts/settings.ts';
import { TEXTS } from './texts/texts.ts';

export interface Page {
  lang: Lang;
  title: string;
  /** Relative URL of the root: `` or `../`. */
  root: string;
  /** Script to load as a module. A page without a script has no live updates. */
  script?: 'home.js' | 'match.js';
  /** This page's query without `lang`. The language switch keeps the query. Absent on pages in only one language. */
  query?: string;
  /** True for a page to which a one-time link leads. The language switch keeps the link's token. */
  isLink?: boolean;
  /** Text in the search box. */
  searched?: string;
  /** Style sheets in assets/, in addition to site.css. */
  styles?: readonly (
    | 'home.css'
    | 'guides.css'
    | 'match.css'
    | 'analytics.css'
    | 'coverage.css'
    | 'leagues.css'
    | 'meetings.css'
    | 'account.css'
    | 'models.css'
    | 'tables.css'
    | 'catalogue.css'
  )[];
  /** Values for the script, as data-… attributes. */
  data?: Record<string, string | number>;
  /** The service's clock, for pages whose content depends on the time. If the clock is set to a fixed time, the page says so. */
  clock?: { now(): number; readonly isSet?: boolean };
  /** More tags for the head. */
  head?: Html;
  body: Html;
}

const OTHER: Record<Lang, { lang: Lang; name: string }> = {
  en: { lang: 'ru', name: 'Русский' },
  ru: { lang: 'en', name: 'English' },
};

/** Link to this page in the other language. */
function languageSwitch(lang: Lang, query: string, isLink: boolean): Html {
  const other = OTHER[lang];
  const kept = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(query))
    kept.append(withoutSecrets(name), isLink && name === 'token' ? value : withoutSecrets(value));
  kept.set('lang', other.lang);
  return html`<a class="language" href="?${kept.toString()}" lang="${other.lang}" hreflang="${other.lang}"
 rel="nofollow">${other.name}</a>`;
}

/** Search box. It works without a script; the site's script adds suggestions while the reader types. */
const searchBox = (lang: Lang, root: string, searched = ''): Html => {
  const text = TEXTS[lang].pages;
  return html`<form class="search" action="${root}search" method="get" role="search" aria-label="${text.search}">
<input type="search" name="q" value="${searched}" maxlength="80" placeholder="${text.search}" aria-label="${text.search}"
 autocomplete="off"><button>${text.find}</button>
</form>`;
};

const icon = (path: string): Html => html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`;
/** Pictures in the menu, which only phones show. */
const ICONS = {
  matches: icon('M4 4h16v16H4zM12 4v16M4 12h4M16 12h4'),
  leagues: icon('M8 4h8v6a4 4 0 0 1-8 0zM8 6H4a4 4 0 0 0 4 4M16 6h4a4 4 0 0 1-4 4M12 14v6M8 20h8'),
  rankings: icon('M5 20v-8M12 20V4M19 20v-5'),
  settings: icon('M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4'),
  account: icon('M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 21a8 8 0 0 1 16 0'),
};

/**
 * Theme and time zone. The links say from which page the reader comes, so that they can lead back. reader-choices.ts marks
 * the chosen theme, and names the chosen zone.
 */
function settingsMenu(lang: Lang, root: string): Html {
  const text = SETTINGS[lang];
  const theme = (['auto', ...THEMES] as const).map(
    (
      one,
    ) => html`<a href="${root}settings/theme?choose=${one}" data-choose="${one}"${one === 'auto' && html` aria-current="true"`}
 rel="nofollow" referrerpolicy="same-origin">${text.themes[one]}</a>`,
  );
  return html`<details class="settings"><summary aria-label="${text.title}">${ICONS.settings}</summary>
<div><p>${text.theme}</p><p class="themes">${theme}</p>
<a href="${root}settings" rel="nofollow" referrerpolicy="same-origin">${text.zone}:
<span lang="en" data-zone-name>UTC</span></a></div></details>`;
}

export function document(page: Page): string {
  const {
    lang,
    title,
    root,
    script,
    query,
    isLink = false,
    searched,
    styles = [],
    data = {},
    clock,
    head,
    body,
  } = page;
  const text = TEXTS[lang].pages;
  const attributes = { root, goal: text.goal, ...data };
  return htmlDocument({
    lang,
    title,
    meta: html`<meta name="color-scheme" content="light dark">`,
    links: html`<link rel="icon" type="image/svg+xml" href="${root}assets/icon.svg">
<link rel="apple-touch-icon" href="${root}app/icon-180.png">
<link rel="manifest" href="${root}app/manifest.webmanifest?lang=${lang}">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#ffffff">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#151d19">
<link rel="stylesheet" href="${root}assets/site.css">
${styles.map((style) => html`<link rel="stylesheet" href="${root}assets/${style}">`)}
${head}
${query !== undefined && html`<script type="module" src="${root}assets/site.js"></script>`}
${script && html`<script type="module" src="${root}assets/${script}"></script>`}`,
    data: attributes,
    body: html`<a class="skip" href="#content">${text.skip}</a>
<header class="bar"><div>
<a class="brand" href="${root || './'}" aria-label="Touchline"><svg viewBox="0 0 24 24" aria-hidden="true">
<path d="M3 4h18v16H3zM12 4v16M3 9h4v6H3M21 9h-4v6h4"/><circle cx="12" cy="12" r="3"/></svg><span>Touchline</span></a>
<nav class="sections" aria-label="Touchline">
<a href="${root || './'}">${ICONS.matches}${text.matches}</a>
<a href="${root}leagues">${ICONS.leagues}${text.leagues}</a>
<a href="${root}rankings">${ICONS.rankings}${text.rankings}</a>
<a class="for-developers" href="${root}docs">${text.docs}</a>
<a class="for-developers" href="${root}docs/guides">${text.guides}</a>
<a href="${root}account">${ICONS.account}${text.account}</a>
</nav>
${
  script &&
  html`<p id="connection" class="connection" role="status" data-state="connecting" data-connecting="${text.connecting}"
 data-open="${text.connected}" data-offline="${text.offline}" hidden>${text.connecting}</p>`
}
${query !== undefined && languageSwitch(lang, query, isLink)}
${settingsMenu(lang, root)}
${searchBox(lang, root, searched)}
</div></header>
<main id="content">
${clock?.isSet && html`<p class="note" id="clock">${text.clock} ${wireTime(clock.now()).slice(0, 16).replace('T', ' ')} UTC.</p>`}
${body}
${script && html`<noscript><p class="note">${text.noScript}</p></noscript><p id="announcement" class="hidden" aria-live="polite"></p>`}
</main>
<footer class="foot"><nav aria-label="${text.forDevelopers}"><a href="${root}docs">${text.docs}</a>
<a href="${root}docs/guides">${text.guides}</a></nav></footer>`,
  });
}

/** Placeholder for a part without content. The script replaces it as soon as the part has content. */
export const absent = (id: string): Html => html`<section id="${id}" hidden></section>`;

export interface Crumb {
  name: string;
  /** Absent for the current page. */
  path?: string;
}

/** Shows the path from the front page to this page. The last crumb is the page itself. */
export const breadcrumbs = (lang: Lang, root: string, crumbs: readonly Crumb[]): Html =>
  html`<nav class="crumbs" aria-label="${TEXTS[lang].pages.youAreHere}"><ol>
<li><a href="${root || './'}">${TEXTS[lang].pages.home}</a></li>${crumbs.map(({ name, path }) =>
    path === undefined
      ? html`<li aria-current="page">${nameText(name, lang)}</li>`
      : html`<li><a href="${root}${path}">${nameText(name, lang)}</a></li>`,
  )}</ol></nav>`;

/** Renders a page with a short message. @param message a sentence, or paragraphs */
export function notice(lang: Lang, root: string, title: string, message: string | Html): string {
  return document({
    lang,
    title,
    root,
    body: html`<section class="panel notice"><h1>${title}</h1>${typeof message === 'string' ? html`<p>${message}</p>` : message}</section>`,
  });
}
