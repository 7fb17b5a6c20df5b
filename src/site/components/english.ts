import type { Lang } from '../../http/index.ts';
import { type Html, html } from '../html.ts';

/** Marks a text without a Russian form as English on a Russian page, so that screen readers pronounce it. */
export const english = (text: string | Html, lang: Lang): Html =>
  lang === 'en' ? html`${text}` : html`<span lang="en">${text}</span>`;
