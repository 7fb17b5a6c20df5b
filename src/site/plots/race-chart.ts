/**
 * Lines that show how the shares of a few rivals change over the months of a season. Hidden from screen readers, because the page has a
 * table with the shares.
 */
import { DAY_MS, utcDay } from '../../wire/time.ts';
import { type Html, html } from '../html.ts';
import { rounded } from './rounded.ts';

/** A share between 0 and 1 on one day. */
export interface RacePoint {
  /** YYYY-MM-DD */
  date: string;
  share: number;
}

export interface RaceChart {
  /** Up to four rivals. Each has points on at least two days, oldest first. */
  series: readonly { name: string; points: readonly RacePoint[] }[];
  /** Returns a month's label. @param month first day of the month, YYYY-MM-DD */
  monthLabel: (month: string) => string;
}

const WIDTH = 480;
const HEIGHT = 220;
const MARGIN = { left: 46, bottom: 26, top: 10, right: 14 };
const LEVELS = [0, 0.25, 0.5, 0.75, 1];
const MOST_MONTHS = 6;

const dayNumber = (date: string) => Date.parse(date) / DAY_MS;

/** The lines differ in colour and dash pattern. */
export function raceChart({ series, monthLabel }: RaceChart): Html {
  const days = series.flatMap(({ points }) => points.map(({ date }) => date)).sort();
  const [first, last] = [days[0]!, days.at(-1)!];
  const span = Math.max(1, dayNumber(last) - dayNumber(first));
  const x = (date: string) =>
    rounded(MARGIN.left + ((dayNumber(date) - dayNumber(first)) / span) * (WIDTH - MARGIN.left - MARGIN.right));
  const y = (share: number) => rounded(MARGIN.top + (1 - share) * (HEIGHT - MARGIN.top - MARGIN.bottom));
  const levels = LEVELS.map(
    (level) =>
      html`<path class="grid" d="M${MARGIN.left} ${y(level)}H${WIDTH - MARGIN.right}"/>
<text x="${MARGIN.left - 6}" y="${y(level) + 4}" text-anchor="end">${level * 100}%</text>`,
  );
  const months = monthsBetween(first, last).map(
    (month) => html`<text x="${x(month)}" y="${HEIGHT - 6}" text-anchor="middle">${monthLabel(month)}</text>`,
  );
  const lines = series.map(
    ({ points }, index) =>
      html`<path class="race race-${index}" d="M${points.map(({ date, share }) => `${x(date)} ${y(share)}`).join('L')}"/>`,
  );
  const legend = series.map(
    ({ name }, index) =>
      html`<li>
<svg viewBox="0 0 28 8" width="28" height="8" aria-hidden="true"><path class="race race-${index}" d="M0 4H28"/></svg> ${name}</li>`,
  );
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">${levels}${months}${lines}</svg>
<ul class="races">${legend}</ul>`;
}

/**
 * Returns the first days of the months that begin within the period. If there are more than six, returns at most six at equal distances.
 */
function monthsBetween(first: string, last: string): string[] {
  const months: string[] = [];
  const [year, month] = first.split('-').map(Number);
  for (let index = 0; ; index += 1) {
    const date = utcDay(Date.UTC(year!, month! + index, 1));
    if (date > last) break;
    months.push(date);
  }
  const step = Math.max(1, Math.ceil(months.length / MOST_MONTHS));
  return months.filter((_, index) => index % step === 0);
}
