/**
 * Counts by day as bars, with the refused part on top. Hidden from screen readers, since the page shows the figures as
 * text.
 */
import { type Html, html } from '../html.ts';
import { rounded } from './rounded.ts';

export interface DayCount {
  /** YYYY-MM-DD */
  day: string;
  count: number;
  /** The part of `count` that was refused. */
  refused: number;
}

const WIDTH = 720;
const HEIGHT = 160;
/** Gap between bars, as a share of a day's width. */
const GAP = 0.25;

/** @param days in order, without gaps */
export function dayBars(days: readonly DayCount[]): Html {
  const most = Math.max(1, ...days.map(({ count }) => count));
  const width = WIDTH / Math.max(1, days.length);
  const bars = days.map(({ day, count, refused }, index) => {
    const [height, top] = [(count / most) * HEIGHT, (refused / most) * HEIGHT];
    const x = rounded((index + GAP / 2) * width);
    const bar = (kind: string, y: number, tall: number) =>
      html`<rect class="${kind}" x="${x}" y="${rounded(y)}" width="${rounded(width * (1 - GAP))}" height="${rounded(tall)}"/>`;
    return html`<g>
<title>${day}: ${count}</title>
${bar('answered', HEIGHT - height + top, height - top)}${top > 0 && bar('refused', HEIGHT - height, top)}</g>`;
  });
  return html`<svg class="days" viewBox="0 0 ${WIDTH} ${HEIGHT + 1}" preserveAspectRatio="none" aria-hidden="true">
<line x1="0" x2="${WIDTH}" y1="${HEIGHT + 0.5}" y2="${HEIGHT + 0.5}"/>${bars}</svg>`;
}
