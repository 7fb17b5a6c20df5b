/** Counts for a few classes as labelled bars, such as goals by quarter of an hour. */
import { type Html, html } from '../html.ts';
import { rounded } from './rounded.ts';

const STEP = 60;
const HEIGHT = 150;
const BASE = 122;
const LONGEST = 96;
const BAR = 36;

/** @param title short description for screen readers, with the counts */
export function countBars(title: string, classes: readonly { label: string; count: number }[]): Html {
  const most = Math.max(1, ...classes.map(({ count }) => count));
  return html`<svg class="chart" viewBox="0 0 ${classes.length * STEP} ${HEIGHT}" role="img" aria-label="${title}">${classes.map(
    ({ label, count }, index) => {
      const middle = (index + 0.5) * STEP;
      const height = (count / most) * LONGEST;
      return html`<rect class="bar" x="${middle - BAR / 2}" y="${rounded(BASE - height)}" width="${BAR}" height="${rounded(height)}"/>
<text x="${middle}" y="${rounded(BASE - height - 6)}" text-anchor="middle">${count}</text>
<text x="${middle}" y="${HEIGHT - 8}" text-anchor="middle">${label}</text>`;
    },
  )}</svg>`;
}
