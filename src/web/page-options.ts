/** A page's options from the request, and the tags that search engines and chats read. */
import type { Lang } from '../http/index.ts';
import { type Html, html } from '../site/html.ts';

export interface PageOptions {
  lang: Lang;
  /** Relative URL of the service's root. */
  root: string;
  /** The service's public address, without a trailing slash. */
  baseUrl: string;
  /** The service's time, ms since 1970. */
  now: number;
}

/** For pages that divide matches into months. */
export interface ZonedOptions extends PageOptions {
  /** The reader's time zone: an IANA name. */
  zone: string;
}

interface Shared {
  /** Canonical path, relative to the root. It does not depend on the query, or on a former name in the address. */
  path: string;
  title: string;
  description?: string;
  /** Path of a picture of 1200 by 630 pixels. */
  picture?: string;
}

export const shareTags = ({ path, title, description, picture }: Shared, { baseUrl, lang }: PageOptions): Html => {
  const address = `${baseUrl}/${path}`;
  const join = path.includes('?') ? '&' : '?';
  return html`<link rel="canonical" href="${address}">
<link rel="alternate" hreflang="en" href="${address}${join}lang=en">
<link rel="alternate" hreflang="ru" href="${address}${join}lang=ru">
<meta property="og:site_name" content="Touchline">
<meta property="og:type" content="website">
<meta property="og:url" content="${address}">
<meta property="og:title" content="${title}">
<meta property="og:locale" content="${lang === 'ru' ? 'ru_RU' : 'en_GB'}">
${
  description &&
  html`<meta name="description" content="${description}">
<meta property="og:description" content="${description}">`
}
${
  picture &&
  html`<meta property="og:image" content="${baseUrl}/${picture}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta name="twitter:card" content="summary_large_image">`
}`;
};
