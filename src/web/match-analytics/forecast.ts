/** The model's forecast: outcome chances, expected goals and likely scores. After the match, it also shows the actual result. */

import {
  likelyScorelines,
  type Model,
  type ScoreMatrix,
  scoreMatrix,
  scoreProbability,
  toProbabilities,
} from '../../analytics/poisson/index.ts';
import { type Html, html } from '../../site/html.ts';
import { absent } from '../../site/layout.ts';
import { heatMap, shareBar } from '../../site/plots/index.ts';
import { decimalText, fill, percentText, TEXTS } from '../../site/texts/index.ts';
import { findSport } from '../../sports/sports.ts';
import { hasStarted, type MatchView } from '../match-page/match-view.ts';
import { shootOut, sideOf } from '../status-text.ts';
import type { PageCard } from './load-card.ts';
import { mark, outcomes, type Result } from './outcome-chances.ts';
import { ratingForecast } from './rating-forecast.ts';

/** Only matches that were played to the end count, because a result that an organiser decided says nothing about a forecast. */
const PLAYED: readonly string[] = ['ended', 'after_extra_time', 'after_penalties'];

/**
 * Returns the result as the forecast counts it. In a sport without draws after shoot-outs, kicks decide the match.
 * If the score does not show the winner, as after a revised target in cricket, the result is 1:0 for the winner.
 */
export function findResult({ item }: MatchView): Result | null {
  const [home, away] = [sideOf(item, 'home').score, sideOf(item, 'away').score];
  if (!PLAYED.includes(item.status_detail) || home === null || away === null) return null;
  const { winner: given } = item.extra;
  if (given !== undefined) return { home: Number(given === 'home'), away: Number(given === 'away') };
  if (home !== away || findSport(item.sport)?.shootOutDraws === true) return { home, away };
  const kicks = shootOut(item);
  if (kicks !== undefined)
    return { home: home + Number(kicks.home > kicks.away), away: away + Number(kicks.away > kicks.home) };
  const { shootout_winner: winner } = item.extra;
  return { home: home + Number(winner === 'home'), away: away + Number(winner === 'away') };
}

export function forecastPart(card: PageCard, view: MatchView): Html {
  const { model, rating } = card;
  const result = findResult(view);
  if (model === null) return rating === null ? absent('forecast') : ratingForecast(rating, view, result);
  const text = TEXTS[view.lang].analytics;
  const { calibrated } = model;
  const { probabilities, expected_goals } = calibrated ?? model;
  const independent = scoreMatrix(expected_goals.home, expected_goals.away);
  // The calibrated model moves probability between low scores. The amount moved is the difference in the chance of a home win.
  const moved = calibrated ? probabilities.home_win / 100 - toProbabilities(independent).home_win : 0;
  const matrix = { ...independent, moved };
  const likely = (calibrated ?? model).likely_scorelines;
  return html`<section id="forecast" class="panel"><h2>${hasStarted(view) ? text.forecastBefore : text.forecast}</h2>
${outcomes(probabilities, view, result)}
<dl class="figures">${goals(text.expectedGoals, expected_goals, (value) => decimalText(value, view.lang))}
${result && goals(text.goalsScored, result, String)}</dl>
${findSport(card.sport)?.page.goalShares && events(probabilities, view, result)}
<h3>${text.likelyScores}</h3>
<ol class="scorelines">${likely.map(({ score, prob }) => {
    const came = result !== null && score === `${result.home}:${result.away}`;
    return html`<li${came && html` class="came"`}><b>${score}</b> <span>${percentText(prob)}</span>${came && mark(text.happened)}</li>`;
  })}</ol>
${!hasStarted(view) && findSport(card.sport)?.page.goalShares && scoreChances(matrix, view)}
${calibrated && basicModel(model, card.neutral, view)}
</section>`;
}

const likelyScores = (matrix: ScoreMatrix) =>
  likelyScorelines(matrix).map(({ home, away, probability }) => ({
    score: `${home}:${away}`,
    prob: probability * 100,
  }));

/** Goals per side that the heat map shows. */
const SHOWN_GOALS = 5;

function scoreChances(matrix: ScoreMatrix, { lang, names }: MatchView): Html {
  const text = TEXTS[lang].analytics;
  const goals = Array.from({ length: SHOWN_GOALS + 1 }, (_, count) => count);
  const shares = goals.map((home) => goals.map((away) => Math.max(0, scoreProbability(matrix, home, away))));
  const axes = fill(text.heatMapText, { home: names.home, away: names.away });
  const likely = likelyScores(matrix).map(({ score, prob }) => `${score} ${percentText(prob)}`);
  const describe = (home: number, away: number) => `${home}:${away} ${percentText((shares[home]?.[away] ?? 0) * 100)}`;
  return html`<h3>${text.heatMap}</h3><p class="note">${axes}</p>
${heatMap(shares, { label: `${axes} ${likely.join(', ')}`, lang, describe })}`;
}

type Probabilities = Model['probabilities'];

function goals(name: string, { home, away }: Result, show: (value: number) => string): Html {
  const sum = home + away;
  const share = sum > 0 ? (home / sum) * 100 : 0;
  return html`<div><dt>${name}</dt><dd class="home">${show(home)}</dd><dd class="away">${show(away)}</dd>
${shareBar([
  { share, kind: 'home' },
  { share: 100 - share, kind: sum > 0 ? 'away' : 'none' },
])}</div>`;
}

function events({ over_2_5, btts }: Probabilities, { lang }: MatchView, result: Result | null): Html {
  const text = TEXTS[lang].analytics;
  const rows: [string, number, boolean | null][] = [
    [text.over25, over_2_5, result && result.home + result.away > 2],
    [text.bothScore, btts, result && result.home > 0 && result.away > 0],
  ];
  return html`<dl class="likelihoods">${rows.map(
    ([name, share, came]) =>
      html`<div><dt>${name}</dt>
<dd>${percentText(share)}${came === true && mark(text.happened)}${
        came === false && html` <span class="mark">${text.didNotHappen}</span>`
      }</dd>
${shareBar([
  { share, kind: 'level' },
  { share: 100 - share, kind: 'none' },
])}</div>`,
  )}</dl>`;
}

/** The basic model's forecast, for comparison. */
function basicModel({ probabilities, likely_scorelines }: Model, isNeutral: boolean, { lang, names }: MatchView): Html {
  const text = TEXTS[lang].analytics;
  const { home_win, draw, away_win } = probabilities;
  const [home, level, away] = [home_win, draw, away_win].map(percentText);
  const scores = likely_scorelines.map(({ score, prob }) => `${score} ${percentText(prob)}`).join(', ');
  return html`<details class="compare"><summary>${text.compare}</summary><h3>${text.basicModel}</h3>
<p class="basic">${names.home} ${home}, ${text.draw.toLocaleLowerCase(lang)} ${level}, ${names.away} ${away}</p>
<p class="basic">${text.likelyScores}: ${scores}</p>
<p class="note">${isNeutral ? text.basicModelNeutral : text.basicModelText}</p></details>`;
}
