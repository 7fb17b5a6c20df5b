/** The configured plans, with the number of accounts on each. */
import { countByPlan } from '../../accounts/index.ts';
import { html } from '../../site/html.ts';
import { planTable } from '../plan-table.ts';
import { type OperatorSection, operatorPage } from './section.ts';

const show = operatorPage({
  method: 'GET',
  path: '/operator/plans',
  summary: 'The plans, and how many accounts are on each',
  handler: async ({ page, root }, _input, { pool, plans: offered }) => {
    const counts = await countByPlan(pool);
    const link = (name: string) =>
      html`<a href="${root}operator?${new URLSearchParams({ plan: name }).toString()}">${counts.get(name) ?? 0}</a>`;
    const former = [...counts.keys()].filter((name) => !offered.names.includes(name));
    const columns = {
      Connections: ({ connections }: { connections: number }) => connections,
      Matches: ({ access }: { access: object | null }) => (access === null ? 'all' : 'some'),
      Accounts: ({ name }: { name: string }) => link(name),
    };
    return page({
      title: 'Plans',
      body: html`${planTable(offered.list, ({ name }) => name === offered.default, 'of new accounts', columns)}
${former.map(
  (name) => html`<p class="problem">${link(name)} on the plan ${name}, which is not offered any more:
they are treated as on ${offered.list[0]!.title}.</p>`,
)}
<p>Plans are configuration (<code>PLANS_FILE</code>), which is read at start.</p>`,
    });
  },
});

export const plans: OperatorSection = { path: 'plans', title: 'Plans', pages: [show] };
