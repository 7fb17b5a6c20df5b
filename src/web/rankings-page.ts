/** A ranking's page. It shows the newest ranking published on or before the chosen day. */

import type { z } from 'zod';
import { readRoute } from '../http/index.ts';
import { KIND_NAMES, kindFacts, publishedKinds, type RankingKind } from '../rankings/index.ts';
import { rankings as rankingsRoute } from '../rankings/routes.ts';
import type { rankings } from '../rankings/schema.ts';
import { heads, nameText, scrollTable, shortHead } from '../site/components/index.ts';
import { type Html, html } from '../site/html.ts';
import { breadcrumbs, document } from '../site/layout.ts';
import { dateText, fill, TEXTS } from '../site/texts/index.ts';
import type { WebDeps } from './deps.ts';
import { type PageOptions, shareTags } from './page-options.ts';
import { playerLink, teamLink } from './paths.ts';
import { nameOf, picturePath } from './status-text.ts';

export interface RankingsQuery {
  /** Kind of ranking. By default, the first kind with a published ranking. */
  kind?: RankingKind | undefined;
  date?: string | undefined;
  /** From 1. */
  page: number;
}

type Ranked = z.infer<typeof rankings>['rankings'][number];

const ROWS = 100;

export async function rankingsPage(deps: WebDeps, query: RankingsQuery, options: PageOptions): Promise<string> {
  const { lang, root } = options;
  const text = TEXTS[lang].catalogue;
  const published = await publishedKinds(deps.pool);
  const kinds = KIND_NAMES.filter((kind) => published.has(kind));
  const kind = query.kind ?? kinds[0];
  if (kind === undefined) return noRankings(deps, options);
  const ranking = await readRoute(
    rankingsRoute,
    { query: { kind, date: query.date, limit: String(ROWS), offset: String((query.page - 1) * ROWS) } },
    deps,
  );
  const { of } = kindFacts(kind);
  const link = (page: number) => {
    const given = { kind, ...(query.date !== undefined && { date: query.date }), page: String(page) };
    return `${root}rankings?${new URLSearchParams(given).toString()}`;
  };
  const choices = kinds.includes(kind) ? kinds : [kind, ...kinds];
  const kindOptions = choices.map(
    (one) => html`<option value="${one}"${one === kind && html` selected`}>${text.kinds[one]}</option>`,
  );
  const body = html`${breadcrumbs(lang, root, [{ name: text.rankings }])}
<section class="panel"><h1>${text.kinds[kind]}</h1>
<form method="get" action="${root}rankings" class="choice"><label><span class="hidden">${text.rankings}</span>
<select name="kind">${kindOptions}</select></label>
<label>${text.onDay} <input type="date" name="date" value="${query.date ?? ''}"></label>
<button>${text.show}</button></form>
${
  ranking.published_at === null || ranking.rankings.length === 0
    ? html`<p class="note">${text.noRanking}</p>`
    : html`<p class="note">${fill(text.published, { date: dateText(ranking.published_at, lang) })}</p>
${scrollTable({
  label: text.kinds[kind],
  kind: 'list',
  head: [
    shortHead('#', text.rank),
    ...heads([of === 'player' ? text.player : text.team, text.points]),
    shortHead('±', text.movement),
  ],
  rows: ranking.rankings.map((one) => row(one, of, options)),
})}
<p class="steps">${query.page > 1 && html`<a href="${link(query.page - 1)}">← ${text.earlier}</a>`}
${query.page * ROWS < ranking.total && html`<a href="${link(query.page + 1)}">${text.later} →</a>`}</p>`
}</section>`;
  return document({
    lang,
    title: `${text.kinds[kind]} · Touchline`,
    root,
    query: new URLSearchParams({ kind, ...(query.date !== undefined && { date: query.date }) }).toString(),
    styles: ['tables.css', 'catalogue.css'],
    clock: deps.clock,
    head: shareTags({ path: `rankings?kind=${kind}`, title: text.kinds[kind] }, options),
    body,
  });
}

/** Shown if no ranking of any kind is stored. */
const noRankings = ({ clock }: WebDeps, options: PageOptions): string => {
  const { lang, root } = options;
  const { rankings, noRankings } = TEXTS[lang].catalogue;
  return document({
    lang,
    title: `${rankings} · Touchline`,
    root,
    query: '',
    styles: ['catalogue.css'],
    clock,
    head: shareTags({ path: 'rankings', title: rankings }, options),
    body: html`${breadcrumbs(lang, root, [{ name: rankings }])}
<section class="panel"><h1>${rankings}</h1><p class="note">${noRankings}</p></section>`,
  });
};

function row(
  { rank, participant, points, movement }: Ranked,
  of: ReturnType<typeof kindFacts>['of'],
  { lang, root }: PageOptions,
): Html {
  const name = nameText(nameOf(participant, lang), lang);
  const crest =
    of !== 'player' &&
    html`<img src="${root}${picturePath({ participant_id: participant.id })}" alt="" width="20" height="20" loading="lazy">`;
  const change = movement === null ? '–' : movement === 0 ? '=' : movement > 0 ? `▲ ${movement}` : `▼ ${-movement}`;
  return html`<tr><td>${rank}</td>
<th scope="row">${crest}${(of === 'player' ? playerLink : teamLink)(participant.id, participant.name, root, name)}</th>
<td>${points === null ? '–' : points.toLocaleString(lang, { maximumFractionDigits: 1 })}</td>
<td>${change}</td></tr>`;
}
