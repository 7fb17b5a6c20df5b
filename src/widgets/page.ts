/**
 * The document around a widget. Its content security policy lets other sites frame it. It loads one script, but is
 * complete without it.
 */
import type { Lang, Reply } from '../http/index.ts';
import { type Html, html } from '../site/html.ts';
import { htmlDocument } from '../site/html-document.ts';
import { TEXTS } from '../site/texts/index.ts';
import { WIDGET_SECONDS } from './refresh-interval.ts';

export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Options that every widget has. */
export interface WidgetOptions {
  theme: Theme;
  /** Whether the heading is visible. If it is not, only screen readers read it. */
  title: boolean;
  lang: Lang;
  /** True if names link to pages. They do if the installation's pages are public. */
  hasPages: boolean;
}

interface Widget extends Pick<WidgetOptions, 'lang' | 'theme'> {
  heading: { text: Html | string; title?: string; note?: string | undefined; hidden: boolean };
  body: Html;
  /** Seconds after which the script fetches the widget again; 0 for never. */
  refresh: number;
}

/**
 * Returns the content security policy.
 * @param ancestors sources for frame-ancestors
 */
export const policy = (ancestors: string) =>
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
  `frame-ancestors ${ancestors}`;

/** How long shared caches may store a widget during a match, in seconds. It is short, so that readers see news within 30 s. */
export const LIVE_CACHE_SECONDS = 5;

export function widgetPage({ lang, theme, heading, body, refresh }: Widget): string {
  const { text, note, hidden } = heading;
  return htmlDocument({
    lang,
    theme,
    title: heading.title ?? (typeof text === 'string' ? text : ''),
    meta: html`<meta name="robots" content="noindex">`,
    links: html`<link rel="stylesheet" href="../assets/widget.css">
<script src="../assets/widget.js" defer></script>`,
    data: { refresh },
    body: html`<main>
<div id="parts">
<h1${hidden && html` class="hidden"`}>${text}${note && html` <span class="note">${note}</span>`}</h1>
${body}
</div>
<p id="stale" class="note" role="status" hidden>${TEXTS[lang].widgets.stale}</p>
</main>`,
  });
}

/**
 * @param reply a page
 * @param seconds how long shared caches may store the page
 */
export const framed = (reply: Reply, ancestors: string, seconds = WIDGET_SECONDS): Reply => ({
  ...reply,
  headers: {
    'Content-Security-Policy': policy(ancestors),
    'Cache-Control': `public, max-age=${seconds}`,
  },
});

/**
 * Returns a link that opens a page in a new tab, because in the frame it would replace the widget. If the installation's pages are not
 * public, returns the text without a link.
 * @param path relative to the root
 */
export const pageLink = (path: string, content: Html | string, { hasPages }: Pick<WidgetOptions, 'hasPages'>): Html =>
  hasPages ? html`<a href="../${path}" target="_blank" rel="noopener">${content}</a>` : html`${content}`;
