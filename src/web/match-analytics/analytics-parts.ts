/** Pre-match analytics on the match page. They are a forecast before the start; afterwards, they are shown with the result. */

import type { Lang } from '../../http/index.ts';
import { type Html, html } from '../../site/html.ts';
import { absent } from '../../site/layout.ts';
import { TEXTS } from '../../site/texts/index.ts';
import type { MatchView } from '../match-page/match-view.ts';
import { forecastPart } from './forecast.ts';
import { formPart } from './form-strip.ts';
import { meetingsPart } from './head-to-head.ts';
import type { PageCard } from './load-card.ts';
import { trendsPart } from './side-trends.ts';
import { standingPart } from './table-before-match.ts';

type Part = (card: PageCard, view: MatchView) => Html;

/** The note that explains the figures. A page without figures omits it. */
const disclaimerPart: Part = (card) =>
  card.model === null && card.rating === null && card.trends.length === 0
    ? absent('disclaimer')
    : html`<p id="disclaimer" class="note">${card.disclaimer}</p>`;

/** Parts by section id. */
const LEFT: Record<string, Part> = { forecast: forecastPart, meetings: meetingsPart };
const RIGHT: Record<string, Part> = { form: formPart, standing: standingPart, trends: trendsPart };

/** Takes the place of a part while the match history is being loaded. */
export const loadingPart = (id: string, title: string, lang: Lang): Html =>
  html`<section id="${id}" class="panel"><h2>${title}</h2><p class="note">${TEXTS[lang].analytics.loading}</p></section>`;

/** @param card if null, the parts are empty placeholders that the script may fill later */
export function analyticsParts(card: PageCard | 'loading' | null, view: MatchView): Html {
  const place = (parts: Record<string, Part>) =>
    Object.entries(parts).map(([id, part]) => {
      if (card !== null && card !== 'loading') return part(card, view);
      const isNamed = card === 'loading' && id === 'forecast';
      return isNamed ? loadingPart(id, TEXTS[view.lang].analytics.forecast, view.lang) : absent(id);
    });
  return html`<div class="columns analytics">
<div>${place(LEFT)}</div>
<div>${place(RIGHT)}</div>
</div>
${place({ disclaimer: disclaimerPart })}`;
}
