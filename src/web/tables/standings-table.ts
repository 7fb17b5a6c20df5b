/** A season's tables: a single table, or one for each group. */
import type { FormMatch, StandingsRow as Row } from '../../competitions/index.ts';
import type { Lang } from '../../http/index.ts';
import { heads, nameText, scrollTable, shortHead } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { dateText, fill, outcomeTexts, roundText, TEXTS } from '../../site/texts/index.ts';
import { USUAL_WORDS } from '../../sports/sport-words.ts';
import { sportWords } from '../../sports/sports.ts';
import { utcDay } from '../../wire/time.ts';
import { teamLink } from '../paths.ts';
import { nameOf, outcomeText, picturePath } from '../status-text.ts';
import { type TableColumnView, tableColumns } from './table-columns.ts';

interface TableOptions {
  lang: Lang;
  root: string;
  /** The sport's slug, which decides the columns. */
  sport: string;
  /** Participants whose rows are highlighted. */
  marked?: readonly number[];
}

/** Returns a table for each group, in the order of the API reply. */
export function standingsTables({ table }: { table: readonly Row[] }, options: TableOptions): Html {
  const groups = new Map<string | null, Row[]>();
  for (const row of table) groups.set(row.group, [...(groups.get(row.group) ?? []), row]);
  const text = TEXTS[options.lang].catalogue;
  const deductions = table.filter(({ points_deducted }) => points_deducted !== 0);
  const title = (group: string) =>
    /^[\d.]+$/.test(group) ? fill(text.group, { name: group }) : roundText(group, options.lang);
  const tables = [...groups].map(([group, rows]) => {
    const name = group === null ? null : title(group);
    const label = name === null ? text.table : `${text.table}: ${name}`;
    return html`<div>${name && html`<h3>${name}</h3>`}${oneTable(rows, label, options)}</div>`;
  });
  return html`<div class="groups">${tables}</div>${legend(table, options)}${deductions.map(
    (row) =>
      html`<p class="note">${fill(text.deducted, { team: nameOf(row, options.lang), points: row.points_deducted })}</p>`,
  )}`;
}

/** The zone has the sport's word for the rounds after the table, such as `Finals`. */
function zoneText(zone: NonNullable<Row['zone']>, { lang, sport }: Pick<TableOptions, 'lang' | 'sport'>): string {
  const { knockOut } = sportWords(sport);
  return zone === 'play_off' && knockOut !== USUAL_WORDS.knockOut ? knockOut[lang] : TEXTS[lang].catalogue.zones[zone];
}

/** Explains the table's zones, ordered by place. */
function legend(rows: readonly Row[], options: TableOptions): Html | false {
  const zones = [...new Set(rows.flatMap(({ zone }) => zone ?? []))];
  return (
    zones.length > 0 &&
    html`<ul class="zones">${zones.map((zone) => html`<li data-zone="${zone}">${zoneText(zone, options)}</li>`)}</ul>`
  );
}

/** Columns that make room for others where there is little. */
const columnClass = ({ key, wide }: TableColumnView): string | undefined =>
  key === 'scores_for' || key === 'scores_against' ? 'wide scores' : wide ? 'wide' : undefined;

/** @param label name for screen readers */
function oneTable(rows: readonly Row[], label: string, { lang, root, sport, marked = [] }: TableOptions): Html {
  const columns = tableColumns(sport, lang, rows);
  const text = TEXTS[lang].catalogue;
  // Before the first match, no side has a form.
  const hasForm = rows.some(({ form }) => form !== '');
  const head = [
    shortHead('#', TEXTS[lang].analytics.position),
    ...heads([text.team]),
    ...columns.map((column) => shortHead(...column.head, columnClass(column))),
    ...(hasForm ? heads([text.form], 'form') : []),
  ];
  const place = ({ zone, position }: Row) =>
    zone ? html`<abbr title="${zoneText(zone, { lang, sport })}">${position}</abbr>` : position;
  const figures = (row: Row) =>
    columns.map((column) => {
      const { key, cell } = column;
      const kind = columnClass(column);
      const value = key === 'points' ? html`<b>${cell(row)}</b>` : cell(row);
      return html`<td${kind && html` class="${kind}"`}>${value}</td>`;
    });
  const line = (row: Row) => {
    const isMarked = marked.includes(row.participant_id);
    return html`<tr${isMarked && html` class="marked"`}${row.zone && html` data-zone="${row.zone}"`}><td>${place(row)}</td>
<th scope="row"><img src="${root}${picturePath(row)}" alt="" width="20" height="20" loading="lazy">${teamLink(
      row.participant_id,
      row.name,
      root,
      nameText(nameOf(row, lang), lang),
    )}</th>
${figures(row)}${hasForm && html`<td class="form">${formStrip(row.form, { lang, root, sport }, row.form_matches)}</td>`}</tr>`;
  };
  return scrollTable({ label, kind: 'list', head, rows: rows.map(line) });
}

/**
 * Shows outcomes as letters. With the matches, each letter leads to its match.
 * @param form outcome letters, newest first
 * @param matches in the same order
 */
export const formStrip = (
  form: string,
  { lang, root, sport }: Pick<TableOptions, 'lang' | 'root' | 'sport'>,
  matches: readonly FormMatch[] = [],
): Html =>
  html`<span class="letters">${outcomeTexts(form).map((outcome, index) => {
    const { letter, name } = outcomeText(outcome, sport, lang);
    const match = matches[index];
    if (match === undefined) return html`<span class="${outcome}" role="img" aria-label="${name}">${letter}</span>`;
    const { id, start, opponent, opponent_ru, scored, conceded } = match;
    const day = dateText(utcDay(start * 1_000), lang);
    const title = `${name} ${scored}:${conceded}, ${nameOf({ name: opponent, name_ru: opponent_ru }, lang)}, ${day}`;
    return html`<a class="${outcome}" href="${root}match/${id}" title="${title}">${letter}</a>`;
  })}</span>`;
