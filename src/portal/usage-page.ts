/** An account's usage: the current windows, and requests by day, endpoint and key. */
import { z } from 'zod';
import { listKeys } from '../accounts/keys/index.ts';
import { readUsage, readWindows, type UsageRow, type WindowState } from '../accounts/usage/index.ts';
import { type Lang, oneValue, type RouteValue } from '../http/index.ts';
import { heads, scrollTable, utcTime } from '../site/components/index.ts';
import { type Html, html } from '../site/html.ts';
import { type DayCount, dayBars } from '../site/plots/index.ts';
import { fill, KEYS, USAGE } from '../site/texts/index.ts';
import { DAY_MS, utcDay } from '../wire/time.ts';
import type { PortalDeps } from './deps.ts';
import { memberPage } from './visit.ts';

const RANGES = ['7', '30', '90', '365'] as const;
const MAX_ENDPOINTS = 30;
const number = (value: number, lang: Lang) => value.toLocaleString(lang === 'en' ? 'en-GB' : lang);

/** Shows each window as a bar with figures, first for secret keys, then for publishable keys. */
export const windowMeters = (
  { secret, publishable }: Record<'secret' | 'publishable', readonly WindowState[]>,
  lang: Lang,
): Html =>
  html`<h3>${USAGE[lang].secretKeys}</h3>${meters(secret, lang)}<h3>${USAGE[lang].publishableKeys}</h3>${meters(publishable, lang)}`;

function meters(windows: readonly WindowState[], lang: Lang): Html {
  if (windows.length === 0) return html`<p class="meter">${USAGE[lang].noLimits}</p>`;
  return html`${windows.map(({ name, limit, used, remaining, resets_at }) =>
    used === null
      ? html`<p class="meter">${fill(USAGE[lang].limit, { window: USAGE[lang].windows[name], limit: number(limit, lang) })}</p>`
      : html`<p class="meter"><label>${USAGE[lang].used({
          window: USAGE[lang].windows[name],
          used: number(used, lang),
          limit: number(limit, lang),
          left: number(remaining!, lang),
          until: utcTime(resets_at!),
        })}
<meter min="0" max="${limit}" high="${Math.round(limit * 0.8)}" value="${Math.min(used, limit)}">${number(used, lang)}</meter></label></p>`,
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

/** Returns a section with the counts of each row. False if there are no rows. */
function countsPart(
  { title, label, column }: { title: string; label: string; column: string },
  rows: readonly (readonly [string | Html, UsageRow])[],
  lang: Lang,
): Html | false {
  if (rows.length === 0) return false;
  return html`<section><h2>${title}</h2>
${scrollTable({
  label,
  head: [...heads([column]), ...heads(USAGE[lang].counts, 'number')],
  rows: rows.map(
    ([name, { requests, billable, not_modified, rejected }]) => html`<tr><th scope="row">${name}</th>
${[requests, billable, not_modified, rejected].map((count) => html`<td class="number">${number(count, lang)}</td>`)}</tr>`,
  ),
})}</section>`;
}

const usage = memberPage({
  method: 'GET',
  path: '/account/usage',
  permission: 'view',
  summary: 'What the account has used',
  query: z.object({ days: oneValue(RANGES).default('30') }),
  handler: async (member, { query }, { pool, clickhouse, clock, plans }) => {
    const { accountId, permissions, page, root, lang } = member;
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
    const keyNames = new Map(keys.map(({ id, name }) => [id, name ?? fill(KEYS[lang].unnamed, { id })]));
    const endpoints = byEndpoint.rows.toSorted((a, b) => b.requests - a.requests).slice(0, MAX_ENDPOINTS);
    const sum = (name: 'events_delivered' | 'webhook_attempts' | 'webhook_deliveries') =>
      byDay.activity.reduce((total, day) => total + day[name], 0);
    const peak = Math.max(0, ...byDay.activity.map(({ streams_peak }) => streams_peak));
    return page({
      title: USAGE[lang].title,
      body: html`<section class="panel"><h2>${USAGE[lang].now}</h2>${windowMeters(windows, lang)}
<p class="note">${USAGE[lang].delay}</p></section>
<section class="panel"><h2>${USAGE[lang].byDay}</h2>
<p class="ranges">${RANGES.map(
        (days) =>
          html`<a href="${root}account/usage?days=${days}"${days === query.days && html` aria-current="true"`}>${fill(
            USAGE[lang].range,
            { days },
          )}</a> `,
      )}</p>
${
  byDay.rows.length === 0
    ? html`<p class="note">${fill(USAGE[lang].none, { from: question.from, to: question.to })}</p>`
    : html`${dayBars(everyDay(byDay.rows, from, to))}
<p class="note">${fill(USAGE[lang].totals, {
        from: question.from,
        to: question.to,
        requests: number(byDay.totals.requests, lang),
        billable: number(byDay.totals.billable, lang),
        notModified: number(byDay.totals.not_modified, lang),
        refused: number(byDay.totals.rejected, lang),
        most: number(Math.max(0, ...byDay.rows.map(({ requests }) => requests)), lang),
      })}</p>`
}
${!byDay.complete && html`<p class="problem">${USAGE[lang].incomplete}</p>`}</section>
${countsPart(
  USAGE[lang].endpoints,
  endpoints.map((row) => [html`<code>${row.endpoint}</code> ${row.status}`, row] as const),
  lang,
)}
${countsPart(
  USAGE[lang].keys,
  byKey.rows.map((row) => {
    const name = keyNames.get(row.key_id!) ?? fill(KEYS[lang].unnamed, { id: row.key_id! });
    return [
      permissions.has('read') ? html`<a href="${root}account/keys/${row.key_id}">${name}</a>` : name,
      row,
    ] as const;
  }),
  lang,
)}
<section class="panel"><h2>${USAGE[lang].channels}</h2><dl class="facts">
<div><dt>${USAGE[lang].streams}</dt><dd>${number(peak, lang)}</dd></div>
<div><dt>${USAGE[lang].events}</dt><dd>${number(sum('events_delivered'), lang)}</dd></div>
<div><dt>${USAGE[lang].deliveries}</dt><dd>${fill(USAGE[lang].attempts, {
        deliveries: number(sum('webhook_deliveries'), lang),
        attempts: number(sum('webhook_attempts'), lang),
      })}</dd></div>
</dl></section>`,
    });
  },
});

export const usagePages: RouteValue<PortalDeps>[] = [usage];
