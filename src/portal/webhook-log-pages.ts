/** Delivery log of a subscription: filters, paging, retries, and one delivery with its request and replies. */
import { z } from 'zod';
import { idParam, idParams, invalidParameter, Problem, type Reply, type RouteValue } from '../http/index.ts';
import { heads, logTime, scrollTable } from '../site/components/index.ts';
import { field, parseTime, postButton, readText, selectField } from '../site/forms/fields.ts';
import { type Html, html } from '../site/html.ts';
import { findAccountSubscription } from '../webhooks/api/account-subscriptions.ts';
import { retryFailedWebhookDeliveries, retryWebhookDelivery } from '../webhooks/api/account-webhooks.ts';
import { DELIVERY_STATES, EVENT_TYPE_NAMES } from '../webhooks/api/schema.ts';
import {
  DELIVERY_ID,
  type Delivery,
  type DeliveryFilter,
  findDeliveries,
  findDelivery,
  PAGE_SIZE,
  readSentHeaders,
  type SentHeaders,
} from '../webhooks/delivery/index.ts';
import { withoutSecrets } from '../wire/secret-formats.ts';
import type { PortalDeps } from './deps.ts';
import { doneText } from './done.ts';
import { memberPage, redirect, type Visitor } from './visit.ts';

const PATH = '/account/webhooks/{id}/deliveries';
/** The page shows it again, so that a pasted secret is hidden. */
const choice = z.string().max(60).transform(withoutSecrets).optional();
/** Query as a form sends it: fields that are not filled in are empty. */
const logQuery = z.object({
  state: choice,
  event_type: choice,
  match_id: choice,
  since: choice,
  until: choice,
  cursor: z.string().max(200).optional(),
  done: choice,
});
type LogQuery = z.output<typeof logQuery>;

/** @throws {Problem} invalid_parameter */
function toFilter({ state, event_type, match_id, since, until }: LogQuery): DeliveryFilter {
  if (match_id && !/^[1-9]\d{0,15}$/.test(match_id)) throw invalidParameter('match_id', 'invalid_id', 'is not an id');
  return {
    state: DELIVERY_STATES.find((one) => one === state),
    eventType: EVENT_TYPE_NAMES.find((one) => one === event_type),
    matchId: match_id ? Number(match_id) : undefined,
    since: parseTime('since', since),
    until: parseTime('until', until),
  };
}

const select = (name: string, label: string, values: readonly string[], chosen: string | undefined): Html =>
  selectField({
    name,
    label,
    id: `field-${name}`,
    options: [['', 'all'], ...values.map((value) => [value, value] as const)],
    chosen,
  });

const filterForm = (at: string, query: LogQuery): Html => html`<form class="panel" method="get" action="${at}">
${select('state', 'State', DELIVERY_STATES, query.state)}
${select('event_type', 'Event type', EVENT_TYPE_NAMES, query.event_type)}
${field({ name: 'match_id', label: 'Match', value: query.match_id ?? '', inputmode: 'numeric' })}
${field({ name: 'since', label: 'Since (UTC)', type: 'datetime-local', value: query.since ?? '' })}
${field({ name: 'until', label: 'Before (UTC)', type: 'datetime-local', value: query.until ?? '' })}
<button class="plain">Show</button></form>`;

function row(one: Delivery, at: string): Html {
  return html`<tr data-state="${one.state === 'delivered' ? 'active' : one.state}">
<th scope="row"><a href="${at}/${one.id}">${one.event_type}</a><br><span class="note">${one.event_id}</span></th>
<td>${logTime(one.created_at)}</td><td>${one.state}${one.failure !== null && html`<br><span class="note">${one.failure}</span>`}</td>
<td>${one.status ?? ''}</td><td>${one.attempts}</td><td>${one.duration_ms === null ? '' : `${one.duration_ms} ms`}</td>
<td>${one.next_attempt_at === null ? '' : logTime(one.next_attempt_at)}</td></tr>
`;
}

const COLUMNS = ['Event', 'First attempt (UTC)', 'State', 'Reply', 'Attempts', 'Duration', 'Next attempt (UTC)'];

function older(at: string, query: LogQuery, cursor: string | null): Html | false {
  if (cursor === null) return false;
  const { done: _, ...kept } = query;
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...kept, cursor })) if (value) given.set(name, value);
  return html`<p><a href="${at}?${given.toString()}">Older deliveries</a></p>`;
}

const retryAllForm = (at: string): Html => html`<section class="panel"><h2>Retry all that have failed</h2>
<form method="post" action="${at}/retry">${field({ name: 'since', label: 'Since (UTC)', type: 'datetime-local', required: true })}
<p class="note">At most 500 wait at a time; the oldest come first, beside live events.</p>
<button>Retry all</button></form></section>`;

async function logPage(
  member: Visitor,
  id: number,
  query: LogQuery,
  deps: PortalDeps,
  problem?: Problem,
): Promise<Reply> {
  const { pool } = deps;
  await findAccountSubscription(pool, member.accountId, id);
  const at = `${member.root}account/webhooks/${id}/deliveries`;
  const filter = problem === undefined ? toFilter(query) : {};
  const { deliveries, nextCursor } = await findDeliveries(pool, id, filter, {
    limit: PAGE_SIZE,
    cursor: problem === undefined ? query.cursor : undefined,
  });
  const retried = /^retried-(\d{1,4})(-more)?$/.exec(query.done ?? '');
  const done =
    retried === null
      ? doneText({ retried: 'The delivery is retried now.' }, query.done)
      : `${retried[1]} deliveries are retried now.${retried[2] ? ' There are more: retry them when these have been sent.' : ''}`;
  const body = html`${filterForm(at, query)}
${
  deliveries.length === 0
    ? html`<p class="panel">There are no such deliveries${nextCursor === null ? '' : ' among the newest'}.</p>`
    : scrollTable({
        label: 'Deliveries',
        head: heads(COLUMNS),
        rows: deliveries.map((one) => row(one, at)),
      })
}
${older(at, query, nextCursor)}
${retryAllForm(at)}
<p><a href="${member.root}account/webhooks/${id}">Back to the subscription</a></p>`;
  return member.page({ title: 'Delivery log', body, done, problem });
}

const list = memberPage({
  method: 'GET',
  path: PATH,
  summary: 'The delivery log of a subscription',
  params: idParams,
  query: logQuery,
  handler: (member, { params, query }, deps) => logPage(member, params.id, query, deps),
  onProblem: (problem, member, { params, query }, deps) => logPage(member, params.id, query, deps, problem),
});

const deliveryParams = z.object({ id: idParam, delivery_id: z.string().regex(DELIVERY_ID) });

const headersPart = (
  attempt: number,
  { headers, unsigned }: SentHeaders,
): Html => html`<details><summary>Attempt ${attempt}</summary>
<pre class="headers" tabindex="0" aria-label="Headers of attempt ${attempt}"><code>${Object.entries(headers).map(
  ([name, value]) => `${name}: ${value}\n`,
)}</code></pre>${unsigned !== null && html`<p class="note">${unsigned}</p>`}</details>`;

async function deliveryPage(
  member: Visitor,
  { id, delivery_id }: z.output<typeof deliveryParams>,
  { pool, log, clock, config }: PortalDeps,
  problem?: Problem,
): Promise<Reply> {
  await findAccountSubscription(pool, member.accountId, id);
  const found = await findDelivery(pool, log, id, delivery_id);
  if (found === null) throw new Problem('not_found', `There is no delivery ${delivery_id}.`);
  const at = `${member.root}account/webhooks/${id}/deliveries`;
  const makeHeaders = await readSentHeaders({ pool, clock, secretKeys: config.secretKeys }, id, found);
  const attempts = found.log.map(
    (one) => html`<tr>
<td>${one.attempt}</td>
<td>${logTime(one.at)}</td>
<td>${one.failure ?? `status ${one.status}`}</td>
<td>${one.duration_ms} ms</td>
<td class="details">${one.reply === null ? '' : html`<code>${one.reply}</code>`}</td>
</tr>
`,
  );
  const body = html`<section class="panel"><dl class="facts">
<div><dt>Event</dt><dd>${found.event_type} <code>${found.event_id}</code></dd></div>
<div><dt>State</dt><dd>${found.state}${found.failure !== null && `: ${found.failure}`}</dd></div>
<div><dt>Next attempt</dt><dd>${found.next_attempt_at === null ? 'none' : logTime(found.next_attempt_at)}</dd></div></dl>
${found.state !== 'delivered' && postButton(`${at}/${found.id}/retry`, 'Retry now')}</section>
<section class="panel"><h2>Request</h2>
${
  found.body === null
    ? html`<p>Its body is not stored any more.</p>`
    : html`<pre tabindex="0" aria-label="Request"><code>${found.body}</code></pre>`
}</section>
<h2>Attempts</h2>
${scrollTable({
  label: 'Attempts',
  head: heads(['Attempt', 'Time (UTC)', 'Outcome', 'Duration', 'Reply']),
  rows: attempts,
})}
<section class="panel"><h2>Sent headers</h2>
${found.log.map((one) => headersPart(one.attempt, makeHeaders(one)))}
<p class="note">Besides HTTP’s own headers. The signatures are made again from the secret of that time, which they do not reveal;
the version in User-Agent is the present one.</p>
</section>
<p><a href="${at}">Delivery log</a></p>`;
  return member.page({ title: 'Delivery', body, problem });
}

const one = memberPage({
  method: 'GET',
  path: `${PATH}/{delivery_id}`,
  summary: 'A delivery',
  params: deliveryParams,
  handler: (member, { params }, deps) => deliveryPage(member, params, deps),
});

const retry = memberPage({
  method: 'POST',
  path: `${PATH}/{delivery_id}/retry`,
  summary: 'Retry a delivery',
  params: deliveryParams,
  handler: async (_member, input, deps) => {
    const { id, delivery_id } = input.params;
    await retryWebhookDelivery(deps, input, id, delivery_id);
    return redirect(input, `/account/webhooks/${id}/deliveries?done=retried`);
  },
  onProblem: (problem, member, { params }, deps) => deliveryPage(member, params, deps, problem),
});

const retryAll = memberPage({
  method: 'POST',
  path: `${PATH}/retry`,
  summary: 'Retry what has failed since a time',
  params: idParams,
  handler: async (_member, input, deps) => {
    const { id } = input.params;
    const since = parseTime('since', readText(input.form, 'since'));
    if (since === undefined) throw invalidParameter('since', 'required', 'is required');
    const { count, hasMore } = await retryFailedWebhookDeliveries(deps, input, id, since);
    return redirect(input, `/account/webhooks/${id}/deliveries?done=retried-${count}${hasMore ? '-more' : ''}`);
  },
  onProblem: (problem, member, { params }, deps) => logPage(member, params.id, {}, deps, problem),
});

export const webhookLogPages: RouteValue<PortalDeps>[] = [list, one, retry, retryAll];
