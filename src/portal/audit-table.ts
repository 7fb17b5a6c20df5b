import type { AuditRow } from '../accounts/index.ts';
import { heads, logTime, scrollTable } from '../site/components/index.ts';
import { type Html, html } from '../site/html.ts';

const detailsText = (details: Record<string, unknown>): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');

/** @param account extra column with each entry's account */
export function auditTable<Row extends AuditRow>(entries: readonly Row[], account?: (entry: Row) => Html): Html {
  const titles = ['Time (UTC)', 'What', ...(account ? ['Account'] : []), 'Of', 'By', 'From', 'Details'];
  const rows = entries.map(
    (entry) => html`<tr>
<td>${logTime(entry.at)}</td>
<td>${entry.action.replaceAll(/[._]/g, ' ')}</td>${account && html`<td class="email">${account(entry)}</td>`}<td>${entry.target ?? ''}</td>
<td class="email">${entry.actor}${entry.by_operator && entry.actor !== 'operator' && html` <span class="note">(operator)</span>`}</td>
<td>${entry.address ?? ''}</td>
<td class="details">${detailsText(entry.details)}</td>
</tr>`,
  );
  return scrollTable({ label: 'Audit log', head: heads(titles), rows });
}
