/** Tables that may be wider than the page. Such a table scrolls on its own, also by keyboard. */
import { type Html, html } from '../html.ts';

interface ScrollTable {
  /** Name for screen readers. */
  label: string;
  /** CSS class of the table. */
  kind?: string;
  head: Html | readonly Html[];
  rows: Html | readonly Html[];
}

export const scrollTable = ({ label, kind, head, rows }: ScrollTable): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table${kind && html` class="${kind}"`}>
<thead><tr>${head}</tr></thead>
<tbody>${rows}</tbody>
</table></div>`;

/**
 * Table heads.
 * @param kind CSS class for each head
 */
export const heads = (titles: readonly string[], kind?: string): Html[] =>
  titles.map((title) => html`<th scope="col"${kind && html` class="${kind}"`}>${title}</th>`);

/**
 * Head for a narrow column.
 * @param kind CSS class
 */
export const shortHead = (short: string, long: string, kind?: string): Html =>
  html`<th scope="col"${kind && html` class="${kind}"`}><abbr title="${long}">${short}</abbr></th>`;
