/** Pre-match analytics on the match page. They are a forecast before the start; afterwards, they are shown with the result. */

import type { Lang } from '../../http/index.ts';
import { type Html, html } from '../../site/html.ts';
import { absent } from '../../site/layout.ts';
import { TEXTS } from '../../site/texts/index.ts';
import type { MatchView } from '../match-page/match-view.ts';
import { forecastPart } from './forecast.ts';
import { formPart } from './form-strip.ts';
import { meetingsPart } from './head-to-head.ts';
import type { PageCard, ReadCard } from './load-card.ts';
import { trendsPart } from './side-trends.ts';
import { standingPart } from './table-before-match.ts';

type Part = (card: PageCard, view: MatchView) => Html;

/** The note that explains the figures. A page without figures omits it. */
const disclaimerPart: Part = (card) =>
  card.model === null && card.rating === null && card.trends.length === 0
    ? absent('disclaimer')
    : html`<p id="disclaimer" class="note">${card.disclaimer}</p>`;

/** Parts by section id. */
const PARTS = {
  forecast: forecastPart,
  meetings: meetingsPart,
  form: formPart,
  standing: standingPart,
  trends: trendsPart,
  disclaimer: disclaimerPart,
} satisfies Record<string, Part>;

/**
 * Takes the place of a part whose analytics will come later. The script of all pages asks for it again.
 * @param reason `loading` while the match history is being loaded; `late` if the analytics store did not answer in time
 */
export const pendingPart = (id: string, title: string, reason: 'loading' | 'late', lang: Lang): Html =>
  html`<section id="${id}" class="panel" data-pending><h2>${title}</h2><p class="note">${TEXTS[lang].analytics[reason]}</p></section>`;

/** @param card null for a match without analytics */
export function analyticsPart(id: keyof typeof PARTS, card: ReadCard | null, view: MatchView): Html {
  if (card === null) return absent(id);
  if (typeof card !== 'string') return PARTS[id](card, view);
  const text = TEXTS[view.lang].analytics;
  if (id === 'forecast') return pendingPart(id, text.forecast, card, view.lang);
  if (id === 'meetings') return pendingPart(id, text.meetings, card, view.lang);
  return absent(id);
}

/** Says that neither earlier meetings nor recent matches of both sides are known. */
export function noAnalytics(card: ReadCard | null, { lang }: MatchView): Html {
  if (typeof card === 'string') return absent('none');
  const isEmpty =
    card === null || (card.h2h.matches === 0 && [card.home, card.away].every(({ form }) => form.overall.matches === 0));
  return isEmpty
    ? html`<section id="none" class="panel"><p class="note">${TEXTS[lang].analytics.none}</p></section>`
    : absent('none');
}
