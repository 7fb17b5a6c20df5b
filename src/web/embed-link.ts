/** The link from a part of a page to the guide that builds the same part as a widget. */
import type { Lang } from '../http/index.ts';
import { type Html, html } from '../site/html.ts';
import { TEXTS } from '../site/texts/index.ts';

/** @param subject path of the tournament, team or match; empty for matches in progress */
export function embedLink(
  widget: 'standings' | 'fixtures' | 'live' | 'match',
  subject: string,
  { lang, root }: { lang: Lang; root: string },
): Html {
  const query = new URLSearchParams({ widget, subject, title: '1' });
  const address = `${root}docs/guides/widgets?${query}#result`;
  return html`<p class="note"><a href="${address}" rel="nofollow">${TEXTS[lang].pages.embed}</a></p>`;
}
