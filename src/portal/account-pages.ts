/** An account's overview, plan and audit log. */
import { z } from 'zod';
import { findAccount, readAudit } from '../accounts/index.ts';
import { readWindows } from '../accounts/usage/index.ts';
import { integer, MAX_INTEGER, Problem, type RouteValue } from '../http/index.ts';
import { contactLink, english, utcTime } from '../site/components/index.ts';
import { html } from '../site/html.ts';
import { ACCOUNT, fill } from '../site/texts/index.ts';
import { unverifiedPanel } from './address-pages.ts';
import { auditTable } from './audit-table.ts';
import type { PortalDeps } from './deps.ts';
import { doneQuery, doneText } from './done-messages.ts';
import { planTable } from './plan-table.ts';
import { windowMeters } from './usage-page.ts';
import { memberPage } from './visit.ts';

const AUDIT_PAGE = 50;

const overview = memberPage({
  method: 'GET',
  path: '/account',
  permission: 'view',
  summary: 'Overview of the account',
  query: doneQuery,
  handler: async (
    { accountId, email, permissions, page, root, isOperator, lang },
    { baseUrl, query },
    { pool, clock, plans },
  ) => {
    const account = await findAccount(pool, clock, accountId);
    if (account === null) throw new Problem('not_found', 'The account has been deleted.');
    const plan = plans.for(account);
    const windows = await readWindows(pool, accountId, plan, clock.now());
    const keysInUse = fill(ACCOUNT[lang].keysInUse, { count: account.keys });
    return page({
      title: ACCOUNT[lang].overview,
      done: doneText(ACCOUNT[lang].done, query.done),
      body: html`${
        isOperator &&
        html`<p class="panel">${ACCOUNT[lang].operator}
<a href="${root}operator">${ACCOUNT[lang].operatorPages}</a></p>`
      }
${account.awaits_verification && account.email === email && unverifiedPanel(email, root, lang)}<dl class="facts panel">
<div><dt>${ACCOUNT[lang].email}</dt><dd>${account.email}</dd></div>
<div><dt>${ACCOUNT[lang].plan}</dt><dd><a href="${root}account/plan">${english(plan.title, lang)}</a></dd></div>
<div><dt>${ACCOUNT[lang].channels}</dt><dd>${
        plan.stream
          ? fill(ACCOUNT[lang].withChannels, { connections: plan.connections })
          : ACCOUNT[lang].withoutChannels
      }</dd></div>
<div><dt>${ACCOUNT[lang].keys}</dt>
<dd>${permissions.has('read') ? html`<a href="${root}account/keys">${keysInUse}</a>` : keysInUse}</dd></div>
<div><dt>${ACCOUNT[lang].since}</dt><dd>${utcTime(account.created_at)}</dd></div>
</dl>
<section class="panel">
<h2>${ACCOUNT[lang].use}</h2>${windowMeters(windows, lang)}<p><a href="${root}account/usage">${ACCOUNT[lang].usage}</a></p>
</section>
<section class="panel"><h2>${ACCOUNT[lang].goOn}</h2>
<pre tabindex="0"><code>curl -H 'X-API-Key: sk_live_…' '${baseUrl}/v1/events?limit=5'</code></pre>
<ul class="links">
<li>${ACCOUNT[lang].guides(`${root}docs`)}</li>
<li>${ACCOUNT[lang].reference(`${root}docs`)}</li>
<li>${ACCOUNT[lang].leagues(`${root}docs`)}</li>
</ul></section>`,
    });
  },
});

const plan = memberPage({
  method: 'GET',
  path: '/account/plan',
  permission: 'view',
  summary: 'The plan of the account, and the others',
  handler: ({ plan: current, page, lang }, _input, { plans, config: { contactUrl } }) =>
    page({
      title: ACCOUNT[lang].plan,
      body: html`${planTable(plans.list, ({ name }) => name === plans.named(current).name, ACCOUNT[lang].plans.own, lang)}
<p>${ACCOUNT[lang].changePlan(contactUrl !== undefined && contactLink(contactUrl))}</p>`,
    }),
});

const auditLog = memberPage({
  method: 'GET',
  path: '/account/audit',
  permission: 'audit',
  summary: 'What was changed in the account',
  query: z.object({ cursor: integer(1, MAX_INTEGER).optional() }),
  handler: async ({ accountId, page, root, lang }, { query }, { pool }) => {
    const { entries, next_cursor } = await readAudit(pool, accountId, AUDIT_PAGE, query.cursor);
    return page({
      title: ACCOUNT[lang].audit.title,
      body: html`${auditTable(entries, lang)}
<p>${ACCOUNT[lang].audit.file}: <a href="${root}v1/account/events/export?format=csv" download>CSV</a>,
<a href="${root}v1/account/events/export?format=ndjson" download>NDJSON</a></p>
${next_cursor !== null && html`<p><a href="${root}account/audit?cursor=${next_cursor}">${ACCOUNT[lang].audit.older}</a></p>`}`,
    });
  },
});

export const accountPages: RouteValue<PortalDeps>[] = [overview, plan, auditLog];
