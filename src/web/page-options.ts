/** What a page needs to know of the request. */
import type { Lang } from '../http/route.ts';
import { type Html, html } from '../site/html.ts';

export interface PageOptions {
  lang: Lang;
  /** Relative URL of the root of the service. */
  root: string;
  /** Public address of the service, without a trailing slash. */
  baseUrl: string;
  /** Time of the service, ms since 1970. */
  now: number;
}

/** Address that search engines keep, whatever query or former name leads here. */
export const canonical = (path: string, { baseUrl }: PageOptions): Html =>
  html`<link rel="canonical" href="${baseUrl}/${path}">
<link rel="alternate" hreflang="en" href="${baseUrl}/${path}?lang=en">
<link rel="alternate" hreflang="ru" href="${baseUrl}/${path}?lang=ru">`;
