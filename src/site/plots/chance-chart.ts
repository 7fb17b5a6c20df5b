/**
 * The chances of the three outcomes over a match, as stacked areas. Hidden from screen readers, since the page shows the last values as
 * text.
 */
import { type Html, html } from '../html.ts';
import { rounded } from './rounded.ts';

export interface ChancePoint {
  /** Minutes, or balls, played. */
  played: number;
  /** Percent. Home, draw and away add up to 100. */
  homeWin: number;
  awayWin: number;
  /** The side that has scored, or taken a wicket, at this point, if any. */
  scored?: 'home' | 'away';
}

const WIDTH = 720;
const HEIGHT = 220;
const MARGIN = { top: 10, bottom: 34 };
const PLOT = HEIGHT - MARGIN.top - MARGIN.bottom;
const MARK_RADIUS = 6;

export interface ChanceAxis {
  length: number;
  /** Begins at 0; grid lines stand at all marks between the first and the last. */
  ticks: readonly { at: number; label: string }[];
}

/** @param points at least one, in order of play */
export function chanceChart(points: readonly ChancePoint[], { length, ticks }: ChanceAxis): Html {
  const x = (played: number) => rounded((Math.min(played, length) / length) * WIDTH);
  const y = (share: number) => rounded(MARGIN.top + (share / 100) * PLOT);
  const end = x(points.at(-1)!.played);
  const edge = (share: (point: ChancePoint) => number) =>
    points.map((point) => `${x(point.played)} ${y(share(point))}`).join('L');
  const [top, bottom] = [y(0), y(100)];
  const home = edge(({ homeWin }) => homeWin);
  const away = edge(({ awayWin }) => 100 - awayWin);
  const labels = ticks.map(({ at, label }) => {
    const anchor = at === 0 ? 'start' : at === length ? 'end' : 'middle';
    return html`<text x="${x(at)}" y="${HEIGHT - 6}" text-anchor="${anchor}">${label}</text>`;
  });
  const grid = ticks.slice(1, -1).map(({ at }) => html`<path class="grid" d="M${x(at)} ${top}V${bottom}"/>`);
  const marks = points.flatMap(({ played, scored }) =>
    scored
      ? [
          html`<circle class="${scored}" cx="${x(played)}" cy="${scored === 'home' ? top : bottom}" r="${MARK_RADIUS}"/>`,
        ]
      : [],
  );
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">
<path class="level" d="M0 ${top}H${end}V${bottom}H0Z"/>
<path class="home" d="M${home}L${end} ${top}H0Z"/>
<path class="away" d="M${away}L${end} ${bottom}H0Z"/>
${grid}${marks}${labels}</svg>`;
}
