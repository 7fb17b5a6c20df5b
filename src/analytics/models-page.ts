/** /docs/models: explains the models and shows their scores on the matches of this installation. */
import type { Lang } from '../http/route.ts';
import { type Html, html } from '../site/html.ts';
import { document } from '../site/layout.ts';
import { TEXTS } from '../site/texts/texts.ts';
import { MODELS, type ModelName } from './backtest/forecast.ts';
import { drawPlot } from './backtest/plots.ts';
import { type BacktestReport, type Evaluation, OUTCOMES, PUBLISHED_MODELS, scoresIn } from './backtest/scores.ts';
import { fittedOn, modelledSports } from './calibrated/parameters.ts';
import { expectedGoalsPart } from './expected-goals/page-part.ts';
import { liveScores, liveSection } from './live/models-section.ts';
import type { StoredReport, StoredReports } from './model-report.ts';
import { outlookModelPart } from './outlook/page-part.ts';
import { fill, withCode } from './page-text.ts';
import { ratingModelPart } from './rating-backtest/page-part.ts';

const count = (value: number, lang: Lang) => value.toLocaleString(lang);
const score = (value: number | null) => (value === null ? '–' : value.toFixed(4));
const points = (value: number) => (value * 100).toFixed(1);

export function modelsPage({ matches, live, expected_goals, outlook, rating }: StoredReports, lang: Lang): string {
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
${matches === undefined ? html`<p>${withCode(text.notMeasured)}</p>` : measured(matches, lang)}
${liveScores(live, lang)}
<h2>${text.meaning}</h2>
<ul>${text.scores.map((line) => html`<li>${line}</li>`)}</ul>
${expectedGoalsPart(expected_goals, lang, withCode)}
${outlookModelPart(outlook, lang)}
${ratingModelPart(rating, lang)}
</article>`,
  });
}

function origin(lang: Lang): string {
  const { tournaments, from, to, goals, shots } = fittedOn();
  const values = { matches: count(goals.matches, lang), shots: count(shots.matches, lang), from, to };
  return fill(TEXTS[lang].models.origin, { ...values, tournaments: String(tournaments) });
}

function measured({ measured_at, report }: StoredReport<'matches'>, lang: Lang): Html {
  const text = TEXTS[lang].models;
  const { period, all, with_odds, published, tournaments } = report;
  const day = measured_at.slice(0, 10);
  if (all === null || period === null) return html`<p>${fill(text.noMatches, { day })}</p>`;
  const counts = { matches: count(all.matches, lang), tournaments: count(tournaments.length, lang) };
  return html`<p>${fill(text.measured, { day, from: period.from, to: period.to, ...counts })}</p>
${scoresTable(all, lang)}
${with_odds && html`<h3>${fill(text.withPrices, { matches: count(with_odds.matches, lang) })}</h3>${scoresTable(with_odds, lang)}`}
${published && publishedTable(published, lang)}
${MODELS.map((name) => picture(name, measured_at, report, lang))}`;
}

/** Compares our forecasts with the published ones by league. */
function publishedTable({ all, leagues }: NonNullable<BacktestReport['published']>, lang: Lang): Html {
  const text = TEXTS[lang].models;
  const figures = ({ models }: Evaluation) =>
    PUBLISHED_MODELS.flatMap((name) => {
      const { rps, brier, log_loss } = models[name]!;
      return [rps, brier, log_loss].map((value) => html`<td>${score(value)}</td>`);
    });
  const heads = PUBLISHED_MODELS.flatMap((name) =>
    ['RPS', 'Brier', 'Log-loss'].map((title) => `${text.models[name]}: ${title}`),
  );
  const rows = [{ name: text.allLeagues, evaluation: all }, ...leagues].map(
    ({ name, evaluation }) =>
      html`<tr><th scope="row">${name}</th><td>${count(evaluation.matches, lang)}</td>${figures(evaluation)}</tr>`,
  );
  return html`<h3>${fill(text.withPublished, { matches: count(all.matches, lang) })}</h3>
<p>${text.publishedText}</p>
<div class="scroll" tabindex="0" role="region" aria-label="${text.scoresLabel}"><table><thead><tr>${[text.league, text.matches, ...heads].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

function scoresTable({ models }: Evaluation, lang: Lang): Html {
  const text = TEXTS[lang].models;
  const rows = MODELS.flatMap((name) => {
    const scores = models[name];
    return scores
      ? [
          html`<tr><th scope="row">${text.models[name]}</th>${[score(scores.rps), score(scores.brier), score(scores.log_loss), score(scores.over_under_2_5_log_loss), ...OUTCOMES.map((outcome) => points(scores.calibration_error[outcome]))].map((cell) => html`<td>${cell}</td>`)}</tr>`,
        ]
      : [];
  });
  const outcomes = OUTCOMES.map((outcome) => fill(text.points, { outcome: text.outcomes[outcome] }));
  const heads = ['RPS', 'Brier', 'Log-loss', text.overUnder, ...outcomes];
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${text.scoresLabel}"><table><thead><tr><th scope="col">${text.model}</th>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** @param measured_at versions the URL, so that a new measurement is not served from a cache */
function picture(name: ModelName, measured_at: string, report: BacktestReport, lang: Lang): Html | null {
  const scores = scoresIn(report, name);
  if (scores === undefined) return null;
  const { description } = drawPlot(name, scores, 'light');
  const address = (theme: string) =>
    `models/${name}/calibration.svg?theme=${theme}&v=${encodeURIComponent(measured_at)}`;
  return html`<figure><figcaption>${TEXTS[lang].models.models[name]}</figcaption><picture><source media="(prefers-color-scheme: dark)" srcset="${address('dark')}"><img src="${address('light')}" width="480" height="528" alt="${description}"></picture></figure>`;
}
