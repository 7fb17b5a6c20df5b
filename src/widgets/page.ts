/** Document around a widget: without scripts, and with a policy that lets other sites frame it. */
import type { Problem } from '../http/errors.ts';
import type { Lang, Reply } from '../http/route.ts';
import { type Html, html } from '../site/html.ts';
import { htmlDocument } from '../site/html-document.ts';
import { TEXTS } from '../site/texts/texts.ts';

export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export interface Widget {
  lang: Lang;
  theme: Theme;
  /** Shown above the widget; with `hidden` only screen readers get it. */
  heading: { text: string; note?: string | undefined; hidden: boolean };
  body: Html;
}

/** @param ancestors sources for frame-ancestors */
const policy = (ancestors: string) =>
  `default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ${ancestors}`;

/** Seconds. All visitors see the same, so shared caches may store it. */
export const WIDGET_SECONDS = 60;

export function widgetPage({ lang, theme, heading, body }: Widget): string {
  return htmlDocument({
    lang,
    theme,
    title: heading.text,
    meta: html`<meta name="robots" content="noindex">`,
    links: html`<link rel="stylesheet" href="../assets/widget.css">`,
    body: html`<main>
<h1${heading.hidden && html` class="hidden"`}>${heading.text}${heading.note && html` <span class="note">${heading.note}</span>`}</h1>
${body}
</main>`,
  });
}

/** @param reply a page */
export const framed = (reply: Reply, ancestors: string): Reply => ({
  ...reply,
  headers: {
    'Content-Security-Policy': policy(ancestors),
    'Cache-Control': `public, max-age=${WIDGET_SECONDS}`,
  },
});

/** Renders an error with the same look, without repeating the request's values. */
export function problemPage({ status }: Problem, querystring: string): Pick<Reply, 'body' | 'headers'> {
  const sent = new URLSearchParams(querystring);
  const lang = sent.get('lang') === 'en' ? 'en' : 'ru';
  const { errors } = TEXTS[lang].widgets;
  const [text, advice] = errors[(status === 400 ? 422 : status) as 404] ?? errors.other;
  const page = widgetPage({
    lang,
    theme: sent.get('theme') === 'dark' ? 'dark' : 'light',
    heading: { text: text!, hidden: false },
    body: html`<p class="note">${advice}</p>`,
  });
  // Any site may frame an error, which has no data.
  return { body: page, headers: { 'Content-Security-Policy': policy('*'), 'Content-Language': lang } };
}
