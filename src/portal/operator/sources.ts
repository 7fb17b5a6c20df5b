/** The polled sources: whether they answer, and which of their values were not understood. */

import type { Lang } from '../../http/index.ts';
import { dateTime, heads, scrollTable, utcTime } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { fill, OPERATOR } from '../../site/texts/index.ts';
import { type PolledSource, polledSources } from '../../sources/index.ts';
import { type OperatorSection, operatorPage } from './section.ts';

const { sources: SOURCES } = OPERATOR;

function state({ fault, fault_since, answered_at }: PolledSource, lang: Lang): Html {
  if (fault !== null)
    return html`<span class="problem">${SOURCES[lang].fails}</span> ${SOURCES[lang].failsSince(utcTime(fault_since!), fault)}`;
  return answered_at === null ? html`${SOURCES[lang].notAsked}` : html`${SOURCES[lang].answers}`;
}

function sourceTable(sources: readonly PolledSource[], lang: Lang): Html {
  return scrollTable({
    label: SOURCES[lang].title,
    head: heads(SOURCES[lang].columns),
    rows: sources.map(
      (source) => html`<tr><th scope="row">${source.name}</th><td>${state(source, lang)}</td>
<td>${source.answered_at === null ? '–' : dateTime(source.answered_at)}</td>
<td>${fill(SOURCES[lang].requestsLeft, { left: source.requests_left, daily: source.daily_requests })}</td><td>${source.changes}</td></tr>`,
    ),
  });
}

function unknownTable(sources: readonly PolledSource[], lang: Lang): Html {
  const rows = sources.flatMap(({ name, not_understood }) => not_understood.map((one) => ({ name, ...one })));
  if (rows.length === 0) return html`<p class="panel">${SOURCES[lang].allUnderstood}</p>`;
  return scrollTable({
    label: SOURCES[lang].unknown,
    head: heads(SOURCES[lang].unknownColumns),
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
  handler: async ({ page, lang }, _input, { pool, clock }) => {
    const sources = await polledSources(pool, clock.now());
    if (sources.length === 0)
      return page({
        title: SOURCES[lang].title,
        body: html`<p class="panel">${SOURCES[lang].none}</p>`,
      });
    return page({
      title: SOURCES[lang].title,
      body: html`${sourceTable(sources, lang)}
<h2>${SOURCES[lang].unknown}</h2>
<p class="note">${SOURCES[lang].unknownNote}</p>
${unknownTable(sources, lang)}`,
    });
  },
});

export const sources: OperatorSection = { path: 'sources', title: (lang) => SOURCES[lang].title, pages: [show] };
