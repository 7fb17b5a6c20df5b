/** Values over time as bars. Positive bars point up from a line, and negative bars point down. */
import { type Html, html } from '../html.ts';
import { PALETTES, type Theme } from './palette.ts';
import { rounded } from './rounded.ts';
import type { SideColours } from './side-colours.ts';

/** Width in pixels. */
export const WIDTH = 720;
export const HEIGHT = 240;
const SIDE = 8;
const FONT_SIZE = 21;
/** Position of the line from which bars point up and down, and the length of the longest bar. */
const LINE_Y = 104;
const LONGEST = 84;
const MARK_RADIUS = 7;
/** Distance from the centre of a mark to the line. Marks are beyond the longest bar. */
const MARK_DISTANCE = 93;
/** Width of a bar, as a share of a step. The rest of the step is the gap to the next bar. */
const BAR_SHARE = 0.72;
const CORNER = 2;

export interface OpposedBars {
  /** Text for screen readers: what the picture shows, and how to read it. */
  title: string;
  description: string;
  /** One bar for each value. Values beyond ±max are drawn as ±max. Steps count from 1. */
  bars: readonly { step: number; value: number }[];
  max: number;
  /** Axis length in steps. */
  steps: number;
  labels: readonly { step: number; text: string }[];
  /** Steps after which there is a dashed line. */
  dividers: readonly number[];
  /** Circles at the upper or lower edge. */
  marks: readonly { step: number; above: boolean }[];
  theme: Theme;
  /** Colours of the bars that point up (home) and down. Null for the theme's own. */
  colours: SideColours | null;
}

/** Draws a standalone document (`image/svg+xml`) without scripts, styles or fonts. */
export function opposedBars(chart: OpposedBars): Html {
  const colour = { ...PALETTES[chart.theme], ...chart.colours };
  const stepWidth = (WIDTH - 2 * SIDE) / chart.steps;
  const centre = (step: number) => SIDE + (step - 0.5) * stepWidth;
  const onAxis = <T extends { step: number }>(items: readonly T[]) =>
    items.filter(({ step }) => step >= 1 && step <= chart.steps);
  const bars = onAxis(chart.bars);
  const paths = ([1, -1] as const).map((direction) => {
    const path = bars
      .filter(({ value }) => value * direction > 0)
      .map(({ step, value }) => {
        const length = (Math.min(Math.abs(value), chart.max) / chart.max) * LONGEST;
        return barPath(centre(step), stepWidth * BAR_SHARE, length, direction);
      });
    return html`<path fill="${direction === 1 ? colour.home : colour.away}" d="${path.join('')}"/>`;
  });
  const dividers = chart.dividers
    .filter((step) => step < chart.steps)
    .map((step) => {
      const x = rounded(SIDE + step * stepWidth);
      return html`<path stroke-dasharray="4" d="M${x} ${LINE_Y - LONGEST}V${LINE_Y + LONGEST}"/>`;
    });
  const marks = onAxis(chart.marks).map(({ step, above }) => {
    const [cy, fill] = above ? [LINE_Y - MARK_DISTANCE, colour.home] : [LINE_Y + MARK_DISTANCE, colour.away];
    return html`<circle cx="${rounded(centre(step))}" cy="${cy}" r="${MARK_RADIUS}" fill="${fill}"/>`;
  });
  const labels = onAxis(chart.labels).map((label) => axisLabel(label, centre(label.step)));
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}"
 role="img" aria-labelledby="title description">
<title id="title">${chart.title}</title><desc id="description">${chart.description}</desc>
<g stroke="${colour.line}"><path d="M${SIDE} ${LINE_Y}H${WIDTH - SIDE}"/>${dividers}</g>
${paths}
<g stroke="${colour.ink}" stroke-width="2">${marks}</g>
<g fill="${colour.text}" font-family="system-ui, sans-serif" font-size="${FONT_SIZE}" text-anchor="middle">${labels}</g>
</svg>
`;
}

/** A label on the axis. At the axis end, it is aligned so that it stays inside the picture. */
function axisLabel({ text }: { text: string }, x: number): Html {
  const half = (text.length * FONT_SIZE * 0.6) / 2;
  const inside = Math.min(Math.max(x, half), WIDTH - half);
  return html`<text x="${rounded(inside)}" y="${HEIGHT - 10}">${text}</text>`;
}

/** Draws a bar that is rounded at the free end. @param direction 1 up, -1 down */
function barPath(x: number, width: number, length: number, direction: 1 | -1): string {
  const corner = Math.min(CORNER, width / 2, length);
  const straight = rounded(-direction * (length - corner));
  const across = rounded(width - 2 * corner);
  const [c, up] = [rounded(corner), rounded(-direction * corner)];
  return `M${rounded(x - width / 2)} ${LINE_Y}v${straight}q0 ${up} ${c} ${up}h${across}q${c} 0 ${c} ${-up}v${-straight}z`;
}
