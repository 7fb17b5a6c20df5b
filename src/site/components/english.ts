import type { Lang } from '../../http/index.ts';
import { type Html, html } from '../html.ts';

/** Marks a text without a Russian form as English on a Russian page, so that screen readers pronounce it. */
export const english = (text: string | Html, lang: Lang): Html =>
  lang === 'en' ? html`${text}` : html`<span lang="en">${text}</span>`;

/** Shows the name of a person, team or league. On a Russian page, a name without a Russian form is marked as English. */
export const nameText = (name: string, lang: Lang): Html =>
  lang === 'ru' && /\p{Script=Latin}/u.test(name) && !/\p{Script=Cyrillic}/u.test(name)
    ? english(name, lang)
    : html`${name}`;
