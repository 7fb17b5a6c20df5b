/** Forecast by Elo ratings, for sports without a goal model: win chances, and the ratings behind them. */

import { type Html, html } from '../../site/html.ts';
import { fill, TEXTS } from '../../site/texts/index.ts';
import { hasStarted, type MatchView } from '../match-page/match-view.ts';
import type { PageCard } from './load-card.ts';
import { outcomes, type Result } from './outcome-chances.ts';

export function ratingForecast(
  {
    home,
    away,
    home_advantage,
    probabilities,
    parameters,
    expected_margin,
    set_scores,
  }: NonNullable<PageCard['rating']>,
  view: MatchView,
  result: Result | null,
): Html {
  const text = TEXTS[view.lang].analytics;
  const show = (value: number) => Math.round(value).toLocaleString(view.lang);
  const advantage = fill(home_advantage > 0 ? text.ratingHomeAdvantage : text.ratingNeutral, {
    points: show(home_advantage),
  });
  const margin =
    expected_margin !== null && Math.round(Math.abs(expected_margin)) >= 1
      ? html`<p>${fill(text.ratingMargin, {
          team: view.names[expected_margin > 0 ? 'home' : 'away'],
          points: show(Math.abs(expected_margin)),
        })}</p>`
      : '';
  const sets =
    set_scores &&
    html`<dl class="figures">${set_scores.map(
      (score) =>
        html`<div><dt>${score.home}:${score.away}</dt><dd class="home">${Math.round(score.probability)} %</dd></div>`,
    )}</dl>`;
  return html`<section id="forecast" class="panel"><h2>${hasStarted(view) ? text.forecastBefore : text.forecast}</h2>
${outcomes(probabilities, view, result)}
${margin}
${sets}
<dl class="figures"><div><dt>${text.rating}</dt><dd class="home">${show(home.rating)}</dd><dd class="away">${show(away.rating)}</dd></div>
<div><dt>${text.ratedMatches}</dt><dd class="home">${home.matches}</dd><dd class="away">${away.matches}</dd></div></dl>
<p class="note">${advantage} ${text.ratingText}${parameters === 'assumed' && html` ${text.ratingAssumed}`}</p>
</section>`;
}
