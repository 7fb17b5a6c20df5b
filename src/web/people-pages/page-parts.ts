/** The parts that the pages of venues, referees and coaches have in common. */
import { hash } from 'node:crypto';
import { flag, nameText } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { breadcrumbs, document } from '../../site/layout.ts';
import { PEOPLE } from '../../site/texts/index.ts';
import type { MatchItem } from '../../wire/match.ts';
import { type PageOptions, shareTags } from '../page-options.ts';
import { tournamentPath } from '../paths.ts';
import { nameOf } from '../status-text.ts';
import { matchesPart } from '../team-page/team-page.ts';

/** A row in the list of facts. A row without a value is left out. */
export type Fact = [name: string, value: Html | string | null | undefined | false];

interface SubjectPage {
  kind: 'venue' | 'referee' | 'coach';
  /** Relative to the root. */
  path: string;
  name: string;
  facts: readonly Fact[];
  /** Below the facts, beside the matches. */
  table: Html;
  last_events: readonly MatchItem[];
  next_events: readonly MatchItem[];
}

export function subjectPage(page: SubjectPage, options: PageOptions): { body: string; etag: string } {
  const { lang, root } = options;
  const text = PEOPLE[lang];
  const { kind, path, name, facts, table, last_events, next_events } = page;
  const shown = facts.flatMap(([title, value]) => (value ? [html`<div><dt>${title}</dt><dd>${value}</dd></div>`] : []));
  const content = html`${breadcrumbs(lang, root, [{ name }])}
<header class="panel subject"><div><h1>${nameText(name, lang)}</h1><p class="note">${text[kind]}</p>
<dl class="facts">${shown}</dl></div></header>
<div class="columns">
<div>${next_events.length > 0 && matchesPart('next', text.next, next_events, text.nextNone, options)}
${matchesPart('last', text.last, last_events, text.lastNone, options)}</div>
<div>${table}</div>
</div>`;
  const title = `${name} · ${text[kind]}`;
  const body = document({
    lang,
    title: `${title} · Touchline`,
    root,
    query: '',
    styles: ['tables.css', 'catalogue.css'],
    head: shareTags({ path, title }, options),
    body: content,
  });
  return { body, etag: hash('sha1', body, 'base64url') };
}

interface Country {
  iso: string;
  name: string;
  name_ru: string | null;
}
export const countryText = (country: Country | null, { lang, root }: PageOptions): Html | null =>
  country && html`${flag(country.iso, root)} ${nameOf(country, lang)}`;

interface SeasonRow {
  season_id: number;
  season_label: string;
  tournament_id: number;
  tournament: string;
  tournament_ru: string | null;
}

/** Returns the cells that begin a row of a season. */
export function seasonCells({ season_id, season_label, ...row }: SeasonRow, { lang, root }: PageOptions): Html {
  const name = nameOf({ name: row.tournament, name_ru: row.tournament_ru }, lang);
  const path = `${tournamentPath(row.tournament_id, row.tournament)}?season=${season_id}`;
  return html`<td>${season_label}</td><th scope="row"><a href="${root}${path}">${nameText(name, lang)}</a></th>`;
}
