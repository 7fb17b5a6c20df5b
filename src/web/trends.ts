/** What each side has done more often than chance explains. */

import type { PageCard } from '../analytics/page-card.ts';
import { type Html, html } from '../http/html.ts';
import { ANALYTICS_TEXTS } from './analytics-texts.ts';
import { absent } from './layout.ts';
import { hasStarted, type MatchView } from './match-view.ts';

export function trendsPart({ trends }: PageCard, view: MatchView): Html {
  if (trends.length === 0) return absent('trends');
  const text = ANALYTICS_TEXTS[view.lang];
  const ofSide = (wanted: 'home' | 'away') => {
    const own = trends.filter(({ side }) => side === wanted);
    return (
      own.length > 0 &&
      html`<section data-side="${wanted}"><h3>${view.names[wanted]}</h3>
<ul class="trends">${own.map(({ label, detail }) => html`<li><b>${label}</b> <span class="more">${detail}</span></li>`)}</ul></section>`
    );
  };
  return html`<section id="trends" class="panel"><h2>${hasStarted(view) ? text.trendsBefore : text.trends}</h2>
<div class="sheets">${ofSide('home')}${ofSide('away')}</div></section>`;
}
