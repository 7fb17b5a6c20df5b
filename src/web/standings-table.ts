/** Tables of a season: one, or one for each group. */
import type { z } from 'zod';
import type { standings, standingsRow } from '../competitions/schema.ts';
import type { Lang } from '../http/route.ts';
import { type Html, html } from '../site/html.ts';
import { OUTCOMES } from '../site/texts/analytics.ts';
import type { CatalogueTexts } from '../site/texts/catalogue.ts';
import { fill } from '../site/texts/fill.ts';
import { roundText } from '../site/texts/rounds.ts';
import { TEXTS } from '../site/texts/texts.ts';
import { teamPath } from './paths.ts';
import { nameOf, picturePath } from './status.ts';
import { tableColumns } from './table-columns.ts';

export type Standings = z.infer<typeof standings>;
type Row = z.infer<typeof standingsRow>;

interface TableOptions {
  lang: Lang;
  root: string;
  /** Slug; it decides the columns. */
  sport: string;
  /** Participants whose rows stand out. */
  marked?: readonly number[];
}

/** Returns a table for each group, in the order of the reply. */
export function standingsTables({ table }: Pick<Standings, 'table'>, options: TableOptions): Html {
  const groups = new Map<string | null, Row[]>();
  for (const row of table) groups.set(row.group, [...(groups.get(row.group) ?? []), row]);
  const text = TEXTS[options.lang].catalogue;
  const deductions = table.filter(({ points_deducted }) => points_deducted !== 0);
  return html`${[...groups].map(
    ([group, rows]) =>
      html`${group !== null && html`<h3>${/^[\d.]+$/.test(group) ? fill(text.group, { name: group }) : roundText(group, options.lang)}</h3>`}${oneTable(rows, options)}`,
  )}${legend(table, text)}${deductions.map(
    (row) =>
      html`<p class="note">${fill(text.deducted, { team: nameOf(row, options.lang), points: row.points_deducted })}</p>`,
  )}`;
}

/** Names the zones of the table, in the order of their places. */
function legend(rows: readonly Row[], text: CatalogueTexts): Html | false {
  const zones = [...new Set(rows.flatMap(({ zone }) => zone ?? []))];
  return (
    zones.length > 0 &&
    html`<ul class="zones">${zones.map((zone) => html`<li data-zone="${zone}">${text.zones[zone]}</li>`)}</ul>`
  );
}

function oneTable(rows: readonly Row[], { lang, root, sport, marked = [] }: TableOptions): Html {
  const columns = tableColumns(sport, lang);
  const text = TEXTS[lang].catalogue;
  const head = (short: string, long: string, kind?: string) =>
    html`<th scope="col"${kind && html` class="${kind}"`}><abbr title="${long}">${short}</abbr></th>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${text.table}"><table class="list">
<thead><tr>${head('#', TEXTS[lang].analytics.position)}<th scope="col">${text.team}</th>${columns.map(({ head: [short, long], wide }) => head(short, long, wide ? 'wide' : undefined))}<th scope="col" class="form">${text.form}</th></tr></thead>
<tbody>${rows.map(
    (row) =>
      html`<tr${marked.includes(row.participant_id) && html` class="marked"`}${row.zone && html` data-zone="${row.zone}"`}><td>${row.zone ? html`<abbr title="${text.zones[row.zone]}">${row.position}</abbr>` : row.position}</td><th scope="row"><img src="${root}${picturePath(row)}" alt="" width="20" height="20" loading="lazy"><a href="${root}${teamPath(row.participant_id, row.name)}">${nameOf(row, lang)}</a></th>${columns.map(({ key, wide, cell }) => html`<td${wide && html` class="wide"`}>${key === 'points' ? html`<b>${cell(row)}</b>` : cell(row)}</td>`)}<td class="form">${formStrip(row.form, lang)}</td></tr>`,
  )}</tbody></table></div>`;
}

/** @param form letters of outcomes, newest first */
export const formStrip = (form: string, lang: Lang): Html =>
  html`<span class="letters">${[...form].map((letter) => {
    const outcome = OUTCOMES[lang][letter as 'W' | 'D' | 'L'];
    return html`<span class="${letter}" role="img" aria-label="${outcome.name}">${outcome.letter}</span>`;
  })}</span>`;
