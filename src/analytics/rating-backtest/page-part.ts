/** The section on ratings by margin in /docs/models. */
import type { Lang } from '../../http/route.ts';
import { type Html, html } from '../../site/html.ts';
import { fill } from '../../site/texts/fill.ts';
import { RATING as TEXTS } from '../../site/texts/rating.ts';
import { findSport } from '../../sports/sports.ts';
import type { StoredReport } from '../model-report.ts';
import { withCode } from '../page-text.ts';
import type { SportReport } from './rating-backtest.ts';
import { ratingPlot } from './tables.ts';

/** The name of its picture beside the models of matches. */
export const RATING = 'rating';

type Stored = StoredReport<'rating'>;

const score = (value: number) => value.toFixed(4);
const count = (value: number, lang: Lang) => value.toLocaleString(lang);
const sportName = (slug: string, lang: Lang) => {
  const sport = findSport(slug);
  return (lang === 'ru' ? sport?.name_ru : sport?.name) ?? slug;
};

export function ratingModelPart(stored: Stored | undefined, lang: Lang): Html {
  const text = TEXTS[lang];
  return html`<h2 id="rating">${text.title}</h2>
<p>${withCode(text.text)}</p>
${stored === undefined ? html`<p>${withCode(text.notMeasured)}</p>` : measured(stored, lang)}`;
}

function measured({ measured_at, report }: Stored, lang: Lang): Html {
  const text = TEXTS[lang];
  const day = measured_at.slice(0, 10);
  if (report.sports.length === 0) return html`<p>${fill(text.noMatches, { day })}</p>`;
  const heads = [text.sport, text.matches, text.period, 'Brier', text.homeRate, 'Log-loss', text.homeRate, text.error];
  const compared = report.sports.flatMap(({ sport, published }) =>
    published === undefined
      ? []
      : [
          fill(text.published, {
            sport: sportName(sport, lang),
            name: published.name,
            matches: count(published.matches, lang),
            ours: score(published.rating.brier),
            theirs: score(published.published.brier),
          }),
        ],
  );
  return html`<p>${fill(text.measured, { day })}</p>
<div class="scroll" tabindex="0" role="region" aria-label="${text.label}"><table><thead><tr>${heads.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead><tbody>${report.sports.map((one) => row(one, lang))}</tbody></table></div>
${compared.map((line) => html`<p>${line}</p>`)}
<p>${text.meaning}</p>
${picture(measured_at, report, lang)}`;
}

function row({ sport, matches, period, rating, home_rate, calibration_error }: SportReport, lang: Lang): Html {
  const scores = [rating.brier, home_rate.brier, rating.log_loss, home_rate.log_loss].map(score);
  const cells = [
    count(matches, lang),
    `${period.from} – ${period.to}`,
    ...scores,
    (calibration_error * 100).toFixed(1),
  ];
  return html`<tr><th scope="row">${sportName(sport, lang)}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`;
}

/** @param measured_at versions the URL, so that a new measurement is not served from a cache */
function picture(measured_at: string, report: Stored['report'], lang: Lang): Html {
  const address = (theme: string) =>
    `models/${RATING}/calibration.svg?theme=${theme}&v=${encodeURIComponent(measured_at)}`;
  const { description } = ratingPlot(report, 'light');
  return html`<figure><figcaption>${TEXTS[lang].title}</figcaption><picture><source media="(prefers-color-scheme: dark)" srcset="${address('dark')}"><img src="${address('light')}" width="480" height="528" alt="${description}"></picture></figure>`;
}
