/** The parts of /docs/models on forecasts during a match. */
import type { Lang } from '../../http/route.ts';
import { inPlayParameters } from '../../in-play/parameters.ts';
import { type Html, html } from '../../site/html.ts';
import { TEXTS } from '../../site/texts/texts.ts';
import type { StoredReport } from '../model-report.ts';
import { fill, withCode } from '../page-text.ts';
import type { LiveReport, LiveScores } from './backtest-live.ts';
import { drawLivePlot } from './plot.ts';

const count = (value: number, lang: Lang) => value.toLocaleString(lang);

export function liveSection(lang: Lang): Html {
  const text = TEXTS[lang].models;
  const { matches, from, to, tournaments } = inPlayParameters().fitted_on;
  const origin = fill(text.liveOrigin, { matches: count(matches, lang), from, to, tournaments });
  return html`<h2>${text.live}</h2>
<p>${withCode(text.liveText)}</p>
<p>${origin}</p>`;
}

/** @param stored undefined: not measured yet */
export function liveScores(stored: StoredReport<'live'> | undefined, lang: Lang): Html {
  const text = TEXTS[lang].models;
  const head = html`<h2>${text.liveHere}</h2>`;
  if (stored === undefined) return html`${head}<p>${withCode(text.liveNotMeasured)}</p>`;
  const { measured_at, report } = stored;
  const day = measured_at.slice(0, 10);
  if (report.period === null) return html`${head}<p>${fill(text.liveNoMatches, { day })}</p>`;
  const values = { day, ...report.period, matches: count(report.matches, lang) };
  return html`${head}<p>${fill(text.liveMeasured, values)}</p>
${table(report, lang)}
${picture(measured_at, report, lang)}`;
}

function table({ minutes }: LiveReport, lang: Lang): Html {
  const text = TEXTS[lang].models;
  const row = (one: LiveScores) => {
    const scores = [one.rps, one.brier, one.log_loss].map((value) => value.toFixed(4));
    const cells = [...scores, (one.calibration_error * 100).toFixed(1)];
    return html`<tr><th scope="row">${one.minute}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`;
  };
  const heads = [text.minute, 'RPS', 'Brier', 'Log-loss', text.error];
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${text.liveHere}"><table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${minutes.map(row)}</tbody></table></div>`;
}

/** @param measured_at versions the URL, so that a new measurement is not served from a cache */
function picture(measured_at: string, report: LiveReport, lang: Lang): Html {
  const { description } = drawLivePlot(report, 'light');
  const address = (theme: string) => `models/live/calibration.svg?theme=${theme}&v=${encodeURIComponent(measured_at)}`;
  return html`<figure><figcaption>${TEXTS[lang].models.livePlot}</figcaption><picture><source media="(prefers-color-scheme: dark)" srcset="${address('dark')}"><img src="${address('light')}" width="480" height="528" alt="${description}"></picture></figure>`;
}
