/** Scores for pre-match forecasts in /docs/models. */
import {
  type BacktestReport,
  drawPlot,
  type Evaluation,
  MODELS,
  OUTCOMES,
  PUBLISHED_MODELS,
  type StoredReport,
  scoresIn,
} from '../../analytics/backtest/index.ts';
import type { Lang } from '../../http/index.ts';
import { type Html, html } from '../../site/html.ts';
import { fill, TEXTS } from '../../site/texts/index.ts';
import { calibrationFigure, count, points, score, scoreTable } from './report-parts.ts';

export function matchScores({ measured_at, report }: StoredReport<'matches'>, lang: Lang): Html {
  const text = TEXTS[lang].models;
  const { period, all, with_odds, published, tournaments } = report;
  const day = measured_at.slice(0, 10);
  if (all === null || period === null) return html`<p>${fill(text.noMatches, { day })}</p>`;
  const counts = { matches: count(all.matches, lang), tournaments: count(tournaments.length, lang) };
  const pictures = MODELS.map((name) => {
    const scores = scoresIn(report, name);
    const caption = text.models[name];
    return scores && calibrationFigure({ name, caption, measured_at, plot: drawPlot(name, scores) });
  });
  return html`<p>${fill(text.measured, { day, from: period.from, to: period.to, ...counts })}</p>
${scoresTable(all, lang)}
${
  with_odds &&
  html`<h3>${fill(text.withPrices, { matches: count(with_odds.matches, lang) })}</h3>${scoresTable(with_odds, lang)}`
}
${published && publishedTable(published, lang)}
${pictures}`;
}

/** Compares this service's forecasts with published ones, league by league. */
function publishedTable({ all, leagues }: NonNullable<BacktestReport['published']>, lang: Lang): Html {
  const text = TEXTS[lang].models;
  const figures = ({ models }: Evaluation) =>
    PUBLISHED_MODELS.flatMap((name) => {
      const scores = models[name];
      return scores === undefined ? [] : [scores.rps, scores.brier, scores.log_loss].map(score);
    });
  const heads = PUBLISHED_MODELS.flatMap((name) =>
    ['RPS', 'Brier', 'Log-loss'].map((title) => `${text.models[name]}: ${title}`),
  );
  const rows = [{ name: text.allLeagues, evaluation: all }, ...leagues].map(({ name, evaluation }) => [
    name,
    count(evaluation.matches, lang),
    ...figures(evaluation),
  ]);
  return html`<h3>${fill(text.withPublished, { matches: count(all.matches, lang) })}</h3>
<p>${text.publishedText}</p>
${scoreTable(text.scoresLabel, [text.league, text.matches, ...heads], rows)}`;
}

function scoresTable({ models }: Evaluation, lang: Lang): Html {
  const text = TEXTS[lang].models;
  const rows = MODELS.flatMap((name) => {
    const scores = models[name];
    if (scores === undefined) return [];
    const { rps, brier, log_loss, over_under_2_5_log_loss, calibration_error } = scores;
    const cells = [rps, brier, log_loss, over_under_2_5_log_loss].map(score);
    return [[text.models[name], ...cells, ...OUTCOMES.map((outcome) => points(calibration_error[outcome]))]];
  });
  const outcomes = OUTCOMES.map((outcome) => fill(text.points, { outcome: text.outcomes[outcome] }));
  const heads = [text.model, 'RPS', 'Brier', 'Log-loss', text.overUnder, ...outcomes];
  return scoreTable(text.scoresLabel, heads, rows);
}
