/** An account's overview, plan and audit log. */
import { z } from 'zod';
import { findAccount, readAudit } from '../accounts/index.ts';
import { readWindows } from '../accounts/usage/index.ts';
import { integer, MAX_INTEGER, Problem, type RouteValue } from '../http/index.ts';
import { contactLink, dateTime } from '../site/components/index.ts';
import { html } from '../site/html.ts';
import { unverifiedPanel } from './address-pages.ts';
import { auditTable } from './audit-table.ts';
import type { PortalDeps } from './deps.ts';
import { doneQuery, doneText } from './done-messages.ts';
import { planTable } from './plan-table.ts';
import { windowMeters } from './usage-page.ts';
import { memberPage } from './visit.ts';

const AUDIT_PAGE = 50;

const DONE = {
  verified: 'Your address is verified.',
  sent: 'A link is on its way to your address, unless it has got several within an hour.',
};
const overview = memberPage({
  method: 'GET',
  path: '/account',
  summary: 'Overview of the account',
  query: doneQuery,
  handler: async ({ accountId, page, root, isOperator }, { baseUrl, query }, { pool, clock, plans }) => {
    const account = await findAccount(pool, clock, accountId);
    if (account === null) throw new Problem('not_found', 'The account has been deleted.');
    const plan = plans.for(account);
    const windows = await readWindows(pool, accountId, plan, clock.now());
    return page({
      title: 'Overview',
      done: doneText(DONE, query.done),
      body: html`${
        isOperator &&
        html`<p class="panel">You are an operator of this service:
<a href="${root}operator">accounts, sessions, plans, approval and audit log</a></p>`
      }
${account.awaits_verification && unverifiedPanel(account.email, root)}<dl class="facts panel">
<div><dt>Account</dt><dd>${account.email}</dd></div>
<div><dt>Plan</dt><dd><a href="${root}account/plan">${plan.title}</a></dd></div>
<div><dt>Streams and webhooks</dt><dd>${plan.stream ? `included, ${plan.connections} connections` : 'not included in this plan'}</dd></div>
<div><dt>Keys</dt><dd><a href="${root}account/keys">${account.keys} in use</a></dd></div>
<div><dt>Since</dt><dd>${dateTime(account.created_at)}</dd></div>
</dl>
<section class="panel">
<h2>Use of your plan</h2>${windowMeters(windows)}<p><a href="${root}account/usage">By day, endpoint and key</a></p>
</section>
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

const plan = memberPage({
  method: 'GET',
  path: '/account/plan',
  summary: 'The plan of the account, and the others',
  handler: ({ plan: current, page }, _input, { plans, config: { contactUrl } }) =>
    page({
      title: 'Plan',
      body: html`${planTable(plans.list, ({ name }) => name === plans.named(current).name, 'yours')}
<p>To change your plan,
ask the operator of this service${
        contactUrl !== undefined && html`: ${contactLink(contactUrl)}`
      }. It takes effect within seconds, for all keys.</p>`,
    }),
});

const auditLog = memberPage({
  method: 'GET',
  path: '/account/audit',
  summary: 'What was changed in the account',
  query: z.object({ cursor: integer(1, MAX_INTEGER).optional() }),
  handler: async ({ accountId, page, root }, { query }, { pool }) => {
    const { entries, next_cursor } = await readAudit(pool, accountId, AUDIT_PAGE, query.cursor);
    return page({
      title: 'Audit log',
      body: html`${auditTable(entries)}
${next_cursor !== null && html`<p><a href="${root}account/audit?cursor=${next_cursor}">Older entries</a></p>`}`,
    });
  },
});

export const accountPages: RouteValue<PortalDeps>[] = [overview, plan, auditLog];
