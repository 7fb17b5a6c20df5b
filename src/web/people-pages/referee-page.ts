/** The page of a referee: cards and penalties per match, by season, and the matches. */
import type { Names } from '../../catalogue/index.ts';
import type { RefereeDetail } from '../../people/index.ts';
import { heads, nameText, scrollTable, shortHead } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { PEOPLE } from '../../site/texts/index.ts';
import type { PageOptions } from '../page-options.ts';
import { refereePath } from '../paths.ts';
import { nameOf } from '../status-text.ts';
import { figure } from '../tables/season-statistics.ts';
import { countryText, seasonCells, subjectPage } from './page-parts.ts';

const AVERAGES = ['yellow', 'red', 'penalties'] as const;
const average = (of: RefereeDetail['seasons'][number] | RefereeDetail, name: (typeof AVERAGES)[number]) =>
  ({ yellow: of.yellow_cards_per_match, red: of.red_cards_per_match, penalties: of.penalties_per_match })[name];

export function refereePage(referee: RefereeDetail, country: Names | null, options: PageOptions) {
  const { lang } = options;
  const text = PEOPLE[lang];
  const { id, name_i18n, events, last_events, next_events, aliases } = referee;
  const shown = (name: (typeof AVERAGES)[number]) => {
    const value = average(referee, name);
    return value === null ? null : averageText(value, lang);
  };
  return subjectPage(
    {
      kind: 'referee',
      path: refereePath(id, name_i18n.en),
      name: nameOf({ name: name_i18n.en, name_ru: name_i18n.ru ?? null }, lang),
      facts: [
        [text.country, countryText(country && { iso: referee.country!, ...country }, options)],
        [text.otherNames, aliases.length > 0 && nameText(aliases.join(', '), lang)],
        [text.matches, events.toLocaleString(lang)],
        ...AVERAGES.map((name) => [text[name], shown(name)] as [string, string | null]),
      ],
      table: seasonsPart(referee, options),
      last_events,
      next_events,
    },
    options,
  );
}

/** Always with two decimals, so that the figures in a column line up. */
const averageText = (value: number, lang: PageOptions['lang']) =>
  value.toLocaleString(lang, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const averageCell = (value: number | null, lang: PageOptions['lang']) =>
  value === null ? figure(null, lang) : averageText(value, lang);

function seasonsPart({ seasons }: RefereeDetail, options: PageOptions): Html {
  if (seasons.length === 0) return html``;
  const { lang } = options;
  const text = PEOPLE[lang];
  const known = AVERAGES.filter((name) => seasons.some((season) => average(season, name) !== null));
  const rows = seasons.map(
    (season) => html`<tr>${seasonCells(season, options)}<td>${season.matches.toLocaleString(lang)}</td>
${known.map((name) => html`<td>${averageCell(average(season, name), lang)}</td>`)}</tr>`,
  );
  const head = [
    ...heads([text.season, text.competition]),
    shortHead(text.short.matches, text.matches),
    ...known.map((name) => shortHead(text.short[name], text[name])),
  ];
  return html`<section id="seasons" class="panel"><h2>${text.seasons}</h2>
${scrollTable({ label: text.seasons, kind: 'list', head, rows })}
${known.length > 0 && html`<p class="note">${text.averages}</p>`}</section>`;
}
