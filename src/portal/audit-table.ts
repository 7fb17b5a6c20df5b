import type { AuditRow } from '../accounts/index.ts';
import { heads, logTime, scrollTable } from '../site/components/index.ts';
import { type Html, html } from '../site/html.ts';
import { ACCOUNT } from '../site/texts/index.ts';

const { audit: AUDIT } = ACCOUNT;

const detailsText = (details: Record<string, unknown>): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');

/** @param account returns the account of an entry, for an extra column */
export function auditTable<Row extends AuditRow>(entries: readonly Row[], account?: (entry: Row) => Html): Html {
  const titles = account ? AUDIT.columns.toSpliced(2, 0, AUDIT.account) : AUDIT.columns;
  const rows = entries.map(
    (entry) => html`<tr>
<td>${logTime(entry.at)}</td>
<td>${entry.action.replaceAll(/[._]/g, ' ')}</td>${account && html`<td class="email">${account(entry)}</td>`}<td>${entry.target ?? ''}</td>
<td class="email">${entry.actor}${
      entry.by_operator && entry.actor !== 'operator' && html` <span class="note">${AUDIT.byOperator}</span>`
    }</td>
<td>${entry.address ?? ''}</td>
<td class="details">${detailsText(entry.details)}</td>
</tr>`,
  );
  return scrollTable({ label: AUDIT.title, head: heads(titles), rows });
}
