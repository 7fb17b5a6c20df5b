/** The pre-match analytics on the match page: before the start, and afterwards beside the result. */
import { type Html, html } from '../http/html.ts';
import type { AnalyticsCard } from './analytics-view.ts';
import { forecastPart } from './forecast.ts';
import { formPart } from './form.ts';
import { absent } from './layout.ts';
import type { MatchView } from './match-view.ts';
import { meetingsPart } from './meetings.ts';
import { standingPart } from './standing.ts';
import { trendsPart } from './trends.ts';

const PARTS = ['forecast', 'meetings', 'form', 'standing', 'trends', 'disclaimer'];

/** @param card null: nothing is shown, and nothing said */
export function analyticsParts(card: AnalyticsCard | null, view: MatchView): Html {
  if (card === null) return html`${PARTS.map(absent)}`;
  return html`<div class="columns analytics">
<div>${forecastPart(card, view)}${meetingsPart(card, view)}</div>
<div>${formPart(card, view)}${standingPart(card, view)}${trendsPart(card, view)}</div>
</div>
${disclaimer(card)}`;
}

/** Of figures alone: where none is shown there is nothing to explain. */
const disclaimer = (card: AnalyticsCard): Html =>
  card.model === null && card.trends.length === 0
    ? absent('disclaimer')
    : html`<p id="disclaimer" class="note">${card.disclaimer}</p>`;
