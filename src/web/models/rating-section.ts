/** The section on ratings by margin in /docs/models. */

import { ratingPlot, type StoredReport } from '../../analytics/backtest/index.ts';
import type { Lang } from '../../http/index.ts';
import { type Html, html } from '../../site/html.ts';
import { fill, RATING as TEXTS } from '../../site/texts/index.ts';
import { findSport } from '../../sports/sports.ts';
import { withCode } from './code-text.ts';
import { calibrationFigure, count, points, score, scoreTable } from './report-parts.ts';

type Stored = StoredReport<'rating'>;

const sportName = (slug: string, lang: Lang) => {
  const sport = findSport(slug);
  return (lang === 'ru' ? sport?.name_ru : sport?.name) ?? slug;
};

/** @param stored undefined if nothing has been measured yet */
export function ratingSection(stored: Stored | undefined, lang: Lang): Html {
  const text = TEXTS[lang];
  return html`<h2 id="rating">${text.title}</h2>
<p>${withCode(text.text)}</p>
${stored === undefined ? html`<p>${withCode(text.notMeasured)}</p>` : measured(stored, lang)}`;
}

/** The scores of a sport by league, the league with the most matches first. Nothing for a sport with one league. */
function leagueScores({ sport, leagues }: Stored['report']['sports'][number], lang: Lang): Html | false {
  const text = TEXTS[lang];
  const title = fill(text.leagues, { sport: sportName(sport, lang) });
  const heads = [text.league, text.matches, 'Brier', text.homeRate, 'Log-loss', text.homeRate];
  const rows = leagues.map(({ name, matches, rating, home_rate }) => [
    name,
    count(matches, lang),
    ...[rating.brier, home_rate.brier, rating.log_loss, home_rate.log_loss].map(score),
  ]);
  return leagues.length > 1 && html`<details><summary>${title}</summary>${scoreTable(title, heads, rows)}</details>`;
}

function measured({ measured_at, report }: Stored, lang: Lang): Html {
  const text = TEXTS[lang];
  const day = measured_at.slice(0, 10);
  if (report.sports.length === 0) return html`<p>${fill(text.noMatches, { day })}</p>`;
  const heads = [text.sport, text.matches, text.period, 'Brier', text.homeRate, 'Log-loss', text.homeRate, text.error];
  const rows = report.sports.map(({ sport, matches, period, rating, home_rate, calibration_error }) => [
    sportName(sport, lang),
    count(matches, lang),
    `${period.from} – ${period.to}`,
    ...[rating.brier, home_rate.brier, rating.log_loss, home_rate.log_loss].map(score),
    points(calibration_error),
  ]);
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
${scoreTable(text.label, heads, rows)}
${report.sports.map((one) => leagueScores(one, lang))}
${compared.map((line) => html`<p>${line}</p>`)}
<p>${text.meaning}</p>
${calibrationFigure({ name: 'rating', caption: text.title, measured_at, plot: ratingPlot(report) })}`;
}
