/** Shares of a whole as one bar. The figures stand beside it as text, so that it is hidden from screen readers. */
import { type Html, html } from '../html.ts';
import { rounded } from './rounded.ts';

export interface Share {
  /** Percent; all parts together 100. */
  share: number;
  /** Its class, which the style sheet of the page colours. */
  kind: 'home' | 'away' | 'level' | 'none';
}

/** Widths are attributes: the content security policy of our pages allows no style attributes. */
export function shareBar(parts: readonly Share[]): Html {
  let x = 0;
  const rects = parts.map(({ share, kind }) => {
    const rect = html`<rect class="${kind}" x="${rounded(x)}" y="0" width="${rounded(share)}" height="4"/>`;
    x += share;
    return rect;
  });
  return html`<svg class="share" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">${rects}</svg>`;
}
