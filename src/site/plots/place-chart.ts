/** A side's place in the table from round to round, the first place at the top. Hidden from screen readers, since the page has a text. */
import { type Html, html } from '../html.ts';
import { rounded } from './rounded.ts';

const WIDTH = 400;
const HEIGHT = 150;
const MARGIN = { left: 24, bottom: 22, top: 10, right: 14 };
/** Number of characters for which there is room below the chart. */
const LABEL_CHARS = 32;

export interface PlaceChart {
  /** Place after each round; null before the first match. At least two are known. */
  positions: readonly (number | null)[];
  /** Number of places in the table. */
  places: number;
  /** Label of each round. */
  labels: readonly string[];
}

export function placeChart({ positions, places, labels }: PlaceChart): Html {
  const x = (index: number) =>
    rounded(MARGIN.left + (index / Math.max(1, positions.length - 1)) * (WIDTH - MARGIN.left - MARGIN.right));
  const y = (place: number) =>
    rounded(MARGIN.top + ((place - 1) / Math.max(1, places - 1)) * (HEIGHT - MARGIN.top - MARGIN.bottom));
  const levels = [...new Set([1, Math.ceil(places / 2), places])].map(
    (place) =>
      html`<path class="grid" d="M${MARGIN.left} ${y(place)}H${WIDTH - MARGIN.right}"/>
<text x="${MARGIN.left - 8}" y="${y(place) + 4}" text-anchor="end">${place}</text>`,
  );
  const longest = Math.max(...labels.map(({ length }) => length));
  const step = Math.ceil((labels.length * longest) / LABEL_CHARS);
  const rounds = labels.flatMap((label, index) =>
    index % step === 0 ? [html`<text x="${x(index)}" y="${HEIGHT - 6}" text-anchor="middle">${label}</text>`] : [],
  );
  const points = positions.flatMap((place, index) => (place === null ? [] : [`${x(index)} ${y(place)}`]));
  return html`<svg class="chart places" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">${levels}${rounds}
<path class="line" d="M${points.join('L')}"/></svg>`;
}
