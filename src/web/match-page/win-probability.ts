/** Outcome chances: a bar for the current ones, and a plot over the match. */
import {
  type BySide,
  EXTRA_MINUTES,
  IN_PLAY_SPORTS,
  type InPlayMatch,
  inPlayParameters,
  isBeyondRegular,
  MatchProbabilities,
  type Point,
  REGULAR_MINUTES,
  timeline,
} from '../../in-play/index.ts';
import { type Html, html } from '../../site/html.ts';
import { absent } from '../../site/layout.ts';
import { chanceChart } from '../../site/plots/index.ts';
import { fill, TEXTS } from '../../site/texts/index.ts';
import { findSport } from '../../sports/sports.ts';
import { AWAITING_DATA } from '../../wire/match.ts';
import { hasForecast, type ReadCard } from '../match-analytics/load-card.ts';
import { sideOf } from '../status-text.ts';
import { currentChances } from './current-chances.ts';
import { inningsProbabilityPart } from './innings-probability.ts';
import { hasStarted, type MatchView } from './match-view.ts';

/** @param card a fixture with a forecast has no other chances, because two of them for one match would differ by a per cent */
export function winProbabilityPart(view: MatchView, card: ReadCard | null): Html {
  if (findSport(view.item.sport)?.wickets) return inningsProbabilityPart(view);
  if (view.item.status === 'finished') return finishedPart(view, card);
  const chances = view.blocks.win_probability;
  if (!chances || (!hasStarted(view) && hasForecast(card))) return absent('chances');
  const points = view.rates === null || !hasStarted(view) ? [] : curvePoints(view, view.rates);
  const last = points.at(-1);
  // A provider's chances would contradict our line.
  const isOurs = last !== undefined && last.homeWin === chances.homeWin && last.awayWin === chances.awayWin;
  return html`<section id="chances" class="panel"><h2>${TEXTS[view.lang].pages.winProbability}</h2>
${currentChances(view, chances)}${isOurs && line(view, points)}</section>`;
}

/**
 * Shows our line for a match that is over, whoever has sent chances while it was played. Providers' chances are not kept. If no
 * rates were stored before the match, they follow from the forecast or, without one, from the tournament's earlier matches.
 */
function finishedPart(view: MatchView, card: ReadCard | null): Html {
  const { item, rates, lang } = view;
  const hasModel = IN_PLAY_SPORTS.includes(item.sport) && card !== null && typeof card !== 'string';
  const expected = rates ?? (hasModel ? (card.model?.calibrated?.expected_goals ?? card.expected ?? null) : null);
  const points = expected === null ? [] : curvePoints(view, expected);
  // Without the minutes of all goals, only the start and the end are known.
  if (points.length <= 2) return absent('chances');
  const text = TEXTS[lang].pages;
  return html`<section id="chances" class="panel"><h2>${text.winProbability}</h2>
${line(view, points)}<p class="note">${text.winProbabilityModel}</p></section>`;
}

/** @param rates each side's expected goals in 90 minutes */
function curvePoints({ item, blocks }: MatchView, rates: BySide): Point[] {
  const parameters = inPlayParameters();
  return timeline(inPlay(item, blocks), new MatchProbabilities(rates, parameters), parameters);
}

const inPlay = (item: MatchView['item'], blocks: MatchView['blocks']): InPlayMatch => ({
  status: item.status,
  status_detail: item.status_detail === AWAITING_DATA ? 'in_play' : item.status_detail,
  minute: item.minute,
  home_score: sideOf(item, 'home').score,
  away_score: sideOf(item, 'away').score,
  period_scores: item.extra.period_scores,
  incidents: blocks.incidents ?? [],
});

const TICK_MINUTES = 15;

function line({ item, blocks, lang, names }: MatchView, points: readonly Point[]): Html {
  const minutes = isBeyondRegular(inPlay(item, blocks)) ? REGULAR_MINUTES + EXTRA_MINUTES : REGULAR_MINUTES;
  const caption = fill(TEXTS[lang].pages.winProbabilityText, names);
  const ticks = Array.from({ length: minutes / TICK_MINUTES + 1 }, (_, index) => index * TICK_MINUTES);
  const axis = { length: minutes, ticks: ticks.map((at) => ({ at, label: `${at}′` })) };
  return html`<figure>${chanceChart(points.map(withScorer), axis)}<figcaption>${caption}</figcaption></figure>`;
}

function withScorer(point: Point, index: number, points: readonly Point[]) {
  const before = points[index - 1];
  if (point.reason !== 'goal' || before === undefined) return point;
  return { ...point, scored: point.home_score > before.home_score ? ('home' as const) : ('away' as const) };
}
