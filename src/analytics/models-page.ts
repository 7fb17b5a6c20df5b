/** /docs/models: how the models work, and how good they are on the matches of this installation. */
import { type Html, html } from '../http/html.ts';
import { MODELS, type ModelName } from './backtest/forecast.ts';
import { drawPlot } from './backtest/plots.ts';
import { type BacktestReport, type Evaluation, OUTCOMES, scoresIn } from './backtest/scores.ts';
import { MODEL_TITLES, OUTCOME_TITLES } from './backtest/tables.ts';
import { fittedOn } from './calibrated/parameters.ts';
import type { StoredReport } from './model-report.ts';

const count = (value: number) => value.toLocaleString('en');
const score = (value: number | null) => (value === null ? '–' : value.toFixed(4));
const points = (value: number) => (value * 100).toFixed(1);

/** @param stored null: nothing has been measured yet */
export const modelsPage = (stored: StoredReport | null): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Models · Touchline</title>
<link rel="icon" type="image/png" href="assets/favicon-32x32.png">
<link rel="stylesheet" href="models.css">
</head>
<body>
<main>
<h1>Models</h1>
<p>What <a href="../docs">GET /v1/event/{id}/analytics</a> says of a match is computed from earlier matches of the same tournament, never from forecasts or prices. Only football and ice hockey have models.</p>
${METHODS}
${origin()}
${VALUE_BETS}
<h2>On the matches of this installation</h2>
${stored === null ? NOT_MEASURED : measured(stored)}
<h2>What the scores mean</h2>
${SCORES}
</main>
</body>
</html>
`.text;

const METHODS = html`<h2>The basic model</h2>
<p><code>model</code> takes the matches of the tournament in the 913 days before the date of the match. The attack of the home side is its goals per home match over the goals of all home sides per match, its defence is what it concedes at home over what home sides concede; of the away side likewise away. Expected goals of the home side are its attack × the defence of the away side × the goals of home sides per match. The goals of both sides are taken as independent and Poisson distributed (M. J. Maher, Statistica Neerlandica 36, 1982). There is no model where the home side has fewer than 4 home matches or the away side fewer than 4 away matches.</p>
<h2>The calibrated model</h2>
<p><code>model.calibrated</code> is a Poisson regression over about four years: attack and defence of each side, the level of the league and the home advantage. Recent matches weigh more. A ridge penalty draws sides with few matches to the strength that newcomers have. Where most matches have shots on target, these count beside goals. At a neutral venue nobody has a home advantage. Low scores are corrected as M. J. Dixon and S. G. Coles do (Applied Statistics 46, 1997).</p>
<h2>Elo ratings</h2>
<p>The rankings <code>elo_national_teams</code> and <code>elo_clubs</code> follow from results alone: each match moves points from one side to the other, by the methods of eloratings.net and clubelo.com. Here their difference before a match is turned into probabilities (L. M. Hvattum and H. Arntzen, Int. J. Forecasting 26, 2010), to be compared with the models.</p>`;

const VALUE_BETS = html`<h2>Value bets</h2>
<p>A value bet is a price that pays more than the basic model’s fair price. An edge over 20 % carries <code>caution</code>: that far from the market the model is more often wrong than the market is.</p>`;

function origin(): Html {
  const { tournaments, from, to, goals, shots } = fittedOn();
  return html`<p>Its parameters were fitted once, to ${count(goals.matches)} matches (${count(shots.matches)} of them with shots) of ${tournaments} from ${from} to ${to}, and have not been changed since. Those of ice hockey are assumptions.</p>`;
}

const NOT_MEASURED = html`<p>Not measured yet. <code>touchline backtest</code> predicts past matches from earlier ones and shows the result here.</p>`;

function measured({ measured_at, report }: StoredReport): Html {
  const { period, all, with_odds, tournaments } = report;
  if (all === null || period === null)
    return html`<p>Measured on ${measured_at.slice(0, 10)}: no match had enough earlier ones.</p>`;
  return html`<p>Measured on ${measured_at.slice(0, 10)}: ${count(all.matches)} matches of ${count(tournaments.length)} ${tournaments.length === 1 ? 'tournament' : 'tournaments'} from ${period.from} to ${period.to}, each predicted from matches of earlier days alone.</p>
${scoresTable(all)}
${with_odds && html`<h3>The ${count(with_odds.matches)} matches with prices</h3>${scoresTable(with_odds)}`}
${MODELS.map((name) => picture(name, measured_at, report))}`;
}

function scoresTable({ models }: Evaluation): Html {
  const rows = MODELS.flatMap((name) => {
    const scores = models[name];
    return scores
      ? [
          html`<tr><th scope="row">${MODEL_TITLES[name]}</th>${[score(scores.rps), score(scores.brier), score(scores.log_loss), score(scores.over_under_2_5_log_loss), ...OUTCOMES.map((outcome) => points(scores.calibration_error[outcome]))].map((text) => html`<td>${text}</td>`)}</tr>`,
        ]
      : [];
  });
  const heads = [
    'RPS',
    'Brier',
    'Log-loss',
    'Over/under 2.5',
    ...OUTCOMES.map((one) => `${OUTCOME_TITLES[one]}, points`),
  ];
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Scores of the models"><table><thead><tr><th scope="col">Model</th>${heads.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** @param measured_at makes the address one of this measurement */
function picture(name: ModelName, measured_at: string, report: BacktestReport): Html | null {
  const scores = scoresIn(report, name);
  if (scores === undefined) return null;
  const { description } = drawPlot(name, scores, 'light');
  const address = (theme: string) =>
    `models/${name}/calibration.svg?theme=${theme}&v=${encodeURIComponent(measured_at)}`;
  return html`<figure><figcaption>${MODEL_TITLES[name]}</figcaption><picture><source media="(prefers-color-scheme: dark)" srcset="${address('dark')}"><img src="${address('light')}" width="480" height="528" alt="${description}"></picture></figure>`;
}

const SCORES = html`<ul>
<li>RPS, the ranked probability score, is 0 for a perfect forecast and 1 for the worst; a draw is nearer to a home win than an away win is.</li>
<li>Brier score and log-loss compare the probability of each outcome with what came. Smaller is better. “Over/under 2.5” is the log-loss of more than 2.5 goals.</li>
<li>Points: of ten groups of matches with similar forecasts, how far the predicted frequency is from the observed one, on average, in percentage points. On the dashed line of a picture both are equal.</li>
</ul>`;

export const MODELS_CSS = `:root{color-scheme:light dark;--line:color-mix(in srgb,currentColor 18%,transparent)}
body{margin:0;font:16px/1.5 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:1rem}
h2{margin:2rem 0 .5rem}
table{border-collapse:collapse;width:100%;margin-bottom:1rem;font-size:.95em}
th,td{text-align:right;padding:.25rem .5rem;border-top:1px solid var(--line);font-variant-numeric:tabular-nums}
th:first-child{text-align:left}
.scroll{overflow-x:auto}
figure{display:inline-block;margin:1rem 1rem 1rem 0;max-width:100%}
figure img{max-width:100%;height:auto}
`;
