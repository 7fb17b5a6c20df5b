/** /docs/models explains the models and shows how they score on this installation's matches. */

import type { StoredReports } from '../../analytics/backtest/index.ts';
import { fittedOn, modelledSports } from '../../analytics/calibrated/parameters.ts';
import type { Lang } from '../../http/index.ts';
import { html } from '../../site/html.ts';
import { document } from '../../site/layout.ts';
import { fill, TEXTS } from '../../site/texts/index.ts';
import { withCode } from './code-text.ts';
import { expectedGoalsSection } from './expected-goals-section.ts';
import { inningsSection } from './innings-section.ts';
import { liveScores, liveSection } from './live-section.ts';
import { matchScores } from './match-scores.ts';
import { outlookSection } from './outlook-section.ts';
import { ratingSection } from './rating-section.ts';

export function modelsPage(
  { matches, live, expected_goals, outlook, rating, innings }: StoredReports,
  lang: Lang,
): string {
  const text = TEXTS[lang].models;
  const section = (title: string, body: string) => html`<h2>${title}</h2>
<p>${withCode(body)}</p>`;
  return document({
    lang,
    title: `${text.title} · Touchline`,
    root: '../',
    styles: ['models.css'],
    body: html`<article class="models">
<h1>${text.title}</h1>
<p>${withCode(fill(text.intro, { sports: modelledSports(lang) }))}</p>
${section(text.basic, text.basicText)}
${section(text.calibrated, text.calibratedText)}
<p>${origin(lang)}</p>
${section(text.elo, text.eloText)}
${liveSection(lang)}
${section(text.valueBets, text.valueBetsText)}
<h2>${text.here}</h2>
${matches === undefined ? html`<p>${withCode(text.notMeasured)}</p>` : matchScores(matches, lang)}
${liveScores(live, lang)}
<h2>${text.meaning}</h2>
<ul>${text.scores.map((line) => html`<li>${line}</li>`)}</ul>
${expectedGoalsSection(expected_goals, lang)}
${outlookSection(outlook, lang)}
${ratingSection(rating, lang)}
${inningsSection(innings, lang)}
</article>`,
  });
}

function origin(lang: Lang): string {
  const { tournaments, from, to, goals, shots } = fittedOn();
  const count = ({ matches }: { matches: number }) => matches.toLocaleString(lang);
  return fill(TEXTS[lang].models.origin, { matches: count(goals), shots: count(shots), from, to, tournaments });
}
