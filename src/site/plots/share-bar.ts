/** Shares of a whole as one bar. Hidden from screen readers, since the page shows the figures as text. */
import { type Html, html } from '../html.ts';
import { rounded } from './rounded.ts';

export interface Share {
  /** Percent. All parts add up to 100. */
  share: number;
  /** CSS class, coloured by the page's style sheet. */
  kind: 'home' | 'away' | 'level' | 'none';
}

/** Draws the bar. Widths are attributes, because the pages' content security policy allows no style attributes. */
export function shareBar(parts: readonly Share[]): Html {
  let x = 0;
  const rects = parts.map(({ share, kind }) => {
    const rect = html`<rect class="${kind}" x="${rounded(x)}" y="0" width="${rounded(share)}" height="4"/>`;
    x += share;
    return rect;
  });
  return html`<svg class="share" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">${rects}</svg>`;
}
