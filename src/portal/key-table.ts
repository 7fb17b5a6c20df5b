import { keyState, type ListedKey } from '../accounts/keys/index.ts';
import { dateTime, heads, scrollTable } from '../site/components/index.ts';
import { type Html, html } from '../site/html.ts';

interface Shown {
  /** ms since 1970 */
  now: number;
  /** Returns the URL of a key's page. */
  link?: (key: ListedKey) => string;
  /** Actions, in the last column. */
  action?: (key: ListedKey) => Html | false;
}

function keyRow(key: ListedKey, { now, link, action }: Shown): Html {
  const state = keyState(key, now);
  const ends = state === 'active' && key.expires_at !== null;
  const name = key.name ?? `Key ${key.id}`;
  return html`<tr data-state="${state}">
<th scope="row">${link ? html`<a href="${link(key)}">${name}</a>` : name}<br><code>${key.prefix}…${key.hint}</code></th>
<td>${key.kind === 'sk' ? 'secret' : 'publishable'}</td>
<td>${state}${ends && html`<br><span class="note">until ${dateTime(key.expires_at!)}</span>`}</td>
<td>${dateTime(key.created_at)}</td>
<td>${
    key.last_used_at === null
      ? 'never'
      : html`${dateTime(key.last_used_at)}<br><span class="note">from ${key.last_used_from}</span>`
  }</td>
${action && html`<td>${action(key)}</td>`}</tr>`;
}

export const keyTable = (keys: readonly ListedKey[], shown: Shown): Html =>
  keys.length === 0
    ? html`<p class="panel">There are no keys yet.</p>`
    : scrollTable({
        label: 'Keys',
        head: [
          ...heads(['Key', 'Kind', 'State', 'Created (UTC)', 'Last used (UTC)']),
          ...(shown.action ? [html`<td></td>`] : []),
        ],
        rows: keys.map((key) => keyRow(key, shown)),
      });
