/** Overview, plan and audit log of an account. */
import { z } from 'zod';
import { findAccount } from '../accounts/accounts.ts';
import { readAudit } from '../accounts/audit.ts';
import type { Plan } from '../accounts/plans/plan-file.ts';
import { priceText, windowsText } from '../accounts/plans/plan-text.ts';
import { offeredPlans, planNamed } from '../accounts/plans/plans.ts';
import { readWindows } from '../accounts/usage/read.ts';
import { Problem } from '../http/errors.ts';
import { type Html, html } from '../http/html.ts';
import { integer, MAX_INTEGER } from '../http/query.ts';
import type { RouteValue } from '../http/route.ts';
import type { PortalDeps } from './deps.ts';
import { portalPage } from './page.ts';
import { dateTime } from './time.ts';
import { windowMeters } from './usage-page.ts';
import { memberPage } from './visit.ts';

const AUDIT_PAGE = 50;

const overview = memberPage({
  method: 'GET',
  path: '/account',
  summary: 'Overview of the account',
  handler: async ({ accountId, email, root }, { baseUrl }, { pool, clock }) => {
    const account = await findAccount(pool, clock, accountId);
    if (account === null) throw new Problem('not_found', 'The account has been deleted.');
    const plan = planNamed(account.plan);
    const windows = await readWindows(pool, accountId, plan, clock.now());
    return portalPage({
      title: 'Overview',
      root,
      section: '',
      email,
      body: html`<dl class="facts panel">
<div><dt>Account</dt><dd>${account.email}</dd></div>
<div><dt>Plan</dt><dd><a href="${root}account/plan">${plan.title}</a></dd></div>
<div><dt>Streams and webhooks</dt><dd>${plan.stream ? `included, ${plan.connections} connections` : 'not included in this plan'}</dd></div>
<div><dt>Keys</dt><dd><a href="${root}account/keys">${account.keys} in use</a></dd></div>
<div><dt>Since</dt><dd>${dateTime(account.created_at)}</dd></div>
</dl>
<section class="panel"><h2>Use of your plan</h2>${windowMeters(windows)}<p><a href="${root}account/usage">By day, endpoint and key</a></p></section>
<section class="panel"><h2>Where to go from here</h2>
<pre tabindex="0"><code>curl -H 'X-API-Key: sk_live_…' '${baseUrl}/v1/events?limit=5'</code></pre>
<ul class="links">
<li><a href="${root}docs/guides">Guides</a>: quick start, streaming, webhooks, limits</li>
<li><a href="${root}docs">The reference of the API</a>, with examples of every answer</li>
<li><a href="${root}docs/leagues.html">All leagues</a>, and how much is known of each</li>
</ul></section>`,
    });
  },
});

function planColumn(plan: Plan, current: string): Html {
  const yes = (value: boolean) => (value ? 'yes' : 'no');
  return html`<tr${plan.name === current && html` aria-current="true"`}>
<th scope="row">${plan.title}${plan.name === current && html` <span class="note">(yours)</span>`}</th>
<td>${priceText(plan)}</td>
<td>${windowsText(plan)}</td><td>${yes(plan.stream)}</td><td>${yes(plan.webhooks)}</td></tr>`;
}

const plan = memberPage({
  method: 'GET',
  path: '/account/plan',
  summary: 'The plan of the account, and the others',
  handler: ({ plan: current, email, root }) =>
    portalPage({
      title: 'Plan',
      root,
      section: 'plan',
      email,
      body: html`<div class="scroll" tabindex="0" role="region" aria-label="Plans"><table>
<thead><tr><th scope="col">Plan</th><th scope="col">A month</th><th scope="col">Limits of all secret keys together, and of all publishable keys</th><th scope="col">Streams</th><th scope="col">Webhooks</th></tr></thead>
<tbody>${offeredPlans().map((one) => planColumn(one, planNamed(current).name))}</tbody></table></div>
<p>To change your plan, ask the operator of this service. It takes effect within seconds, for all keys.</p>`,
    }),
});

const detailsText = (details: Record<string, unknown>): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');

const auditLog = memberPage({
  method: 'GET',
  path: '/account/audit',
  summary: 'What was changed in the account',
  query: z.object({ cursor: integer(1, MAX_INTEGER).optional() }),
  handler: async ({ accountId, email, root }, { query }, { pool }) => {
    const { entries, next_cursor } = await readAudit(pool, accountId, AUDIT_PAGE, query.cursor);
    const rows = entries.map(
      ({ at, actor, address, action, target, details }) => html`<tr>
<td>${dateTime(at)}</td><td>${action.replaceAll(/[._]/g, ' ')}</td><td>${target ?? ''}</td><td>${actor}</td><td>${address ?? ''}</td><td class="details">${detailsText(details)}</td></tr>`,
    );
    return portalPage({
      title: 'Audit log',
      root,
      section: 'audit',
      email,
      body: html`<div class="scroll" tabindex="0" role="region" aria-label="Audit log"><table>
<thead><tr><th scope="col">Time (UTC)</th><th scope="col">What</th><th scope="col">Of</th><th scope="col">By</th><th scope="col">From</th><th scope="col">Details</th></tr></thead>
<tbody>${rows}</tbody></table></div>
${next_cursor !== null && html`<p><a href="${root}account/audit?cursor=${next_cursor}">Older entries</a></p>`}`,
    });
  },
});

export const accountPages: RouteValue<PortalDeps>[] = [overview, plan, auditLog];
