/** All accounts by email, and one account with its actions. */

import { z } from 'zod';
import { type Account, searchAccounts } from '../../accounts/index.ts';
import type { OfferedPlans } from '../../accounts/plans/index.ts';
import { requestsToday } from '../../accounts/usage/index.ts';
import type { Lang } from '../../http/index.ts';
import { dateTime, english, heads, scrollTable } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { OPERATOR } from '../../site/texts/index.ts';
import { doneText } from '../done-messages.ts';
import { accountActions } from './account-actions.ts';
import { account, stateText } from './account-page.ts';
import { before, PAGE_SIZE, paged, searchForm, searchText } from './paging.ts';
import { type OperatorSection, operatorPage } from './section.ts';

const { accounts: LIST } = OPERATOR;

function row(one: Account, requests: number, root: string, plans: OfferedPlans, lang: Lang): Html {
  const isActive = one.suspended_at === null;
  return html`<tr data-state="${isActive ? 'active' : 'suspended'}">
<th scope="row" class="email"><a href="${root}operator/accounts/${one.id}">${one.email}</a></th>
<td>${english(plans.named(one.plan).title, lang)}</td><td>${stateText(one, lang)}</td><td class="number">${one.keys}</td>
<td class="number">${requests.toLocaleString('en-GB')}</td><td>${dateTime(one.created_at)}</td></tr>`;
}

const list = operatorPage({
  method: 'GET',
  path: '/operator',
  summary: 'All accounts',
  query: z.object({ email: searchText, plan: searchText, before, done: z.string().max(40).optional() }),
  handler: async ({ page, root, lang }, { query }, { pool, clock, plans }) => {
    const { email, plan } = query;
    const found = await searchAccounts(pool, clock, { email, plan, before: query.before }, PAGE_SIZE + 1);
    const { page: accounts, older } = paged(found, `${root}operator`, lang, { email, plan });
    const ids = accounts.map(({ id }) => id);
    const requests = await requestsToday(pool, ids, clock.now());
    const rows = accounts.map((one) => row(one, requests.get(one.id) ?? 0, root, plans, lang));
    return page({
      title: LIST[lang].title,
      done: doneText(LIST[lang].done, query.done),
      body: html`${searchForm(`${root}operator`, { email: [LIST[lang].email, email], plan: [LIST[lang].plan, plan] }, lang)}
${
  rows.length === 0
    ? html`<p class="panel">${LIST[lang].none}</p>`
    : scrollTable({
        label: LIST[lang].title,
        head: [...heads(LIST[lang].columns), ...heads(LIST[lang].numbers, 'number'), ...heads([LIST[lang].created])],
        rows,
      })
}
${older}`,
    });
  },
});

export const accounts: OperatorSection = {
  path: '',
  title: (lang) => LIST[lang].title,
  pages: [list, account, ...accountActions],
};
