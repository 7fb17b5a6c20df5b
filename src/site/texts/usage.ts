/** Texts for the usage page. Like all account pages, it is in English only. */
import { type Html, html } from '../html.ts';

export const USAGE = {
  title: 'Usage',
  now: 'Now',
  delay: 'Requests show up after a few seconds.',
  secretKeys: 'Secret keys',
  publishableKeys: 'Publishable keys',
  windows: { burst: 'A second', day: 'Today', month: 'This month' },
  noLimits: 'No limits',
  limit: '{window}: at most {limit} requests',
  used: (of: { window: string; used: string; limit: string; left: string; until: Html }): Html =>
    html`${of.window}: ${of.used} of ${of.limit} requests,
${of.left} left until ${of.until}`,

  byDay: 'Requests by day',
  range: '{days} days',
  totals: `{from} to {to} (UTC). {requests} requests, {billable}
counted towards the plan, {notModified} not modified, {refused} refused. The most on one day:
{most}.`,
  incomplete: 'Older days cannot be read at the moment and are missing here.',

  counts: ['Requests', 'Counted', 'Not modified', 'Refused (429)'],
  endpoints: { title: 'By endpoint and status', label: 'By endpoint', column: 'Endpoint' },
  keys: { title: 'By key', label: 'By key', column: 'Key' },

  channels: 'Streams and webhooks',
  streams: 'Open streams, at most',
  events: 'Events delivered by streams',
  deliveries: 'Webhook deliveries',
  attempts: '{deliveries} in {attempts} attempts',
};
