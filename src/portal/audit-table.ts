import type { AuditRow } from '../accounts/index.ts';
import type { Lang } from '../http/index.ts';
import { english, heads, logTime, scrollTable } from '../site/components/index.ts';
import { type Html, html } from '../site/html.ts';
import { ACCOUNT } from '../site/texts/index.ts';

const AUDIT = { en: ACCOUNT.en.audit, ru: ACCOUNT.ru.audit };

const detailsText = (details: Record<string, unknown>): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');

/** @param account returns the account of an entry, for an extra column */
export function auditTable<Row extends AuditRow>(
  entries: readonly Row[],
  lang: Lang,
  account?: (entry: Row) => Html,
): Html {
  const titles = account ? AUDIT[lang].columns.toSpliced(2, 0, AUDIT[lang].account) : AUDIT[lang].columns;
  const rows = entries.map(
    (entry) => html`<tr>
<td>${logTime(entry.at)}</td>
<td>${english(entry.action.replaceAll(/[._]/g, ' '), lang)}</td>${account && html`<td class="email">${account(entry)}</td>`}
<td>${english(entry.target ?? '', lang)}</td>
<td class="email">${english(entry.actor, lang)}${
      entry.by_operator && entry.actor !== 'operator' && html` <span class="note">${AUDIT[lang].byOperator}</span>`
    }</td>
<td>${entry.address ?? ''}</td>
<td class="details">${english(detailsText(entry.details), lang)}</td>
</tr>`,
  );
  return scrollTable({ label: AUDIT[lang].title, head: heads(titles), rows });
}
