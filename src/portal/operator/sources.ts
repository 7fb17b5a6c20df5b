/** The polled sources: whether they answer, and which of their values were not understood. */

import { dateTime, heads, scrollTable } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { fill, OPERATOR } from '../../site/texts/index.ts';
import { type PolledSource, polledSources } from '../../sources/index.ts';
import { type OperatorSection, operatorPage } from './section.ts';

const { sources: SOURCES } = OPERATOR;

function state({ fault, fault_since, answered_at }: PolledSource): Html {
  if (fault !== null)
    return html`<span class="problem">${SOURCES.fails}</span> ${SOURCES.failsSince(dateTime(fault_since!), fault)}`;
  return answered_at === null ? html`${SOURCES.notAsked}` : html`${SOURCES.answers}`;
}

function sourceTable(sources: readonly PolledSource[]): Html {
  return scrollTable({
    label: SOURCES.title,
    head: heads(SOURCES.columns),
    rows: sources.map(
      (source) => html`<tr><th scope="row">${source.name}</th><td>${state(source)}</td>
<td>${source.answered_at === null ? '–' : dateTime(source.answered_at)}</td>
<td>${fill(SOURCES.requestsLeft, { left: source.requests_left, daily: source.daily_requests })}</td><td>${source.changes}</td></tr>`,
    ),
  });
}

function unknownTable(sources: readonly PolledSource[]): Html {
  const rows = sources.flatMap(({ name, not_understood }) => not_understood.map((one) => ({ name, ...one })));
  if (rows.length === 0) return html`<p class="panel">${SOURCES.allUnderstood}</p>`;
  return scrollTable({
    label: SOURCES.unknown,
    head: heads(SOURCES.unknownColumns),
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
        title: SOURCES.title,
        body: html`<p class="panel">${SOURCES.none}</p>`,
      });
    return page({
      title: SOURCES.title,
      body: html`${sourceTable(sources)}
<h2>${SOURCES.unknown}</h2>
<p class="note">${SOURCES.unknownNote}</p>
${unknownTable(sources)}`,
    });
  },
});

export const sources: OperatorSection = { path: 'sources', title: SOURCES.title, pages: [show] };
