/** The section on season outcomes in /docs/models. */

import { EVENTS, type OutlookReport, outlookPlot, type StoredReport } from '../../analytics/backtest/index.ts';
import type { Lang } from '../../http/index.ts';
import { type Html, html } from '../../site/html.ts';
import { fill, OUTLOOK as TEXTS } from '../../site/texts/index.ts';
import { withCode } from './code-text.ts';
import { calibrationFigure, points, score, scoreTable } from './report-parts.ts';

type Stored = StoredReport<'outlook'>;

/** @param stored undefined if nothing has been measured yet */
export function outlookSection(stored: Stored | undefined, lang: Lang): Html {
  const text = TEXTS[lang];
  return html`<h2 id="outlook">${text.models}</h2>
<p>${withCode(text.text)}</p>
${stored === undefined ? html`<p>${withCode(text.notMeasured)}</p>` : measured(stored, lang)}`;
}

function measured({ measured_at, report }: Stored, lang: Lang): Html {
  const text = TEXTS[lang];
  const { leagues, all, earlier_seasons } = report;
  const seasons = leagues.reduce((sum, league) => sum + league.seasons, 0);
  const errors = EVENTS.map((event) => [event, points(all[event].calibration_error)]);
  const heads = [
    text.league,
    text.seasons,
    ...EVENTS.flatMap((event) => [text.columns[event].model, text.columns[event].rank]),
  ];
  const cells = (scores: OutlookReport['leagues'][number]['scores']) =>
    EVENTS.flatMap((event) => [score(scores[event].model), score(scores[event].rank)]);
  const rows = [
    ...leagues.map(({ name, from, to, scores }) => [name, `${from} – ${to}`, ...cells(scores)]),
    [text.all, String(seasons), ...cells(all)],
  ];
  return html`<p>${fill(text.measured, { day: measured_at.slice(0, 10), seasons, ...earlier_seasons })}</p>
${scoreTable(text.label, heads, rows)}
<p>${fill(text.meaning, Object.fromEntries(errors))}</p>
${calibrationFigure({ name: 'outlook', caption: text.models, measured_at, plot: outlookPlot(report) })}`;
}
