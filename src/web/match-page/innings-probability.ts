/** The win probability of a Twenty20 match: the present chances while it is live, and a plot by balls. */
import {
  ballsIn,
  FULL_BALLS,
  type InningsMatch,
  type InningsPoint,
  inningsParameters,
  inningsTimeline,
} from '../../in-play/index.ts';
import { type Html, html } from '../../site/html.ts';
import { absent } from '../../site/layout.ts';
import { chanceChart } from '../../site/plots/index.ts';
import { CRICKET, fill, TEXTS } from '../../site/texts/index.ts';
import { AWAITING_DATA } from '../../wire/match.ts';
import { sideOf } from '../status-text.ts';
import { currentChances } from './current-chances.ts';
import type { MatchView } from './match-view.ts';

/** Overs between two marks on the axis. */
const TICK_OVERS = 5;
const BALLS_IN_OVER = 6;

export function inningsProbabilityPart(view: MatchView): Html {
  const { item, blocks, rates, lang } = view;
  const isLive = item.status === 'live';
  const chances = isLive ? blocks.win_probability : undefined;
  const points = rates === null ? [] : inningsTimeline(toMatch(view), rates, inningsParameters());
  const last = points.at(-1);
  // A provider's chances would contradict our line.
  const isOurs = !chances || (last?.homeWin === chances.homeWin && last.awayWin === chances.awayWin);
  const hasLine = points.length > 2 && isOurs;
  if (!chances && !hasLine) return absent('chances');
  return html`<section id="chances" class="panel"><h2>${TEXTS[lang].pages.winProbability}</h2>
${chances && currentChances(view, chances)}${hasLine && line(view, points)}
${hasLine && html`<p class="note">${CRICKET[lang].winProbabilityModel}</p>`}</section>`;
}

const toMatch = ({ item, blocks }: MatchView): InningsMatch => ({
  status: item.status,
  status_detail: item.status_detail === AWAITING_DATA ? 'in_play' : item.status_detail,
  home_score: sideOf(item, 'home').score,
  away_score: sideOf(item, 'away').score,
  given_winner: item.extra.winner ?? null,
  period_scores: item.extra.period_scores,
  innings: blocks.innings ?? [],
});

function line({ blocks, names, lang }: MatchView, points: readonly InningsPoint[]): Html {
  const [first, second] = (blocks.innings ?? []).filter(({ period }) => period.startsWith('I'));
  const length = first === undefined ? FULL_BALLS : ballsIn(first.overs);
  // The second innings begins where the first one has ended.
  const isSecond = ({ period }: InningsPoint) => period !== points[0]!.period;
  const start = points.some(isSecond) ? length : FULL_BALLS;
  const end = second
    ? Math.max(ballsIn(second.overs), ballsIn(second.target?.overs ?? second.max_overs ?? '20'))
    : FULL_BALLS;
  const shown = points.map((point) => ({
    played: (isSecond(point) ? start : 0) + ballsIn(point.overs),
    homeWin: point.homeWin,
    awayWin: point.awayWin,
    ...(point.reason === 'wicket' && {
      scored: fielding(point.period === first?.period ? first.batting : second?.batting),
    }),
  }));
  const marks = (from: number, balls: number) =>
    Array.from({ length: Math.floor(balls / BALLS_IN_OVER / TICK_OVERS) + 1 }, (_, index) => index * TICK_OVERS).map(
      (over) => ({
        at: from + over * BALLS_IN_OVER,
        label: String(over),
      }),
    );
  const own = marks(0, start - TICK_OVERS);
  const axis = { length: start + end, ticks: [...own, ...marks(start, end)] };
  const caption = fill(CRICKET[lang].winProbabilityText, names);
  return html`<figure>${chanceChart(shown, axis)}<figcaption>${caption}</figcaption></figure>`;
}

const fielding = (batting: 'home' | 'away' | undefined): 'home' | 'away' => (batting === 'home' ? 'away' : 'home');
