/** Each side's trends: results that are too frequent to be chance. */

import { type Html, html } from '../../site/html.ts';
import { absent } from '../../site/layout.ts';
import { TEXTS } from '../../site/texts/index.ts';
import { hasStarted, type MatchView } from '../match-page/match-view.ts';
import type { PageCard } from './load-card.ts';

export function trendsPart({ trends }: PageCard, view: MatchView): Html {
  if (trends.length === 0) return absent('trends');
  const text = TEXTS[view.lang].analytics;
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
