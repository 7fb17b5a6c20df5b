/** A subscription's delivery log with filters, paging and retries, and one delivery with its request and replies. */
import { z } from 'zod';
import { idParam, idParams, invalidParameter, type Lang, Problem, type Reply, type RouteValue } from '../http/index.ts';
import { english, heads, logTime, scrollTable, utcTime } from '../site/components/index.ts';
import { field, parseTime, postButton, readText, selectField } from '../site/forms/fields.ts';
import { type Html, html } from '../site/html.ts';
import { DELIVERIES, DELIVERY, fill, UNSIGNED_RU, WEBHOOKS } from '../site/texts/index.ts';
import { findAccountSubscription } from '../webhooks/api/account-subscriptions.ts';
import {
  retryFailedWebhookDeliveries,
  retryWebhookDelivery,
  skipWebhookDelivery,
} from '../webhooks/api/account-webhooks.ts';
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
import { doneText } from './done-messages.ts';
import { failureText } from './failure-text.ts';
import { formatJson } from './format-json.ts';
import { memberPage, redirect, type Visitor } from './visit.ts';
import { replyText } from './webhook-panels.ts';

const PATH = '/account/webhooks/{id}/deliveries';
/** The page shows this value again, so anything that looks like a secret is hidden. */
const choice = z.string().max(60).transform(withoutSecrets).optional();
/** The query as a form sends it: fields that are not filled in are empty. */
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

const select = (
  name: string,
  label: string,
  options: readonly (readonly [value: string, text: string, lang?: Lang])[],
  chosen: string | undefined,
  lang: Lang,
): Html =>
  selectField({ name, label, id: `field-${name}`, options: [['', WEBHOOKS[lang].allChosen], ...options], chosen });

const filterForm = (
  at: string,
  query: LogQuery,
  lang: Lang,
): Html => html`<form class="panel" method="get" action="${at}">
${select(
  'state',
  DELIVERIES[lang].state,
  DELIVERY_STATES.map((state) => [state, DELIVERIES[lang].states[state]]),
  query.state,
  lang,
)}
${select(
  'event_type',
  DELIVERIES[lang].eventType,
  EVENT_TYPE_NAMES.map((type) => (lang === 'en' ? [type, type] : [type, type, 'en'])),
  query.event_type,
  lang,
)}
${field({ name: 'match_id', label: DELIVERIES[lang].match, value: query.match_id ?? '', inputmode: 'numeric' })}
${field({ name: 'since', label: DELIVERIES[lang].since, type: 'datetime-local', value: query.since ?? '' })}
${field({ name: 'until', label: DELIVERIES[lang].until, type: 'datetime-local', value: query.until ?? '' })}
<button class="plain">${DELIVERIES[lang].show}</button></form>`;

const failureNote = (failure: string, lang: Lang): Html =>
  html`<br><span class="note">${failureText(failure, lang)}</span>`;

function row(one: Delivery, at: string, lang: Lang): Html {
  return html`<tr data-state="${one.state === 'delivered' ? 'active' : one.state}">
<th scope="row"><a href="${at}/${one.id}">${english(one.event_type, lang)}</a><br><span class="note">${one.event_id}</span></th>
<td>${logTime(one.created_at)}</td>
<td>${DELIVERIES[lang].states[one.state]}${one.failure !== null && failureNote(one.failure, lang)}</td>
<td>${one.status ?? ''}</td><td>${one.attempts}</td>
<td>${one.duration_ms === null ? '' : fill(WEBHOOKS[lang].milliseconds, { ms: one.duration_ms })}</td>
<td>${one.next_attempt_at === null ? '' : logTime(one.next_attempt_at)}</td></tr>
`;
}

function older(at: string, query: LogQuery, cursor: string | null, lang: Lang): Html | false {
  if (cursor === null) return false;
  const { done: _, ...kept } = query;
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...kept, cursor })) if (value) given.set(name, value);
  return html`<p><a href="${at}?${given.toString()}">${DELIVERIES[lang].older}</a></p>`;
}

const retryAllForm = (
  at: string,
  lang: Lang,
): Html => html`<section class="panel"><h2>${DELIVERIES[lang].retryFailed}</h2>
<form method="post" action="${at}/retry">${field({ name: 'since', label: DELIVERIES[lang].since, type: 'datetime-local', required: true })}
<p class="note">${DELIVERIES[lang].retryNote}</p>
<button>${DELIVERIES[lang].retryAll}</button></form></section>`;

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
      ? doneText({ retried: DELIVERIES[member.lang].retried, skipped: DELIVERIES[member.lang].skipped }, query.done)
      : `${fill(DELIVERIES[member.lang].retriedMany, { count: retried[1] ?? '' })}${retried[2] ? DELIVERIES[member.lang].more : ''}`;
  const body = html`${filterForm(at, query, member.lang)}
${
  deliveries.length === 0
    ? html`<p class="panel">${nextCursor === null ? DELIVERIES[member.lang].none : DELIVERIES[member.lang].noneAmongNewest}</p>`
    : scrollTable({
        label: DELIVERIES[member.lang].title,
        head: heads(DELIVERIES[member.lang].columns),
        rows: deliveries.map((one) => row(one, at, member.lang)),
      })
}
${older(at, query, nextCursor, member.lang)}
${member.permissions.has('webhooks') && retryAllForm(at, member.lang)}
<p><a href="${member.root}account/webhooks/${id}">${WEBHOOKS[member.lang].back}</a></p>`;
  return member.page({ title: WEBHOOKS[member.lang].log, body, done, problem });
}

const list = memberPage({
  method: 'GET',
  path: PATH,
  permission: 'read',
  summary: 'The delivery log of a subscription',
  params: idParams,
  query: logQuery,
  handler: (member, { params, query }, deps) => logPage(member, params.id, query, deps),
  onProblem: (problem, member, { params, query }, deps) => logPage(member, params.id, query, deps, problem),
});

const deliveryParams = z.object({ id: idParam, delivery_id: z.string().regex(DELIVERY_ID) });

const unsignedNote = (unsigned: string, lang: Lang): Html =>
  html`<p class="note">${(lang === 'ru' ? UNSIGNED_RU[unsigned] : undefined) ?? english(unsigned, lang)}</p>`;

const headersPart = (
  attempt: number,
  { headers, unsigned }: SentHeaders,
  lang: Lang,
): Html => html`<details><summary>${fill(DELIVERY[lang].attempt, { attempt })}</summary>
<pre class="headers" tabindex="0" aria-label="${fill(DELIVERY[lang].headersOf, { attempt })}"><code>${Object.entries(
  headers,
).map(
  ([name, value]) => `${name}: ${value}\n`,
)}</code></pre>${unsigned !== null && unsignedNote(unsigned, lang)}</details>`;

/** Shows a request's body with line breaks, and below it as it was sent, because the signature covers these bytes. */
function requestBody(body: string, lang: Lang): Html {
  const text = DELIVERY[lang];
  const code = (label: string, content: string) =>
    html`<pre tabindex="0" aria-label="${label}"><code>${content}</code></pre>`;
  const formatted = formatJson(body);
  if (formatted === null) return code(text.request, body);
  return html`${code(text.request, formatted)}
<details><summary>${text.raw}</summary>${code(text.raw, body)}</details>`;
}

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
  const mayChange = member.permissions.has('webhooks');
  const makeHeaders = await readSentHeaders({ pool, clock, secretKeys: config.secretKeys }, id, found);
  const attempts = found.log.map(
    (one) => html`<tr>
<td>${one.attempt}</td>
<td>${logTime(one.at)}</td>
<td>${one.failure !== null ? failureText(one.failure, member.lang) : replyText(one.status, member.lang)}</td>
<td>${fill(WEBHOOKS[member.lang].milliseconds, { ms: one.duration_ms })}</td>
<td class="details">${one.reply === null ? '' : html`<code>${one.reply}</code>`}</td>
</tr>
`,
  );
  const body = html`<section class="panel"><dl class="facts">
<div><dt>${DELIVERY[member.lang].event}</dt><dd>${english(found.event_type, member.lang)} <code>${found.event_id}</code></dd></div>
<div><dt>${DELIVERIES[member.lang].state}</dt>
<dd>${DELIVERIES[member.lang].states[found.state]}${found.failure !== null && html`: ${failureText(found.failure, member.lang)}`}</dd></div>
<div><dt>${DELIVERY[member.lang].next}</dt>
<dd>${found.next_attempt_at === null ? DELIVERY[member.lang].noNext : utcTime(found.next_attempt_at)}</dd></div></dl>
${found.state !== 'delivered' && mayChange && postButton(`${at}/${found.id}/retry`, DELIVERY[member.lang].retry)}
${
  found.state === 'pending' &&
  mayChange &&
  html`${postButton(`${at}/${found.id}/skip`, DELIVERY[member.lang].skip, { kind: 'plain' })}
<p class="note">${DELIVERY[member.lang].skipNote}</p>`
}</section>
<section class="panel"><h2>${DELIVERY[member.lang].request}</h2>
${found.body === null ? html`<p>${DELIVERY[member.lang].notStored}</p>` : requestBody(found.body, member.lang)}</section>
<h2>${DELIVERY[member.lang].attempts}</h2>
${scrollTable({
  label: DELIVERY[member.lang].attempts,
  head: heads(DELIVERY[member.lang].columns),
  rows: attempts,
})}
<section class="panel"><h2>${DELIVERY[member.lang].headers}</h2>
${found.log.map((one) => headersPart(one.attempt, makeHeaders(one), member.lang))}
<p class="note">${DELIVERY[member.lang].headersNote}</p>
</section>
<p><a href="${at}">${WEBHOOKS[member.lang].log}</a></p>`;
  return member.page({ title: DELIVERY[member.lang].title, body, problem });
}

const one = memberPage({
  method: 'GET',
  path: `${PATH}/{delivery_id}`,
  permission: 'read',
  summary: 'A delivery',
  params: deliveryParams,
  handler: (member, { params }, deps) => deliveryPage(member, params, deps),
});

const retry = memberPage({
  method: 'POST',
  path: `${PATH}/{delivery_id}/retry`,
  permission: 'webhooks',
  summary: 'Retry a delivery',
  params: deliveryParams,
  handler: async (_member, input, deps) => {
    const { id, delivery_id } = input.params;
    await retryWebhookDelivery(deps, input, id, delivery_id);
    return redirect(input, `/account/webhooks/${id}/deliveries?done=retried`);
  },
  onProblem: (problem, member, { params }, deps) => deliveryPage(member, params, deps, problem),
});

const skip = memberPage({
  method: 'POST',
  path: `${PATH}/{delivery_id}/skip`,
  permission: 'webhooks',
  summary: 'Give up a delivery',
  params: deliveryParams,
  handler: async (_member, input, deps) => {
    const { id, delivery_id } = input.params;
    await skipWebhookDelivery(deps, input, id, delivery_id);
    return redirect(input, `/account/webhooks/${id}/deliveries?done=skipped`);
  },
  onProblem: (problem, member, { params }, deps) => deliveryPage(member, params, deps, problem),
});

const retryAll = memberPage({
  method: 'POST',
  path: `${PATH}/retry`,
  permission: 'webhooks',
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

export const webhookLogPages: RouteValue<PortalDeps>[] = [list, one, retry, skip, retryAll];
