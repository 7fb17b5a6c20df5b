/** The audit log over all accounts. */
import { z } from 'zod';
import { searchAudit } from '../../accounts/index.ts';
import { html } from '../../site/html.ts';
import { OPERATOR } from '../../site/texts/index.ts';
import { auditTable, namedAction } from '../audit-table.ts';
import { before, olderLink, PAGE_SIZE, searchForm, searchText } from './paging.ts';
import { type OperatorSection, operatorPage } from './section.ts';

const { auditLog: AUDIT_LOG } = OPERATOR;

const show = operatorPage({
  method: 'GET',
  path: '/operator/audit',
  summary: 'The audit log over all accounts',
  query: z.object({ account: searchText, actor: searchText, action: searchText, before }),
  handler: async ({ page, root, lang }, { query }, { pool }) => {
    const { account, actor, action } = query;
    const search = { account, actor, action };
    const filter = { ...search, action: action && namedAction(action) };
    const { entries, next_cursor } = await searchAudit(pool, filter, PAGE_SIZE, query.before);
    const path = `${root}operator/audit`;
    return page({
      title: AUDIT_LOG[lang].title,
      body: html`${searchForm(
        path,
        {
          account: [AUDIT_LOG[lang].account, account],
          actor: [AUDIT_LOG[lang].by, actor],
          action: [AUDIT_LOG[lang].what, action],
        },
        lang,
      )}
<p class="note">${AUDIT_LOG[lang].note}</p>
${
  entries.length === 0
    ? html`<p class="panel">${AUDIT_LOG[lang].none}</p>`
    : auditTable(entries, lang, ({ account_id, account: email }) =>
        account_id === null ? html`` : html`<a href="${root}operator/accounts/${account_id}">${email}</a>`,
      )
}
${next_cursor !== null && olderLink(path, search, next_cursor, lang)}`,
    });
  },
});

export const auditLog: OperatorSection = { path: 'audit', title: (lang) => AUDIT_LOG[lang].title, pages: [show] };
