/** The configured plans, with the number of accounts on each. */
import { countByPlan } from '../../accounts/index.ts';
import { html } from '../../site/html.ts';
import { OPERATOR } from '../../site/texts/index.ts';
import { planTable } from '../plan-table.ts';
import { type OperatorSection, operatorPage } from './section.ts';

const { plans: PLANS } = OPERATOR;

const show = operatorPage({
  method: 'GET',
  path: '/operator/plans',
  summary: 'The plans, and how many accounts are on each',
  handler: async ({ page, root, lang }, _input, { pool, plans: offered }) => {
    const counts = await countByPlan(pool);
    const link = (name: string) =>
      html`<a href="${root}operator?${new URLSearchParams({ plan: name }).toString()}">${counts.get(name) ?? 0}</a>`;
    const former = [...counts.keys()].filter((name) => !offered.names.includes(name));
    const columns = {
      [PLANS[lang].connections]: ({ connections }: { connections: number }) => connections,
      [PLANS[lang].matches]: ({ access }: { access: object | null }) =>
        access === null ? PLANS[lang].allMatches : PLANS[lang].someMatches,
      [PLANS[lang].accounts]: ({ name }: { name: string }) => link(name),
    };
    return page({
      title: PLANS[lang].title,
      body: html`${planTable(offered.list, ({ name }) => name === offered.default, PLANS[lang].standard, lang, columns)}
${former.map(
  (name) =>
    html`<p class="problem">${PLANS[lang].former({ accounts: link(name), plan: name, treatedAs: offered.list[0]!.title })}</p>`,
)}
<p>${PLANS[lang].configuration}</p>`,
    });
  },
});

export const plans: OperatorSection = { path: 'plans', title: (lang) => PLANS[lang].title, pages: [show] };
