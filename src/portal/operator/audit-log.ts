/** The audit log over all accounts. */
import { z } from 'zod';
import { searchAudit } from '../../accounts/index.ts';
import { html } from '../../site/html.ts';
import { auditTable } from '../audit-table.ts';
import { before, olderLink, PAGE_SIZE, searchForm, searchText } from './paging.ts';
import { type OperatorSection, operatorPage } from './section.ts';

/** Formats an action for pages: `key revoked`. */
const actionName = (text: string | undefined): string | undefined => {
  const [noun, ...rest] = (text ?? '').split(/[ ._]+/);
  return text && rest.length > 0 ? `${noun}.${rest.join('_')}` : text;
};

const show = operatorPage({
  method: 'GET',
  path: '/operator/audit',
  summary: 'The audit log over all accounts',
  query: z.object({ account: searchText, actor: searchText, action: searchText, before }),
  handler: async ({ page, root }, { query }, { pool }) => {
    const { account, actor, action } = query;
    const search = { account, actor, action };
    const filter = { ...search, action: actionName(action) };
    const { entries, next_cursor } = await searchAudit(pool, filter, PAGE_SIZE, query.before);
    const path = `${root}operator/audit`;
    return page({
      title: 'Audit log',
      body: html`${searchForm(path, {
        account: ['Account', account],
        actor: ['By', actor],
        action: ['What', action],
      })}
<p class="note">The account by its whole email; by an email, <code>key 12</code> or <code>operator</code> (the command line);
what as it is shown, such as <code>key revoked</code>.</p>
${
  entries.length === 0
    ? html`<p class="panel">There are no such entries.</p>`
    : auditTable(entries, ({ account_id, account: email }) =>
        account_id === null ? html`` : html`<a href="${root}operator/accounts/${account_id}">${email}</a>`,
      )
}
${next_cursor !== null && olderLink(path, search, next_cursor)}`,
    });
  },
});

export const auditLog: OperatorSection = { path: 'audit', title: 'Audit log', pages: [show] };
