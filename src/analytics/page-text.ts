/** Texts of pages with placeholders and code. Pure. */
import { type Html, html } from '../site/html.ts';

/** Replaces the {placeholders} of a text. */
export const fill = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);

/** Shows the parts of a text in `backticks` as code. */
export const withCode = (text: string): Html[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
