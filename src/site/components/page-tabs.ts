/** The tabs of a page. Each tab has an address of its own, and is a link, so that it works without a script. */
import type { Lang } from '../../http/index.ts';
import { type Html, html } from '../html.ts';
import { TEXTS } from '../texts/index.ts';

export type TabName = keyof (typeof TEXTS)['en']['tabs']['names'];

/**
 * @param shown the tab that this page shows
 * @param addressOf returns the relative URL of a tab
 * @param own names that replace the usual ones
 */
export function pageTabs<Tab extends TabName>(
  tabs: readonly Tab[],
  shown: Tab,
  lang: Lang,
  addressOf: (tab: Tab) => string,
  own: Partial<Record<TabName, string>> = {},
): Html {
  const { label, names: usual } = TEXTS[lang].tabs;
  const names = { ...usual, ...own };
  return html`<nav id="tabs" class="page-tabs" aria-label="${label}">${tabs.map(
    (tab) => html`<a href="${addressOf(tab)}"${tab === shown && html` aria-current="page"`}>${names[tab]}</a>`,
  )}</nav>`;
}
