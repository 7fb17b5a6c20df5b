/** A tournament's coverage as bars, one for each kind of data. */
import type { Coverage } from '../catalogue/schema.ts';
import type { Lang } from '../http/index.ts';
import { type Html, html } from '../site/html.ts';
import { fill, TEXTS } from '../site/texts/index.ts';

/** Pages that show the bars need coverage.css. */
export function coverageBars(blocks: Coverage['blocks'], lang: Lang): Html {
  const text = TEXTS[lang].leagues;
  const shown = Object.entries(text.blocks).flatMap(([block, label]) => {
    const covered = blocks[block];
    return covered === undefined ? [] : [{ label, ...covered }];
  });
  return html`<dl class="bars">${shown.map(
    ({ label, level, pct, since }) =>
      html`<div class="${level}"><dt>${label}</dt><dd>${percent(pct)}${
        since !== null && html` <span title="${fill(text.since, { day: since })}">${since.slice(0, 4)}</span>`
      }</dd><svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect width="${pct}" height="4"/></svg></div>`,
  )}</dl>`;
}

/** Formats a whole percentage. 0 and 100 are shown only if the value is exact. */
const percent = (pct: number) =>
  pct > 0 && pct < 1 ? '<1 %' : pct > 99 && pct < 100 ? '>99 %' : `${Math.round(pct)} %`;
