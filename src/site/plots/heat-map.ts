/** A grid of shares whose rows and columns count from 0, such as the chance of each final score. */
import type { Lang } from '../../http/index.ts';
import { type Html, html } from '../html.ts';

const MARGIN = 24;
const CELL = { width: 34, height: 26 };
const GAP = 1;
/** Opacity for a share of 0 and for the largest share. Text is readable on both, in light and dark themes. */
const OPACITY = { least: 0.04, most: 0.5 };

/**
 * @param shares by row, then column, between 0 and 1
 * @param label short description of the content for screen readers, with the main figures
 * @param describe returns the text that a cell shows on hover
 */
export function heatMap(
  shares: readonly (readonly number[])[],
  { label, lang, describe }: { label: string; lang: Lang; describe: (row: number, column: number) => string },
): Html {
  const most = Math.max(...shares.flat(), Number.MIN_VALUE);
  const columns = shares[0]?.length ?? 0;
  const cell = (share: number, row: number, column: number) => {
    const [x, y] = [MARGIN + column * CELL.width, MARGIN + row * CELL.height];
    const opacity = (OPACITY.least + ((OPACITY.most - OPACITY.least) * share) / most).toFixed(2);
    const percent = (share * 100).toLocaleString(lang, { maximumFractionDigits: share < 0.1 ? 1 : 0 });
    return html`<g>
<title>${describe(row, column)}</title>
<rect class="heat" x="${x}" y="${y}" width="${CELL.width - GAP}" height="${CELL.height - GAP}" fill-opacity="${opacity}"/>
<text x="${x + CELL.width / 2}" y="${y + 17}" text-anchor="middle">${percent}</text></g>`;
  };
  const columnLabels = Array.from(
    { length: columns },
    (_, column) => html`<text x="${MARGIN + (column + 0.5) * CELL.width}" y="16" text-anchor="middle">${column}</text>`,
  );
  const rowLabels = shares.map(
    (_, row) => html`<text x="10" y="${MARGIN + row * CELL.height + 17}" text-anchor="middle">${row}</text>`,
  );
  const cells = shares.map((line, row) => line.map((share, column) => cell(share, row, column)));
  return html`<svg class="heatmap" viewBox="0 0 ${MARGIN + columns * CELL.width} ${MARGIN + shares.length * CELL.height}" role="img"
 aria-label="${label}">${columnLabels}${rowLabels}${cells}</svg>`;
}
