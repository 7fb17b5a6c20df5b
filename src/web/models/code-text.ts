/** Texts that contain code. Pure. */
import { type Html, html } from '../../site/html.ts';

/** Shows text parts in `backticks` as code. */
export const withCode = (text: string): Html[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
