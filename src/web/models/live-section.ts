/** The parts of /docs/models about forecasts during a match. */
import { drawLivePlot, type StoredReport } from '../../analytics/backtest/index.ts';
import type { Lang } from '../../http/index.ts';
import { inPlayParameters } from '../../in-play/index.ts';
import { type Html, html } from '../../site/html.ts';
import { fill, TEXTS } from '../../site/texts/index.ts';
import { withCode } from './code-text.ts';
import { calibrationFigure, count, points, score, scoreTable } from './report-parts.ts';

export function liveSection(lang: Lang): Html {
  const text = TEXTS[lang].models;
  const { matches, from, to, tournaments } = inPlayParameters().fitted_on;
  const origin = fill(text.liveOrigin, { matches: count(matches, lang), from, to, tournaments });
  return html`<h2>${text.live}</h2>
<p>${withCode(text.liveText)}</p>
<p>${origin}</p>`;
}

/** @param stored undefined before the first measurement */
export function liveScores(stored: StoredReport<'live'> | undefined, lang: Lang): Html {
  const text = TEXTS[lang].models;
  const head = html`<h2>${text.liveHere}</h2>`;
  if (stored === undefined) return html`${head}<p>${withCode(text.liveNotMeasured)}</p>`;
  const { measured_at, report } = stored;
  const day = measured_at.slice(0, 10);
  if (report.period === null) return html`${head}<p>${fill(text.liveNoMatches, { day })}</p>`;
  const values = { day, ...report.period, matches: count(report.matches, lang) };
  const rows = report.minutes.map(({ minute, rps, brier, log_loss, calibration_error }) => [
    String(minute),
    ...[rps, brier, log_loss].map(score),
    points(calibration_error),
  ]);
  return html`${head}<p>${fill(text.liveMeasured, values)}</p>
${scoreTable(text.liveHere, [text.minute, 'RPS', 'Brier', 'Log-loss', text.error], rows)}
${calibrationFigure({ name: 'live', caption: text.livePlot, measured_at, plot: drawLivePlot(report) })}`;
}
