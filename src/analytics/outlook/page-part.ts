/** The section on season outcomes in /docs/models. */
import type { Lang } from '../../http/route.ts';
import { type Html, html } from '../../site/html.ts';
import { fill } from '../../site/texts/fill.ts';
import { OUTLOOK as TEXTS } from '../../site/texts/outlook.ts';
import type { StoredReport } from '../model-report.ts';
import { withCode } from '../page-text.ts';
import { EVENTS, type OutlookReport } from './backtest.ts';
import { outlookPlot } from './tables.ts';

/** The name of its picture beside the models of matches. */
export const OUTLOOK = 'outlook';

type Stored = StoredReport<'outlook'>;

export function outlookModelPart(stored: Stored | undefined, lang: Lang): Html {
  const text = TEXTS[lang];
  return html`<h2 id="outlook">${text.models}</h2>
<p>${withCode(text.text)}</p>
${stored === undefined ? html`<p>${withCode(text.notMeasured)}</p>` : measured(stored, lang)}`;
}

function measured({ measured_at, report }: Stored, lang: Lang): Html {
  const text = TEXTS[lang];
  const { leagues, all, earlier_seasons } = report;
  const seasons = leagues.reduce((sum, league) => sum + league.seasons, 0);
  const errors = EVENTS.map((event) => [event, (all[event].calibration_error * 100).toFixed(1)]);
  const heads = [
    text.league,
    text.seasons,
    ...EVENTS.flatMap((event) => [text.columns[event].model, text.columns[event].rank]),
  ];
  return html`<p>${fill(text.measured, { day: measured_at.slice(0, 10), seasons, ...earlier_seasons })}</p>
<div class="scroll" tabindex="0" role="region" aria-label="${text.label}"><table><thead><tr>${heads.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead><tbody>${leagues.map(({ name, from, to, scores }) => row(name, `${from} – ${to}`, scores))}${row(text.all, String(seasons), all)}</tbody></table></div>
<p>${fill(text.meaning, Object.fromEntries(errors))}</p>
${picture(measured_at, report, lang)}`;
}

function row(name: string, seasons: string, scores: OutlookReport['leagues'][number]['scores']): Html {
  const cells = EVENTS.flatMap((event) => [scores[event].model.toFixed(4), scores[event].rank.toFixed(4)]);
  return html`<tr><th scope="row">${name}</th>${[seasons, ...cells].map((cell) => html`<td>${cell}</td>`)}</tr>`;
}

/** @param measured_at versions the URL, so that a new measurement is not served from a cache */
function picture(measured_at: string, report: OutlookReport, lang: Lang): Html {
  const address = (theme: string) =>
    `models/${OUTLOOK}/calibration.svg?theme=${theme}&v=${encodeURIComponent(measured_at)}`;
  const { description } = outlookPlot(report, 'light');
  return html`<figure><figcaption>${TEXTS[lang].models}</figcaption><picture><source media="(prefers-color-scheme: dark)" srcset="${address('dark')}"><img src="${address('light')}" width="480" height="528" alt="${description}"></picture></figure>`;
}
