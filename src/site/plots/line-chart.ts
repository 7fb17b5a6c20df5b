/** Values over time as a line. Hidden from screen readers, since the page shows the last value as text. */
import { DAY_MS } from '../../wire/time.ts';
import { type Html, html } from '../html.ts';
import { rounded } from './rounded.ts';

export interface ChartPoint {
  /** YYYY-MM-DD. */
  date: string;
  value: number;
}

const WIDTH = 720;
const HEIGHT = 200;
const MARGIN = { left: 44, bottom: 22, top: 8, right: 8 };
const MAX_YEARS = 8;

const dayNumber = (date: string) => Date.parse(date) / DAY_MS;

/** @param points at least two, oldest first */
export function lineChart(points: readonly ChartPoint[]): Html {
  const [first, last] = [dayNumber(points[0]!.date), dayNumber(points.at(-1)!.date)];
  const values = points.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const span = Math.max(1, high - low);
  const x = (day: number) =>
    MARGIN.left + ((day - first) / Math.max(1, last - first)) * (WIDTH - MARGIN.left - MARGIN.right);
  const y = (value: number) => MARGIN.top + ((high - value) / span) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  const line = points.map(({ date, value }) => `${rounded(x(dayNumber(date)))} ${rounded(y(value))}`).join('L');
  const levels = [low, (low + high) / 2, high].map(
    (value) =>
      html`<path class="grid" d="M${MARGIN.left} ${rounded(y(value))}H${WIDTH - MARGIN.right}"/>
<text x="${MARGIN.left - 6}" y="${rounded(y(value) + 4)}" text-anchor="end">${Math.round(value)}</text>`,
  );
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">${levels}${years(
    points[0]!.date,
    points.at(-1)!.date,
  ).map(
    (year) =>
      html`<text x="${rounded(x(dayNumber(`${year}-01-01`)))}" y="${HEIGHT - 4}" text-anchor="middle">${year}</text>`,
  )}<path class="line" d="M${line}"/></svg>`;
}

/** Returns the years that begin within the period. If there are more than eight, returns at most eight at equal distances. */
function years(from: string, to: string): number[] {
  const [first, last] = [Number(from.slice(0, 4)) + 1, Number(to.slice(0, 4))];
  const step = Math.max(1, Math.ceil((last - first + 1) / MAX_YEARS));
  return Array.from({ length: Math.max(0, Math.floor((last - first) / step) + 1) }, (_, index) => first + index * step);
}
