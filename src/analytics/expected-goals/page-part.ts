/** The section on expected goals in /docs/models. */
import { shippedModel } from '../../expected-goals/model.ts';
import type { Lang } from '../../http/route.ts';
import { type Html, html } from '../../site/html.ts';
import { LEAGUES_RU, expectedGoals as TEXTS } from '../../site/texts/expected-goals.ts';
import { fill } from '../../site/texts/fill.ts';
import type { StoredReport } from '../model-report.ts';
import { PUBLISHED, PUBLISHED_OPEN_PLAY_SHOTS, TRAINING_LEAGUES } from './published.ts';
import type { ShotScores } from './scores.ts';
import { reliabilityPlot } from './tables.ts';

/** The name of its picture beside the models of matches. */
export const EXPECTED_GOALS = 'expected_goals';

type Stored = StoredReport<'expected_goals'>;

const score = (value: number) => value.toFixed(4);
const count = (value: number, lang: Lang) => Math.round(value).toLocaleString(lang);
const leagueName = (name: string, lang: Lang) => (lang === 'ru' ? (LEAGUES_RU[name] ?? name) : name);

/** @param withCode shows the parts of a text in `backticks` as code */
export function expectedGoalsPart(stored: Stored | undefined, lang: Lang, withCode: (text: string) => Html[]): Html {
  const text = TEXTS[lang];
  const { shots, season } = shippedModel().fitted_on;
  const names = new Intl.ListFormat(lang === 'en' ? 'en-GB' : lang).format(
    TRAINING_LEAGUES.map((name) => leagueName(name, lang)),
  );
  return html`<h2 id="expected-goals">${text.title}</h2>
<p>${withCode(text.text)}</p>
<p>${fill(text.origin, { shots: count(shots, lang), tournaments: names, season })}</p>
${stored === undefined ? html`<p>${withCode(text.notMeasured)}</p>` : measured(stored, lang)}`;
}

function measured({ measured_at, report }: Stored, lang: Lang): Html {
  const text = TEXTS[lang];
  const row = (name: string, { shots, goals, expected, auc, brier, calibration_error }: ShotScores) => [
    name,
    ...[shots, goals, expected].map((value) => count(value, lang)),
    ...[auc, brier, calibration_error].map(score),
  ];
  const { auc, brier, calibration_error } = PUBLISHED;
  const openPlay = { ours: count(report.open_play_shots, lang), published: count(PUBLISHED_OPEN_PLAY_SHOTS, lang) };
  return html`<p>${fill(text.measured, { day: measured_at.slice(0, 10), season: report.season })}</p>
${table(text.label, [
  [text.model, text.shots, text.goals, text.expected, 'AUC', 'Brier', 'ECE'],
  row(text.ours, report.all),
  [text.published, '–', '–', '–', ...[auc, brier, calibration_error].map(score)],
  row(text.withoutPenalties, report.without_penalties),
])}
<p>${text.meaning}</p>
${picture(measured_at, report, lang)}
${table(text.countsLabel, [
  [text.league, text.use, text.matches, text.shots, text.goals],
  ...report.leagues.map(({ league, role, matches, shots, goals }) => [
    leagueName(league, lang),
    text.uses[role],
    ...[matches, shots, goals].map((value) => count(value, lang)),
  ]),
])}
<p>${fill(text.counts, openPlay)}</p>`;
}

/** @param rows the first is the header */
function table(label: string, [head, ...rows]: readonly (readonly string[])[]): Html {
  const line = ([name, ...cells]: readonly string[]) =>
    html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table><thead><tr>${head!.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead><tbody>${rows.map(line)}</tbody></table></div>`;
}

/** @param measured_at versions the URL, so that a new measurement is not served from a cache */
function picture(measured_at: string, report: Stored['report'], lang: Lang): Html {
  const address = (theme: string) =>
    `models/${EXPECTED_GOALS}/calibration.svg?theme=${theme}&v=${encodeURIComponent(measured_at)}`;
  const { description } = reliabilityPlot(report, 'light');
  return html`<figure><figcaption>${TEXTS[lang].title}</figcaption><picture><source media="(prefers-color-scheme: dark)" srcset="${address('dark')}"><img src="${address('light')}" width="480" height="528" alt="${description}"></picture></figure>`;
}
