/** The section on Twenty20 cricket in /docs/models. */
import { INNINGS_FORECASTS, inningsPlot, type StoredReport } from '../../analytics/backtest/index.ts';
import type { Lang } from '../../http/index.ts';
import { inningsParameters } from '../../in-play/index.ts';
import { type Html, html } from '../../site/html.ts';
import { fill, INNINGS_MODEL as TEXTS } from '../../site/texts/index.ts';
import { withCode } from './code-text.ts';
import { calibrationFigure, count, score, scoreTable } from './report-parts.ts';

type Stored = StoredReport<'innings'>;

/** @param stored undefined if nothing has been measured yet */
export function inningsSection(stored: Stored | undefined, lang: Lang): Html {
  const text = TEXTS[lang];
  const { matches, balls, ...fitted } = inningsParameters().fitted_on;
  return html`<h2 id="innings">${text.title}</h2>
<p>${withCode(text.text)}</p>
<p>${fill(text.origin, { ...fitted, matches: count(matches, lang), balls: count(balls, lang) })}</p>
${stored === undefined ? html`<p>${withCode(text.notMeasured)}</p>` : measured(stored, lang)}`;
}

function measured({ measured_at, report }: Stored, lang: Lang): Html {
  const text = TEXTS[lang];
  const day = measured_at.slice(0, 10);
  if (report.period === null) return html`<p>${fill(text.noMatches, { day })}</p>`;
  const table = (title: string, figure: 'log_loss' | 'brier') =>
    scoreTable(
      `${text.label}: ${title}`,
      [title, text.forecasts, ...INNINGS_FORECASTS.map((one) => text[one])],
      report.parts.map(({ part, forecasts, scores }) => [
        text.parts[part],
        count(forecasts, lang),
        ...INNINGS_FORECASTS.map((one) => score(scores[one][figure])),
      ]),
    );
  return html`<p>${fill(text.measured, { day, ...report.period, matches: count(report.matches, lang) })}</p>
${table('Log-loss', 'log_loss')}
${table('Brier', 'brier')}
${calibrationFigure({ name: 'innings', caption: text.plot, measured_at, plot: inningsPlot(report) })}`;
}
