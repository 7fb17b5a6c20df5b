/** A tournament's table as a widget. */
import { findSeason, type StandingsRow, seasonTables } from '../competitions/index.ts';
import type { StandingType } from '../competitions/schema.ts';
import type { Queryable } from '../db/postgres.ts';
import type { Lang } from '../http/index.ts';
import { shortHead } from '../site/components/index.ts';
import { type Html, html } from '../site/html.ts';
import { fill, outcomeTexts, TEXTS } from '../site/texts/index.ts';
import { nameOf, type TableColumnView, tableColumns } from '../web/index.ts';
import { utcDay } from '../wire/time.ts';
import { pageLink, type WidgetOptions, widgetPage } from './page.ts';
import { missing } from './problem-page.ts';
import { WIDGET_SECONDS } from './refresh-interval.ts';
import { requireTournamentName } from './tournament-name.ts';

interface StandingsQuery extends WidgetOptions {
  tournament: number;
  /** The season to show. The default is the current season. */
  season?: number | undefined;
  type: StandingType;
  /** Maximum number of rows in each table; 0 for all rows. */
  limit: number;
}

/** @param now ms since 1970 @throws {Problem} not_found */
export async function standingsWidget(db: Queryable, query: StandingsQuery, now: number): Promise<string> {
  const { tournament, type, limit, theme, title, lang } = query;
  const name = await requireTournamentName(db, tournament, lang);
  const season = await findSeason(db, tournament, query.season, utcDay(now));
  if (season === null) throw missing('season', `Tournament ${tournament} has no season ${query.season}.`);
  const { table, complete } = await seasonTables(db, season, type, now);
  const text = TEXTS[lang].widgets;
  const columns = tableColumns(season.sport, lang, table);
  const parts = splitTables(table).map(([group, rows]) =>
    part(group, limit === 0 ? rows : rows.slice(0, limit), columns, query),
  );
  const body = html`${parts}
${table.length === 0 && html`<p class="note">${text.noTable}</p>`}
${table.length > 0 && !complete && html`<p class="note">${text.incomplete}</p>`}`;
  const note = [season.season_label, type === 'total' ? undefined : text.types[type]].filter(Boolean).join(' · ');
  return widgetPage({
    lang,
    theme,
    heading: { text: pageLink(`tournament/${tournament}`, name, query), title: name, note, hidden: !title },
    body,
    refresh: WIDGET_SECONDS,
  });
}

function splitTables(rows: readonly StandingsRow[]): [group: string | null, rows: StandingsRow[]][] {
  const tables = new Map<string | null, StandingsRow[]>();
  for (const row of rows) tables.set(row.group, [...(tables.get(row.group) ?? []), row]);
  return [...tables];
}

const GROUP = /^(?:Group )?([A-Z]|\d+(?:\.\d+)?)$/;

function part(
  group: string | null,
  rows: readonly StandingsRow[],
  columns: readonly TableColumnView[],
  query: StandingsQuery,
): Html {
  const { lang, type } = query;
  const text = TEXTS[lang].widgets;
  const letter = group === null ? undefined : GROUP.exec(group)?.[1];
  const title = group === null ? null : letter === undefined ? group : fill(text.inGroup, { name: letter });
  return html`${title && html`<h2>${title}</h2>`}
<table><caption class="hidden">${text.types[type]}${title && `, ${title}`}</caption>
<thead><tr>${shortHead('#', text.position)}<th scope="col">${text.team}</th>
${columns.map(({ head: [short, long], wide }) => shortHead(short, long, wide ? 'wide' : undefined))}
<th scope="col" class="wide"><span class="hidden">${text.form}</span></th></tr></thead>
<tbody>${rows.map((row) => line(row, columns, query))}</tbody></table>`;
}

function line(row: StandingsRow, columns: readonly TableColumnView[], options: WidgetOptions): Html {
  const { lang } = options;
  const name = pageLink(`team/${row.participant_id}`, nameOf(row, lang), options);
  const figures = columns.map(({ key, wide, cell }) => {
    const value = key === 'points' ? html`<b>${cell(row)}</b>` : cell(row);
    return html`<td${wide && html` class="wide"`}>${value}</td>`;
  });
  return html`<tr><td>${row.position}</td><th scope="row">${name}</th>${figures}
<td class="wide form">${strip(row.form, lang)}</td></tr>`;
}

const strip = (form: string, lang: Lang): Html[] =>
  outcomeTexts(form).map((letter) => html`<i data-outcome="${letter}">${TEXTS[lang].widgets.letters[letter]}</i>`);
