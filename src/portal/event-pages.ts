/** The event explorer: the events of the last seven days, one event with its bytes, and the subscriptions that got it. */
import { z } from 'zod';
import { idParams, invalidParameter, type Lang, type Problem, type Reply, type RouteValue } from '../http/index.ts';
import { english, heads, logTime, scrollTable } from '../site/components/index.ts';
import { field, parseTime, readText, selectField } from '../site/forms/fields.ts';
import { type Html, html } from '../site/html.ts';
import { DELIVERIES, EVENT_PAGES, fill, WEBHOOKS } from '../site/texts/index.ts';
import { SPORT_SLUGS, SPORTS } from '../sports/sports.ts';
import { REQUESTED_LIMIT, sendAccountEvent } from '../webhooks/api/account-webhooks.ts';
import { EVENT_TYPE_NAMES } from '../webhooks/api/schema.ts';
import { type LogRecord, readEvent, readEvents, readReceipts } from '../webhooks/delivery/index.ts';
import { eventSearch, type Subscription, subscriptions } from '../webhooks/subscriptions/index.ts';
import { eventIdOf } from '../wire/envelope.ts';
import type { PortalDeps } from './deps.ts';
import { formatJson } from './format-json.ts';
import { sportName } from './sport-name.ts';
import { memberPage, redirect, type Visitor } from './visit.ts';

const PATH = '/account/events';
const PAGE_EVENTS = 50;

const text = z.string().optional();
const listQuery = z.object({
  event_type: text,
  sport: text,
  league: text,
  match_id: text,
  since: text,
  before: text,
  done: text,
});
type ListQuery = z.output<typeof listQuery>;

/** @throws {Problem} invalid_parameter */
function parseId(name: string, given: string | undefined): number | undefined {
  if (given === undefined || given === '') return undefined;
  if (!/^[1-9]\d{0,14}$/.test(given)) throw invalidParameter(name, 'invalid_id', 'is not an id');
  return Number(given);
}

/** @throws {Problem} invalid_parameter */
function parseChoice(name: string, choices: readonly string[], given: string | undefined): string | undefined {
  if (given === undefined || given === '') return undefined;
  if (!choices.includes(given)) throw invalidParameter(name, 'invalid_choice', 'is not one of the choices');
  return given;
}

/** @throws {Problem} invalid_parameter */
const readFilter = (query: ListQuery, { plan }: Visitor, { plans }: PortalDeps) =>
  eventSearch(
    {
      eventType: parseChoice('event_type', EVENT_TYPE_NAMES, query.event_type),
      sport: parseChoice('sport', SPORT_SLUGS, query.sport),
      league: parseId('league', query.league),
      matchId: parseId('match_id', query.match_id),
    },
    plans.named(plan),
  );

function filterForm(query: ListQuery, { root, lang }: Visitor): Html {
  const all = [['', WEBHOOKS[lang].allChosen]] as const;
  const types = EVENT_TYPE_NAMES.filter((type) => type.startsWith('match.'));
  return html`<form class="panel" method="get" action="${root}account/events">
${selectField({
  name: 'event_type',
  label: EVENT_PAGES[lang].type,
  options: [...all, ...types.map((type) => [type, type, 'en'] as const)],
  chosen: query.event_type,
})}
${selectField({
  name: 'sport',
  label: EVENT_PAGES[lang].sport,
  options: [...all, ...SPORTS.map(({ slug }) => [slug, sportName(slug, lang)] as const)],
  chosen: query.sport,
})}
${field({ name: 'league', label: EVENT_PAGES[lang].league, value: query.league ?? '', inputmode: 'numeric' })}
${field({ name: 'match_id', label: EVENT_PAGES[lang].match, value: query.match_id ?? '', inputmode: 'numeric' })}
${field({ name: 'since', label: EVENT_PAGES[lang].since, type: 'datetime-local', value: query.since ?? '' })}
<button class="plain">${EVENT_PAGES[lang].show}</button></form>`;
}

const occurredAt = ({ envelope }: LogRecord): string => /"occurred_at":"([^"]+)"/.exec(envelope)?.[1] ?? '';

function row(record: LogRecord, { root, lang }: Visitor): Html {
  return html`<tr><th scope="row"><a href="${root}account/events/${record.cursor}">${english(record.type, lang)}</a><br>
<span class="note">${eventIdOf(record.envelope)}</span></th>
<td>${logTime(occurredAt(record))}</td><td>${sportName(record.sport, lang)}</td>
<td><a href="${root}match/${record.matchId}">${record.matchId}</a></td><td>${record.cursor}</td></tr>
`;
}

function older(query: ListQuery, next: number | null, { root, lang }: Visitor): Html | false {
  if (next === null) return false;
  const { done: _, ...kept } = query;
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...kept, before: String(next) })) if (value) given.set(name, value);
  return html`<p><a href="${root}account/events?${given.toString()}">${EVENT_PAGES[lang].older}</a></p>`;
}

async function listPage(member: Visitor, query: ListQuery, deps: PortalDeps, problem?: Problem): Promise<Reply> {
  const { lang } = member;
  const filter = readFilter(query, member, deps);
  const { events, next } =
    problem === undefined
      ? await readEvents(deps.log, filter, {
          before: parseId('before', query.before) ?? null,
          since: parseTime('since', query.since),
          limit: PAGE_EVENTS,
        })
      : { events: [], next: null };
  const body = html`<p>${EVENT_PAGES[lang].intro}</p>
${filterForm(query, member)}
${
  events.length === 0
    ? html`<p class="panel">${next === null ? EVENT_PAGES[lang].none : EVENT_PAGES[lang].noneAmongNewest}</p>`
    : scrollTable({
        label: EVENT_PAGES[lang].title,
        head: heads(EVENT_PAGES[lang].columns),
        rows: events.map((record) => row(record, member)),
      })
}
${older(query, next, member)}`;
  return member.page({ title: EVENT_PAGES[lang].title, body, problem });
}

const list = memberPage({
  method: 'GET',
  path: PATH,
  permission: 'read',
  summary: 'Stored events',
  query: listQuery,
  handler: (member, { query }, deps) => listPage(member, query, deps),
  onProblem: (problem, member, _input, deps) => listPage(member, {}, deps, problem),
});

const subscriptionName = ({ id, description }: Subscription, lang: Lang): string =>
  description === '' ? fill(WEBHOOKS[lang].unnamed, { id }) : description;

async function eventPage(member: Visitor, cursor: number, deps: PortalDeps, problem?: Problem): Promise<Reply> {
  const { lang, root, accountId } = member;
  const record = await readEvent(deps.log, readFilter({}, member, deps), cursor);
  const id = eventIdOf(record.envelope);
  const receipts = await readReceipts(deps.pool, accountId, id);
  const own = await subscriptions(deps.pool, { accountId });
  const rows = receipts.map((one) => {
    const found = own.find((subscription) => subscription.id === one.subscription_id);
    return html`<tr><th scope="row"><a href="${root}account/webhooks/${one.subscription_id}/deliveries/${one.delivery_id}">${
      found === undefined ? one.subscription_id : subscriptionName(found, lang)
    }</a></th>
<td>${DELIVERIES[lang].states[one.state]}</td><td>${logTime(one.at)}</td><td>${one.attempts}</td><td>${one.status ?? ''}</td></tr>
`;
  });
  const code = (label: string, content: string) =>
    html`<pre tabindex="0" aria-label="${label}"><code>${content}</code></pre>`;
  const body = html`<section class="panel"><dl class="facts">
<div><dt>${EVENT_PAGES[lang].type}</dt><dd>${english(record.type, lang)} <code>${id}</code></dd></div>
<div><dt>${EVENT_PAGES[lang].columns[1]}</dt><dd>${logTime(occurredAt(record))}</dd></div>
<div><dt>${EVENT_PAGES[lang].match}</dt><dd><a href="${root}match/${record.matchId}">${record.matchId}</a></dd></div>
<div><dt>${EVENT_PAGES[lang].cursor}</dt><dd>${record.cursor}</dd></div></dl></section>
<h2>${EVENT_PAGES[lang].receipts}</h2>
${
  rows.length === 0
    ? html`<p class="panel">${EVENT_PAGES[lang].noReceipts}</p>`
    : scrollTable({ label: EVENT_PAGES[lang].receipts, head: heads(EVENT_PAGES[lang].receiptColumns), rows })
}
${
  own.length > 0 &&
  member.permissions.has('webhooks') &&
  html`<section class="panel"><h2>${EVENT_PAGES[lang].send}</h2><p>${EVENT_PAGES[lang].sendNote}</p>
<form method="post" action="${root}account/events/${cursor}/send">${selectField({
    name: 'subscription',
    label: EVENT_PAGES[lang].subscription,
    options: own.map((one) => [String(one.id), subscriptionName(one, lang)] as const),
  })}<button>${EVENT_PAGES[lang].sendNow}</button></form></section>`
}
<section class="panel"><h2>${EVENT_PAGES[lang].content}</h2>
${code(EVENT_PAGES[lang].content, formatJson(record.envelope) ?? record.envelope)}
<details><summary>${EVENT_PAGES[lang].raw}</summary>${code(EVENT_PAGES[lang].raw, record.envelope)}</details></section>
<p><a href="${root}account/events">${EVENT_PAGES[lang].title}</a></p>`;
  return member.page({ title: EVENT_PAGES[lang].one, body, problem });
}

const one = memberPage({
  method: 'GET',
  path: `${PATH}/{id}`,
  permission: 'read',
  summary: 'A stored event',
  params: idParams,
  handler: (member, { params }, deps) => eventPage(member, params.id, deps),
});

const send = memberPage({
  method: 'POST',
  path: `${PATH}/{id}/send`,
  permission: 'webhooks',
  summary: 'Send a stored event to a subscription',
  params: idParams,
  perAddress: REQUESTED_LIMIT,
  handler: async (_member, input, deps) => {
    const id = parseId('subscription', readText(input.form, 'subscription'));
    if (id === undefined) throw invalidParameter('subscription', 'required', 'is required');
    const delivery = await sendAccountEvent(deps, input, id, input.params.id);
    return redirect(input, `/account/webhooks/${id}/deliveries/${delivery}`);
  },
  onProblem: (problem, member, { params }, deps) => eventPage(member, params.id, deps, problem),
});

export const eventPages: RouteValue<PortalDeps>[] = [list, one, send];
