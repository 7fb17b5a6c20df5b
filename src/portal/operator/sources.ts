/** The polled sources. Shows whether they answer, and what they said that was not understood. */

import { dateTime, heads, scrollTable } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { type PolledSource, polledSources } from '../../sources/index.ts';
import { type OperatorSection, operatorPage } from './section.ts';

function state({ fault, fault_since, answered_at }: PolledSource): Html {
  if (fault !== null) return html`<span class="problem">Fails</span> since ${dateTime(fault_since!)}: ${fault}`;
  return answered_at === null ? html`Not asked yet` : html`Answers`;
}

function sourceTable(sources: readonly PolledSource[]): Html {
  return scrollTable({
    label: 'Sources',
    head: heads(['Source', 'State', 'Last good reply (UTC)', 'Requests left today', 'Changes']),
    rows: sources.map(
      (source) => html`<tr><th scope="row">${source.name}</th><td>${state(source)}</td>
<td>${source.answered_at === null ? '–' : dateTime(source.answered_at)}</td>
<td>${source.requests_left} of ${source.daily_requests}</td><td>${source.changes}</td></tr>`,
    ),
  });
}

function unknownTable(sources: readonly PolledSource[]): Html {
  const rows = sources.flatMap(({ name, not_understood }) => not_understood.map((one) => ({ name, ...one })));
  if (rows.length === 0) return html`<p class="panel">All values were understood.</p>`;
  return scrollTable({
    label: 'Values that were not understood',
    head: heads(['Source', 'Where', 'Value', 'First seen (UTC)']),
    rows: rows.map(
      ({ name, path, value, at }) =>
        html`<tr><th scope="row">${name}</th><td><code>${path}</code></td><td><code>${value}</code></td><td>${dateTime(at)}</td></tr>`,
    ),
  });
}

const show = operatorPage({
  method: 'GET',
  path: '/operator/sources',
  summary: 'The polled sources, and whether they answer',
  handler: async ({ page }, _input, { pool, clock }) => {
    const sources = await polledSources(pool, clock.now());
    if (sources.length === 0)
      return page({
        title: 'Sources',
        body: html`<p class="panel">No source is polled. <code>PROVIDERS</code> names the public sources to read live matches from.</p>`,
      });
    return page({
      title: 'Sources',
      body: html`${sourceTable(sources)}
<h2>Values that were not understood</h2>
<p class="note">They are left out: what a match had before stays. They usually mean that the source has changed.</p>
${unknownTable(sources)}`,
    });
  },
});

export const sources: OperatorSection = { path: 'sources', title: 'Sources', pages: [show] };
