/** Search and paging in lists, with the newest item first. */
import { z } from 'zod';
import { integer, type Lang, MAX_INTEGER } from '../../http/index.ts';
import { field } from '../../site/forms/fields.ts';
import { type Html, html } from '../../site/html.ts';
import { OPERATOR } from '../../site/texts/index.ts';
import { withoutSecrets } from '../../wire/secret-formats.ts';

export const PAGE_SIZE = 50;

/** Search field in a form. Links leave it out if it is empty. */
export const searchText = z
  .string()
  .max(254)
  .transform((text) => withoutSecrets(text).trim() || undefined)
  .optional();
/** Id of the last item on the previous page. */
export const before = integer(1, MAX_INTEGER).optional();

/** @param fields labels and values by name */
export const searchForm = (
  path: string,
  fields: Readonly<Record<string, readonly [label: string, value: string | undefined]>>,
  lang: Lang,
): Html => html`<form class="panel search" method="get" action="${path}" role="search">
${Object.entries(fields).map(([name, [label, value]]) => field({ name, label, value: value ?? '', maxlength: 254 }))}
<button>${OPERATOR.search[lang]}</button></form>`;

/**
 * @param found the items of a page, plus one if there are more
 * @param search search form values
 * @returns the page, and a link to the next one
 */
export function paged<T extends { id: number }>(
  found: readonly T[],
  path: string,
  lang: Lang,
  search: Readonly<Record<string, string | undefined>> = {},
): { page: T[]; older: Html | false } {
  const page = found.slice(0, PAGE_SIZE);
  if (found.length <= PAGE_SIZE) return { page, older: false };
  return { page, older: olderLink(path, search, page.at(-1)!.id, lang) };
}

/** @param last id of the last item on the page */
export function olderLink(
  path: string,
  search: Readonly<Record<string, string | undefined>>,
  last: number,
  lang: Lang,
): Html {
  const query = new URLSearchParams(
    Object.entries(search).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  query.set('before', String(last));
  return html`<p><a href="${path}?${query.toString()}">${OPERATOR.older[lang]}</a></p>`;
}
