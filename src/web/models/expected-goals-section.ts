/** The section on expected goals in /docs/models. */

import {
  PUBLISHED,
  PUBLISHED_OPEN_PLAY_SHOTS,
  reliabilityPlot,
  type ShotScores,
  type StoredReport,
  TRAINING_LEAGUES,
} from '../../analytics/backtest/index.ts';
import { shippedModel } from '../../expected-goals/shot-model.ts';
import type { Lang } from '../../http/index.ts';
import { type Html, html } from '../../site/html.ts';
import { fill, LEAGUES_RU, expectedGoals as TEXTS } from '../../site/texts/index.ts';
import { withCode } from './code-text.ts';
import { calibrationFigure, count, score, scoreTable } from './report-parts.ts';

type Stored = StoredReport<'expected_goals'>;

const leagueName = (name: string, lang: Lang) => (lang === 'ru' ? (LEAGUES_RU[name] ?? name) : name);

/** @param stored undefined if nothing has been measured yet */
export function expectedGoalsSection(stored: Stored | undefined, lang: Lang): Html {
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
  const scores = scoreTable(
    text.label,
    [text.model, text.shots, text.goals, text.expected, 'AUC', 'Brier', 'ECE'],
    [
      row(text.ours, report.all),
      [text.published, '–', '–', '–', ...[auc, brier, calibration_error].map(score)],
      row(text.withoutPenalties, report.without_penalties),
    ],
  );
  const counts = scoreTable(
    text.countsLabel,
    [text.league, text.use, text.matches, text.shots, text.goals],
    report.leagues.map(({ league, role, matches, shots, goals }) => [
      leagueName(league, lang),
      text.uses[role],
      ...[matches, shots, goals].map((value) => count(value, lang)),
    ]),
  );
  return html`<p>${fill(text.measured, { day: measured_at.slice(0, 10), season: report.season })}</p>
${scores}
<p>${text.meaning}</p>
${calibrationFigure({ name: 'expected_goals', caption: text.title, measured_at, plot: reliabilityPlot(report) })}
${counts}
<p>${fill(text.counts, openPlay)}</p>`;
}
