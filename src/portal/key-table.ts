import { keyState, type ListedKey } from '../accounts/keys/index.ts';
import type { Lang } from '../http/index.ts';
import { dateTime, heads, scrollTable, utcTime } from '../site/components/index.ts';
import { type Html, html } from '../site/html.ts';
import { fill, KEYS } from '../site/texts/index.ts';

interface Shown {
  /** ms since 1970 */
  now: number;
  /** Returns the URL of a key's page. */
  link?: (key: ListedKey) => string;
  /** Actions, in the last column. */
  action?: (key: ListedKey) => Html | false;
}

function keyRow(key: ListedKey, { now, link, action }: Shown, lang: Lang): Html {
  const state = keyState(key, now);
  const name = key.name ?? fill(KEYS[lang].unnamed, { id: key.id });
  const managed = key.managed !== null && html` <span class="note">${KEYS[lang].managedShort}</span>`;
  return html`<tr data-state="${state}">
<th scope="row">${link ? html`<a href="${link(key)}">${name}</a>` : name}<br><code>${key.prefix}…${key.hint}</code></th>
<td>${KEYS[lang].kinds[key.kind]}${managed}${key.member !== null && html`<span class="note email">${key.member}</span>`}</td>
<td>${KEYS[lang].states[state]}${
    state === 'active' &&
    key.expires_at !== null &&
    html`<br><span class="note">${KEYS[lang].until(utcTime(key.expires_at))}</span>`
  }</td>
<td>${dateTime(key.created_at)}</td>
<td>${
    key.last_used_at === null
      ? KEYS[lang].never
      : html`${dateTime(key.last_used_at)}<br><span class="note">${fill(KEYS[lang].from, { address: key.last_used_from ?? '' })}</span>`
  }</td>
${action && html`<td>${action(key)}</td>`}</tr>`;
}

export const keyTable = (keys: readonly ListedKey[], shown: Shown, lang: Lang): Html =>
  keys.length === 0
    ? html`<p class="panel">${KEYS[lang].none}</p>`
    : scrollTable({
        label: KEYS[lang].title,
        head: [...heads(KEYS[lang].columns), ...(shown.action ? [html`<td></td>`] : [])],
        rows: keys.map((key) => keyRow(key, shown, lang)),
      });
