/** A link that adds a team's or tournament's matches to the reader's calendar. */
import { calendarAddress } from '../site/calendar-address.ts';
import { type Html, html } from '../site/html.ts';
import { TEXTS } from '../site/texts/index.ts';
import type { CalendarKind } from '../wire/calendar.ts';
import type { WebDeps } from './deps.ts';
import type { PageOptions } from './page-options.ts';
import { isPublic } from './site-access.ts';

/** Returns the link. If the site is not public, a calendar needs a member's token, which is only on the account page. */
export function subscribeButton(
  { config }: Pick<WebDeps, 'config'>,
  kind: CalendarKind,
  id: number,
  { baseUrl, lang, root }: PageOptions,
): Html {
  const text = TEXTS[lang].catalogue;
  if (!isPublic(config)) return html`<p class="subscribe"><a href="${root}account/calendar">${text.subscribe}</a></p>`;
  const { web, webcal } = calendarAddress(baseUrl, kind, id, lang);
  return html`<p class="subscribe"><a class="button" href="${webcal}">${text.subscribe}</a> <a href="${web}">.ics</a></p>`;
}
