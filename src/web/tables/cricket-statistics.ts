/** A cricketer's figures by season and in all: a table for batting, and one for bowling and fielding. */
import type { Lang } from '../../http/index.ts';
import { heads, nameText, scrollTable, shortHead } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { CRICKET, TEXTS } from '../../site/texts/index.ts';
import { type CricketFigures, careerFigures, type ShownStatistics, toCricketFigures } from '../../statistics/index.ts';
import { teamLink, tournamentPath } from '../paths.ts';
import { figureNames } from '../sport-figures.ts';
import { nameOf } from '../status-text.ts';
import { figure } from './season-statistics.ts';

interface Options {
  lang: Lang;
  root: string;
}
type Column = keyof CricketFigures;

const BATTING = [
  'innings', 'not_outs', 'runs', 'highest_score', 'batting_average', 'balls_faced', 'strike_rate', 'hundreds', 'fifties', 'fours', 'sixes',
] as const satisfies readonly Column[]; // biome-ignore format: a list
const BOWLING = [
  'balls_bowled', 'maidens', 'runs_conceded', 'wickets', 'best_bowling', 'bowling_average', 'economy', 'catches', 'stumpings', 'run_outs',
] as const satisfies readonly Column[]; // biome-ignore format: a list
const RATES: readonly Column[] = ['batting_average', 'strike_rate', 'bowling_average', 'economy'];

export const rateText = (value: number, lang: Lang): string =>
  value.toLocaleString(lang, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

function cell(figures: CricketFigures, column: Column, lang: Lang): Html {
  const value = figures[column];
  // A player without an innings has no average, which is not the same as an unknown one.
  if (value === null) return html`–`;
  if (typeof value === 'string') return html`${value}`;
  return RATES.includes(column) ? html`${rateText(value, lang)}` : figure(value, lang);
}

/** @param title for screen readers */
export function cricketTables(rows: readonly ShownStatistics[], title: string, options: Options): Html {
  const { lang } = options;
  const text = CRICKET[lang];
  const career = careerFigures(rows.flatMap(({ own }) => (own === undefined ? [] : [own])));
  const part = (name: string, columns: readonly Column[]) =>
    html`<h3>${name}</h3>${table({ label: `${title}: ${name}`, columns, rows, career, ...options })}`;
  const hasUnknown = rows.some(({ own }) => own === null);
  return html`${part(text.batting, BATTING)}${part(text.bowlingAndFielding, BOWLING)}
${hasUnknown && html`<p class="note">${TEXTS[lang].catalogue.unknownText}</p>`}`;
}

interface Table extends Options {
  label: string;
  columns: readonly Column[];
  rows: readonly ShownStatistics[];
  career: CricketFigures | null;
}

function table({ label, columns, rows, career, lang, root }: Table): Html {
  const text = TEXTS[lang].catalogue;
  const names = (column: Column): readonly [short: string, long: string] => {
    const own = CRICKET[lang].figures;
    const [short, long] =
      column in own
        ? own[column as keyof typeof own]
        : figureNames(column as keyof CricketFigures & 'runs', 'cricket', lang);
    return [short!, long!];
  };
  const cells = (figures: CricketFigures | null, matches: number | null) =>
    html`<td>${figure(matches, lang)}</td>${columns.map(
      (column) => html`<td>${figures === null ? figure(null, lang) : cell(figures, column, lang)}</td>`,
    )}`;
  const line = (row: ShownStatistics) => {
    const tournament = nameOf({ name: row.tournament, name_ru: row.tournament_ru }, lang);
    const path = `${tournamentPath(row.tournament_id, row.tournament)}?season=${row.season_id}`;
    const side = nameText(nameOf({ name: row.team_name, name_ru: row.team_name_ru }, lang), lang);
    return html`<tr><td>${row.season_label}</td>
<td class="wide">${teamLink(row.team_id, row.team_name, root, side)}</td>
<th scope="row"><a href="${root}${path}">${nameText(tournament, lang)}</a> <small class="below">${side}</small></th>
${cells(row.own ? toCricketFigures(row.own) : null, row.matches)}</tr>`;
  };
  const matches = rows.reduce<number | null>(
    (sum, row) => (sum === null || row.matches === null ? null : sum + row.matches),
    0,
  );
  const total = html`<tr class="total"><td></td><td class="wide"></td>
<th scope="row">${CRICKET[lang].career}</th>${cells(career, matches)}</tr>`;
  return scrollTable({
    label,
    kind: 'list',
    head: [
      ...heads([text.season]),
      ...heads([text.team], 'wide'),
      ...heads([text.competition]),
      shortHead(...figureNames('matches', 'cricket', lang)),
      ...columns.map((column) => shortHead(...names(column))),
    ],
    rows: [...rows.map(line), ...(rows.length > 1 ? [total] : [])],
  });
}
