/** Match rows and times in widgets. */

import type { Lang } from '../http/index.ts';
import { type Html, html } from '../site/html.ts';
import { TEXTS } from '../site/texts/index.ts';
import { nameOf, scoreText, shootOutResult, sideOf, statusText } from '../web/index.ts';
import type { MatchItem } from '../wire/match.ts';
import { pageLink, type WidgetOptions } from './page.ts';

export const SIDES = ['home', 'away'] as const;

/** Returns a time as text with "UTC", and with the year if it is not the current year. The script converts it to the reader's time zone. */
export function when(start: Date | string, timeTbd: boolean, lang: Lang, now: number): Html {
  const date = new Date(start);
  const iso = date.toISOString();
  const isThisYear = iso.slice(0, 4) === new Date(now).toISOString().slice(0, 4);
  const day = date.toLocaleDateString(lang, {
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
    timeZone: 'UTC',
  });
  const time = timeTbd ? TEXTS[lang].widgets.dayOnly : `${iso.slice(11, 16)} UTC`;
  return html`<time class="note" datetime="${timeTbd ? iso.slice(0, 10) : iso}">${day}, ${time}</time>`;
}

export const matchList = (matches: readonly Row[], options: RowOptions): Html =>
  html`<ul class="matches">${matches.map((match) => row(match, options))}</ul>`;

interface Row {
  item: MatchItem;
  /** Text below the teams: the round or the tournament. */
  note?: string | null;
}

interface RowOptions extends Pick<WidgetOptions, 'lang' | 'hasPages'> {
  /** ms since 1970 */
  now: number;
}

function row({ item, note }: Row, options: RowOptions): Html {
  const { lang, now } = options;
  const status = statusText(item, lang);
  const start = when(item.scheduled_start, item.time_tbd, lang, now);
  const more = [shootOutResult(item, lang), note].filter(Boolean).join(' · ');
  const isOver = status !== null && item.status !== 'live';
  const content = html`<span class="state">${status !== null && html`<b>${status}</b>`}${item.status !== 'live' && start}</span>
<span class="teams">${SIDES.map((side) => team(item, side, lang, isOver))}</span>
${more && html`<span class="more note">${more}</span>`}`;
  return html`<li data-match="${item.id}" data-status="${item.status}">${pageLink(`match/${item.id}`, content, options)}</li>`;
}

function team(item: MatchItem, side: (typeof SIDES)[number], lang: Lang, isOver: boolean): Html {
  const one = sideOf(item, side);
  const other = sideOf(item, side === 'home' ? 'away' : 'home');
  const hasWon = isOver && one.score !== null && other.score !== null && one.score > other.score;
  const name = hasWon ? html`<b>${nameOf(one, lang)}</b>` : nameOf(one, lang);
  const score = html`<span class="score" data-side="${side}">${scoreText(item, side, lang) ?? ''}</span>`;
  return html`<span class="team"><span class="name">${name}</span> ${score}</span>`;
}
