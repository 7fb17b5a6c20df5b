/** An account's usage: the current windows, and requests by day, endpoint and key. */
import { z } from 'zod';
import { listKeys } from '../accounts/keys/index.ts';
import { readUsage, readWindows, type UsageRow, type WindowState } from '../accounts/usage/index.ts';
import { oneValue, type RouteValue } from '../http/index.ts';
import { dateTime, heads, scrollTable } from '../site/components/index.ts';
import { type Html, html } from '../site/html.ts';
import { type DayCount, dayBars } from '../site/plots/index.ts';
import { fill, KEYS, USAGE } from '../site/texts/index.ts';
import { DAY_MS, utcDay } from '../wire/time.ts';
import type { PortalDeps } from './deps.ts';
import { memberPage } from './visit.ts';

const RANGES = ['7', '30', '90', '365'] as const;
const MAX_ENDPOINTS = 30;
const number = (value: number) => value.toLocaleString('en-GB');

/** Shows each window as a bar with figures, first for secret keys, then for publishable keys. */
export const windowMeters = ({ secret, publishable }: Record<'secret' | 'publishable', readonly WindowState[]>): Html =>
  html`<h3>${USAGE.secretKeys}</h3>${meters(secret)}<h3>${USAGE.publishableKeys}</h3>${meters(publishable)}`;

function meters(windows: readonly WindowState[]): Html {
  if (windows.length === 0) return html`<p class="meter">${USAGE.noLimits}</p>`;
  return html`${windows.map(({ name, limit, used, remaining, resets_at }) =>
    used === null
      ? html`<p class="meter">${fill(USAGE.limit, { window: USAGE.windows[name], limit: number(limit) })}</p>`
      : html`<p class="meter"><label>${USAGE.used({
          window: USAGE.windows[name],
          used: number(used),
          limit: number(limit),
          left: number(remaining!),
          until: dateTime(resets_at!),
        })}
<meter min="0" max="${limit}" high="${Math.round(limit * 0.8)}" value="${Math.min(used, limit)}">${number(used)}</meter></label></p>`,
  )}`;
}

/** Returns every day in the range, so that days without requests are visible. */
function everyDay(rows: readonly UsageRow[], from: number, to: number): DayCount[] {
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const days: DayCount[] = [];
  for (let at = from; at <= to; at += DAY_MS) {
    const row = byDay.get(utcDay(at));
    days.push({ day: utcDay(at), count: row?.requests ?? 0, refused: row?.rejected ?? 0 });
  }
  return days;
}

function countsTable(
  { label, column }: { label: string; column: string },
  rows: readonly (readonly [string | Html, UsageRow])[],
): Html {
  return scrollTable({
    label,
    head: [...heads([column]), ...heads(USAGE.counts, 'number')],
    rows: rows.map(
      ([name, { requests, billable, not_modified, rejected }]) => html`<tr><th scope="row">${name}</th>
${[requests, billable, not_modified, rejected].map((count) => html`<td class="number">${number(count)}</td>`)}</tr>`,
    ),
  });
}

const usage = memberPage({
  method: 'GET',
  path: '/account/usage',
  summary: 'What the account has used',
  query: z.object({ days: oneValue(RANGES).default('30') }),
  handler: async (member, { query }, { pool, clickhouse, clock, plans }) => {
    const { accountId, page, root } = member;
    const now = clock.now();
    const to = now - (now % DAY_MS);
    const from = to - (Number(query.days) - 1) * DAY_MS;
    const stores = { pool, clickhouse };
    const question = { accountId, from: utcDay(from), to: utcDay(to) };
    const [windows, byDay, byEndpoint, byKey, keys] = await Promise.all([
      readWindows(pool, accountId, plans.of(member), now),
      readUsage(stores, { ...question, groups: ['day'] }),
      readUsage(stores, { ...question, groups: ['endpoint', 'status'] }),
      readUsage(stores, { ...question, groups: ['key'] }),
      listKeys(pool, { accountId }),
    ]);
    const keyNames = new Map(keys.map(({ id, name }) => [id, name ?? fill(KEYS.unnamed, { id })]));
    const endpoints = byEndpoint.rows.toSorted((a, b) => b.requests - a.requests).slice(0, MAX_ENDPOINTS);
    const sum = (name: 'events_delivered' | 'webhook_attempts' | 'webhook_deliveries') =>
      byDay.activity.reduce((total, day) => total + day[name], 0);
    const peak = Math.max(0, ...byDay.activity.map(({ streams_peak }) => streams_peak));
    return page({
      title: USAGE.title,
      body: html`<section class="panel"><h2>${USAGE.now}</h2>${windowMeters(windows)}
<p class="note">${USAGE.delay}</p></section>
<section class="panel"><h2>${USAGE.byDay}</h2>
<p class="ranges">${RANGES.map(
        (days) =>
          html`<a href="${root}account/usage?days=${days}"${days === query.days && html` aria-current="true"`}>${fill(
            USAGE.range,
            { days },
          )}</a> `,
      )}</p>
${dayBars(everyDay(byDay.rows, from, to))}
<p class="note">${fill(USAGE.totals, {
        from: question.from,
        to: question.to,
        requests: number(byDay.totals.requests),
        billable: number(byDay.totals.billable),
        notModified: number(byDay.totals.not_modified),
        refused: number(byDay.totals.rejected),
        most: number(Math.max(0, ...byDay.rows.map(({ requests }) => requests))),
      })}</p>
${!byDay.complete && html`<p class="problem">${USAGE.incomplete}</p>`}</section>
<section><h2>${USAGE.endpoints.title}</h2>
${countsTable(
  USAGE.endpoints,
  endpoints.map((row) => [html`<code>${row.endpoint}</code> ${row.status}`, row] as const),
)}</section>
<section><h2>${USAGE.keys.title}</h2>
${countsTable(
  USAGE.keys,
  byKey.rows.map(
    (row) =>
      [
        html`<a href="${root}account/keys/${row.key_id}">${keyNames.get(row.key_id!) ?? fill(KEYS.unnamed, { id: row.key_id! })}</a>`,
        row,
      ] as const,
  ),
)}</section>
<section class="panel"><h2>${USAGE.channels}</h2><dl class="facts">
<div><dt>${USAGE.streams}</dt><dd>${number(peak)}</dd></div>
<div><dt>${USAGE.events}</dt><dd>${number(sum('events_delivered'))}</dd></div>
<div><dt>${USAGE.deliveries}</dt><dd>${fill(USAGE.attempts, {
        deliveries: number(sum('webhook_deliveries')),
        attempts: number(sum('webhook_attempts')),
      })}</dd></div>
</dl></section>`,
    });
  },
});

export const usagePages: RouteValue<PortalDeps>[] = [usage];
