/** Outcome chances: a bar for the current ones, and a plot over the match. */
import {
  EXTRA_MINUTES,
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
import { chanceChart, shareBar } from '../../site/plots/index.ts';
import { fill, TEXTS } from '../../site/texts/index.ts';
import { AWAITING_DATA } from '../../wire/match.ts';
import { hasForecast, type ReadCard } from '../match-analytics/load-card.ts';
import { sideOf } from '../status-text.ts';
import { hasStarted, type MatchView } from './match-view.ts';

/** @param card a fixture with a forecast has no other chances, because two of them for one match would differ by a per cent */
export function winProbabilityPart(view: MatchView, card: ReadCard | null): Html {
  const chances = view.blocks.win_probability;
  if (!chances || (!hasStarted(view) && hasForecast(card))) return absent('chances');
  const isOver = view.item.status === 'finished';
  const line = chart(view);
  if (isOver && line === null) return absent('chances');
  const text = TEXTS[view.lang].pages;
  return html`<section id="chances" class="panel"><h2>${text.winProbability}</h2>
${isOver ? null : now(view, chances)}${line}</section>`;
}

function now({ lang, names }: MatchView, chances: NonNullable<MatchView['blocks']['win_probability']>): Html {
  const text = TEXTS[lang].pages;
  const draw = chances.draw ?? 0;
  const home = Math.round(chances.homeWin);
  const level = Math.round(draw);
  return html`<ul class="chances"><li><b>${home} %</b> ${names.home}</li>
${chances.draw !== null && html`<li><b>${level} %</b> ${text.draw}</li>`}
<li><b>${100 - home - level} %</b> ${names.away}</li></ul>
${shareBar([
  { share: chances.homeWin, kind: 'home' },
  { share: draw, kind: 'level' },
  { share: chances.awayWin, kind: 'away' },
])}`;
}

/** Returns null before the start, without rates, or if a provider sent win probabilities, which this plot would contradict. */
function chart({ item, blocks, rates, lang, names }: MatchView): Html | null {
  if (rates === null || item.status === 'scheduled') return null;
  const match: InPlayMatch = {
    status: item.status,
    status_detail: item.status_detail === AWAITING_DATA ? 'in_play' : item.status_detail,
    minute: item.minute,
    home_score: sideOf(item, 'home').score,
    away_score: sideOf(item, 'away').score,
    period_scores: item.extra.period_scores,
    incidents: blocks.incidents ?? [],
  };
  const parameters = inPlayParameters();
  const points = timeline(match, new MatchProbabilities(rates, parameters), parameters);
  const { homeWin, awayWin } = blocks.win_probability!;
  const last = points.at(-1);
  if (last === undefined || last.homeWin !== homeWin || last.awayWin !== awayWin) return null;
  const minutes = isBeyondRegular(match) ? REGULAR_MINUTES + EXTRA_MINUTES : REGULAR_MINUTES;
  const caption = fill(TEXTS[lang].pages.winProbabilityText, names);
  return html`<figure>${chanceChart(points.map(withScorer), minutes)}<figcaption>${caption}</figcaption></figure>`;
}

function withScorer(point: Point, index: number, points: readonly Point[]) {
  const before = points[index - 1];
  if (point.reason !== 'goal' || before === undefined) return point;
  return { ...point, scored: point.home_score > before.home_score ? ('home' as const) : ('away' as const) };
}
