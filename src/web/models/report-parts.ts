/** Parts that all sections about measured models share: score tables and calibration pictures. */
import type { CalibrationPlot } from '../../analytics/backtest/index.ts';
import type { Lang } from '../../http/index.ts';
import { heads, scrollTable } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';

export const count = (value: number, lang: Lang): string => Math.round(value).toLocaleString(lang);
export const score = (value: number | null): string => (value === null ? '–' : value.toFixed(4));
/** Formats a share as percentage points. */
export const points = (value: number): string => (value * 100).toFixed(1);

/** @param rows table rows; each begins with its label */
export function scoreTable(label: string, head: readonly string[], rows: readonly (readonly string[])[]): Html {
  const line = ([name, ...cells]: readonly string[]) =>
    html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`;
  return scrollTable({ label, head: heads(head), rows: rows.map(line) });
}

export interface Picture {
  /** The model's name in the picture's URL. */
  name: string;
  caption: string;
  /** Part of the URL, so that a new measurement is not served from an old cache entry. */
  measured_at: string;
  plot: CalibrationPlot;
}

export function calibrationFigure({ name, caption, measured_at, plot }: Picture): Html {
  const address = (theme: string) =>
    `models/${name}/calibration.svg?theme=${theme}&v=${encodeURIComponent(measured_at)}`;
  return html`<figure><figcaption>${caption}</figcaption><picture>
<source media="(prefers-color-scheme: dark)" srcset="${address('dark')}">
<img src="${address('light')}" width="480" height="528" alt="${plot.description}">
</picture></figure>`;
}
