/** A season's tables: a single table, or one for each group. */
import type { z } from 'zod';
import type { standings, standingsRow } from '../../competitions/schema.ts';
import type { Lang } from '../../http/index.ts';
import { heads, scrollTable, shortHead } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { type CatalogueTexts, fill, OUTCOMES, outcomeTexts, roundText, TEXTS } from '../../site/texts/index.ts';
import { teamLink } from '../paths.ts';
import { nameOf, picturePath } from '../status-text.ts';
import { tableColumns } from './table-columns.ts';

export type Standings = z.infer<typeof standings>;
type Row = z.infer<typeof standingsRow>;

interface TableOptions {
  lang: Lang;
  root: string;
  /** The sport's slug, which decides the columns. */
  sport: string;
  /** Participants whose rows are highlighted. */
  marked?: readonly number[];
}

/** Returns a table for each group, in the order of the API reply. */
export function standingsTables({ table }: Pick<Standings, 'table'>, options: TableOptions): Html {
  const groups = new Map<string | null, Row[]>();
  for (const row of table) groups.set(row.group, [...(groups.get(row.group) ?? []), row]);
  const text = TEXTS[options.lang].catalogue;
  const deductions = table.filter(({ points_deducted }) => points_deducted !== 0);
  const title = (group: string) =>
    /^[\d.]+$/.test(group) ? fill(text.group, { name: group }) : roundText(group, options.lang);
  return html`${[...groups].map(
    ([group, rows]) => html`${group !== null && html`<h3>${title(group)}</h3>`}${oneTable(rows, options)}`,
  )}${legend(table, text)}${deductions.map(
    (row) =>
      html`<p class="note">${fill(text.deducted, { team: nameOf(row, options.lang), points: row.points_deducted })}</p>`,
  )}`;
}

/** Explains the table's zones, ordered by place. */
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
  const head = [
    shortHead('#', TEXTS[lang].analytics.position),
    ...heads([text.team]),
    ...columns.map(({ head: [short, long], wide }) => shortHead(short, long, wide ? 'wide' : undefined)),
    html`<th scope="col" class="form">${text.form}</th>`,
  ];
  const place = ({ zone, position }: Row) =>
    zone ? html`<abbr title="${text.zones[zone]}">${position}</abbr>` : position;
  const figures = (row: Row) =>
    columns.map(({ key, wide, cell }) => {
      const value = key === 'points' ? html`<b>${cell(row)}</b>` : cell(row);
      return html`<td${wide && html` class="wide"`}>${value}</td>`;
    });
  const line = (row: Row) => {
    const isMarked = marked.includes(row.participant_id);
    return html`<tr${isMarked && html` class="marked"`}${row.zone && html` data-zone="${row.zone}"`}><td>${place(row)}</td>
<th scope="row"><img src="${root}${picturePath(row)}" alt="" width="20" height="20" loading="lazy">${teamLink(
      row.participant_id,
      row.name,
      root,
      nameOf(row, lang),
    )}</th>
${figures(row)}<td class="form">${formStrip(row.form, lang)}</td></tr>`;
  };
  return scrollTable({ label: text.table, kind: 'list', head, rows: rows.map(line) });
}

/** @param form outcome letters, newest first */
export const formStrip = (form: string, lang: Lang): Html =>
  html`<span class="letters">${outcomeTexts(form).map((letter) => {
    const outcome = OUTCOMES[lang][letter];
    return html`<span class="${letter}" role="img" aria-label="${outcome.name}">${outcome.letter}</span>`;
  })}</span>`;
