/** Statistics tables by season. A figure that no source provides is shown as a dash, never as 0. */
import type { Lang } from '../../http/index.ts';
import { heads, nameText, scrollTable, shortHead } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { TEXTS } from '../../site/texts/index.ts';
import { COMMON_FIGURES, type CommonFigure } from '../../sports/sport-words.ts';
import type { ShownStatistics } from '../../statistics/index.ts';
import { teamLink, tournamentPath } from '../paths.ts';
import { figureNames, playerFigures, teamFigures } from '../sport-figures.ts';
import { nameOf } from '../status-text.ts';

type Figure =
  | 'matches'
  | 'wins'
  | 'draws'
  | 'losses'
  | 'minutes'
  | 'goals'
  | 'goals_against'
  | 'assists'
  | 'yellow_cards'
  | 'red_cards'
  | 'clean_sheets';

const isPlayerFigure = (figure: Figure): figure is Figure & CommonFigure =>
  (COMMON_FIGURES as readonly string[]).includes(figure);

export interface FigureTable {
  /** Name for screen readers. */
  label: string;
  /** Figures that the sport does not have are left out. */
  figures: readonly Figure[];
  /** Slug. */
  sport: string;
  /** Whether rows show the team's name. */
  withTeam: boolean;
  lang: Lang;
  root: string;
}

export const figure = (value: number | null, lang: Lang): Html =>
  value === null
    ? html`<span class="unknown"><span aria-hidden="true">–</span><span class="hidden">${TEXTS[lang].catalogue.unknown}</span></span>`
    : html`${value.toLocaleString(lang)}`;

export function figureTable(rows: readonly ShownStatistics[], options: FigureTable): Html {
  const { sport, withTeam, lang, root } = options;
  const text = TEXTS[lang].catalogue;
  const figures: readonly Figure[] = withTeam
    ? playerFigures(options.figures.filter(isPlayerFigure), sport)
    : teamFigures(options.figures, sport);
  const names = (name: Figure): readonly [short: string, long: string] => {
    if (name === 'wins' || name === 'losses') return [text.short[name], text[name]];
    return figureNames(name === 'goals_against' ? 'conceded' : name, sport, lang);
  };
  const hasUnknown = rows.some((row) => figures.some((name) => row[name] === null));
  const head = [
    ...heads([text.season]),
    ...(withTeam ? heads([text.team], 'wide') : []),
    ...heads([text.competition]),
    ...figures.map((name) => shortHead(...names(name))),
  ];
  const line = (row: ShownStatistics) => {
    const tournament = nameOf({ name: row.tournament, name_ru: row.tournament_ru }, lang);
    const path = `${tournamentPath(row.tournament_id, row.tournament)}?season=${row.season_id}`;
    const side = nameText(nameOf({ name: row.team_name, name_ru: row.team_name_ru }, lang), lang);
    return html`<tr><td>${row.season_label}</td>
${withTeam && html`<td class="wide">${teamLink(row.team_id, row.team_name, root, side)}</td>`}
<th scope="row"><a href="${root}${path}">${nameText(tournament, lang)}</a>${withTeam && html` <small class="below">${side}</small>`}</th>
${figures.map((name) => html`<td>${figure(row[name], lang)}</td>`)}</tr>`;
  };
  return html`${scrollTable({ label: options.label, kind: 'list', head, rows: rows.map(line) })}
${hasUnknown && html`<p class="note">${text.unknownText}</p>`}`;
}
