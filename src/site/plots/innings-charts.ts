/** Charts of innings in cricket. Hidden from screen readers, because the page has the scorecards. */
import { type Html, html } from '../html.ts';
import { rounded } from './rounded.ts';

export interface ChartInnings {
  side: 'home' | 'away';
  /** True for a side's second innings, whose line is dashed. */
  again: boolean;
  overs: readonly { runs: number; wickets: number }[];
}

const WIDTH = 720;
const HEIGHT = 260;
const MARGIN = { left: 52, bottom: 34, top: 12, right: 12 };
const PLOT = { width: WIDTH - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom };
const MARK_RADIUS = 5;
const MOST_TICKS = 6;
/** Share of an over's width that its bars fill. */
const BAR_SHARE = 0.8;

/** Returns a distance between ticks that gives a handful of them. */
function tickStep(most: number): number {
  const steps = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500];
  return steps.find((step) => most / step <= MOST_TICKS) ?? 1_000;
}

interface Axes {
  x: (over: number) => number;
  y: (runs: number) => number;
  grid: Html[];
}

function axes(overs: number, most: number): Axes {
  const x = (over: number) => rounded(MARGIN.left + (over / Math.max(1, overs)) * PLOT.width);
  const y = (runs: number) => rounded(MARGIN.top + (1 - runs / Math.max(1, most)) * PLOT.height);
  const ticks = (end: number) => {
    const step = tickStep(end);
    return Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => index * step);
  };
  const levels = ticks(most).map(
    (runs) => html`<path class="level-line" d="M${MARGIN.left} ${y(runs)}H${WIDTH - MARGIN.right}"/>
<text x="${MARGIN.left - 8}" y="${y(runs) + 7}" text-anchor="end">${runs}</text>`,
  );
  const marks = ticks(overs)
    .slice(1)
    .map((over) => html`<text x="${x(over)}" y="${HEIGHT - 6}" text-anchor="middle">${over}</text>`);
  return { x, y, grid: [...levels, ...marks] };
}

const kind = ({ side, again }: ChartInnings) => `${side}${again ? ' again' : ''}`;

/** The runs of each innings after each over, as lines with a dot for each wicket. */
export function wormChart(innings: readonly ChartInnings[]): Html {
  const overs = Math.max(...innings.map((one) => one.overs.length));
  const totals = innings.map((one) => {
    let sum = 0;
    return one.overs.map(({ runs }) => {
      sum += runs;
      return sum;
    });
  });
  const { x, y, grid } = axes(overs, Math.max(...totals.flat(), 1));
  const lines = innings.map((one, index) => {
    const points = [0, ...totals[index]!].map((runs, over) => `${x(over)} ${y(runs)}`);
    const dots = one.overs.flatMap(({ wickets }, over) =>
      wickets > 0
        ? [html`<circle class="${one.side}" cx="${x(over + 1)}" cy="${y(totals[index]![over]!)}" r="${MARK_RADIUS}"/>`]
        : [],
    );
    return html`<path class="worm ${kind(one)}" d="M${points.join('L')}"/>${dots}`;
  });
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">${grid}${lines}</svg>`;
}

/** The runs in each over as bars, those of all innings side by side. */
export function overBars(innings: readonly ChartInnings[]): Html {
  const overs = Math.max(...innings.map((one) => one.overs.length));
  const { x, y, grid } = axes(overs, Math.max(...innings.flatMap((one) => one.overs.map(({ runs }) => runs)), 1));
  const width = ((PLOT.width / Math.max(1, overs)) * BAR_SHARE) / innings.length;
  const bars = innings.map((one, place) =>
    one.overs.map(({ runs, wickets }, over) => {
      const left = rounded(x(over) + place * width + width * (1 - BAR_SHARE));
      const size = html`width="${rounded(width)}" height="${rounded(y(0) - y(runs))}"`;
      const bar = html`<rect class="${kind(one)}" x="${left}" y="${y(runs)}" ${size}/>`;
      const dot =
        wickets > 0 &&
        html`<circle class="${one.side}" cx="${rounded(left + width / 2)}" cy="${rounded(y(runs) - MARK_RADIUS)}" r="${MARK_RADIUS}"/>`;
      return html`${bar}${dot}`;
    }),
  );
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">${grid}${bars}</svg>`;
}
