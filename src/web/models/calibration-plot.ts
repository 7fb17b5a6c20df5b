/**
 * Plots predicted against observed frequencies. Points on the diagonal are forecasts that came true as often as
 * predicted.
 */
import type { CalibrationPlot } from '../../analytics/backtest/index.ts';
import { type Html, html } from '../../site/html.ts';
import { PALETTES, type Palette, rounded, THEMES, type Theme } from '../../site/plots/index.ts';

/** Pixels. */
const SIZE = 480;
const HEIGHT = 528;
const MARGIN = { left: 64, top: 16, right: 24, bottom: 64 };
const PLOT = SIZE - MARGIN.left - MARGIN.right;
const FONT_SIZE = 16;
/** Distance from a mark's centre to its edge. */
const REACH = 5;
const LEGEND_Y = HEIGHT - 14;
const TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1];

/** The marks differ in shape as well as colour, for readers who cannot tell the colours apart. */
const MARKS = [
  { shape: 'circle', colour: 'home' },
  { shape: 'square', colour: 'text' },
  { shape: 'diamond', colour: 'away' },
] as const;
type Mark = (typeof MARKS)[number];

const x = (value: number) => rounded(MARGIN.left + value * PLOT);
const y = (value: number) => rounded(MARGIN.top + (1 - value) * PLOT);
const percent = (value: number) => `${Math.round(value * 100)}`;

/** Draws a standalone document (`image/svg+xml`) without scripts, styles or fonts. */
export function calibrationPlot({ title, description, series, axes }: CalibrationPlot, theme: Theme): Html {
  const colour = PALETTES[theme];
  const drawn = MARKS.flatMap((mark, index) => {
    const one = series[index];
    return one === undefined ? [] : [{ ...one, mark }];
  });
  const grid = TICKS.map((tick) => html`<path d="M${x(tick)} ${y(0)}V${y(1)}M${x(0)} ${y(tick)}H${x(1)}"/>`);
  const labels = TICKS.map(
    (tick) =>
      html`<text x="${x(tick)}" y="${y(0) + 22}" text-anchor="middle">${percent(tick)}</text>
<text x="${x(0) - 8}" y="${y(tick) + 5}" text-anchor="end">${percent(tick)}</text>`,
  );
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${HEIGHT}"
viewBox="0 0 ${SIZE} ${HEIGHT}" role="img" aria-labelledby="title description">
<title id="title">${title}</title><desc id="description">${description}</desc>
<g stroke="${colour.line}" stroke-opacity="0.35">${grid}</g>
<path stroke="${colour.line}" stroke-width="2" stroke-dasharray="6" d="M${x(0)} ${y(0)}L${x(1)} ${y(1)}"/>
${drawn.map(({ mark, ...one }) => seriesMarks(one, mark, colour))}
<g fill="${colour.text}" font-family="system-ui, sans-serif" font-size="${FONT_SIZE}">${labels}
<text x="${x(0.5)}" y="${y(0) + 44}" text-anchor="middle">${axes.predicted}</text>
<text transform="translate(18 ${y(0.5)}) rotate(-90)" text-anchor="middle">${axes.observed}</text>
${drawn.map(({ name, mark }, index) => legend(name, mark, index, colour))}</g>
</svg>
`;
}

export const calibrationPlots = (plot: CalibrationPlot) =>
  THEMES.map((theme) => ({ theme, svg: calibrationPlot(plot, theme).text }));

function seriesMarks({ name, points }: CalibrationPlot['series'][number], mark: Mark, colour: Palette): Html {
  const marks = points.map(({ predicted, observed, count }) => {
    const title = `${name}: ${percent(predicted)} % → ${percent(observed)} % (${count})`;
    return html`<g><title>${title}</title>${draw(mark, x(predicted), y(observed))}</g>`;
  });
  const line = points.map(({ predicted, observed }) => `${x(predicted)} ${y(observed)}`).join('L');
  const fill = colour[mark.colour];
  const path = points.length > 1 && html`<path fill="none" stroke="${fill}" stroke-width="1.5" d="M${line}"/>`;
  return html`<g fill="${fill}">${path}${marks}</g>`;
}

function draw({ shape }: Mark, cx: number, cy: number): Html {
  if (shape === 'circle') return html`<circle cx="${cx}" cy="${cy}" r="${REACH}"/>`;
  if (shape === 'square')
    return html`<rect x="${rounded(cx - REACH)}" y="${rounded(cy - REACH)}" width="${2 * REACH}" height="${2 * REACH}"/>`;
  const far = REACH + 1;
  return html`<path d="M${cx} ${rounded(cy - far)}l${far} ${far} ${-far} ${far} ${-far} ${-far}z"/>`;
}

function legend(name: string, mark: Mark, index: number, colour: Palette): Html {
  const left = MARGIN.left + (index * PLOT) / MARKS.length;
  return html`<g fill="${colour[mark.colour]}">${draw(mark, left + REACH, LEGEND_Y - REACH)}</g>
<text x="${rounded(left + 4 * REACH)}" y="${LEGEND_Y}">${name}</text>`;
}
