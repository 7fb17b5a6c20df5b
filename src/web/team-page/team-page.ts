/** A team's page: tabs with matches in all competitions and form, table, squad, statistics with trends and rating, and transfers. */
import type { FormMatch } from '../../competitions/index.ts';
import type { Lang } from '../../http/index.ts';
import type { RatingHistory } from '../../rankings/index.ts';
import { flag, heads, nameText, pageTabs, scrollTable, shortHead } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { breadcrumbs, document } from '../../site/layout.ts';
import { lineChart, placeChart } from '../../site/plots/index.ts';
import { dateText, fill, MEETINGS, reasonText, startText, TEXTS } from '../../site/texts/index.ts';
import type { MissingPlayer, ShownSquad } from '../../statistics/index.ts';
import type { Transfer } from '../../transfers/index.ts';
import type { WebDeps } from '../deps.ts';
import { favouriteTexts } from '../favourite-texts.ts';
import { pendingPart } from '../match-analytics/analytics-parts.ts';
import { type Listed, matchRows } from '../match-rows.ts';
import { type PageOptions, shareTags } from '../page-options.ts';
import { meetingsPath, playerLink, teamLink, teamPath, tournamentPath } from '../paths.ts';
import { positionText } from '../player-positions.ts';
import { sharePicturePath } from '../share-pictures/address.ts';
import { figureNames, playerFigures } from '../sport-figures.ts';
import { nameOf, picturePath } from '../status-text.ts';
import { subscribeButton } from '../subscribe-button.ts';
import type { LeagueTable } from '../tables/league-table.ts';
import { figure, figureTable } from '../tables/season-statistics.ts';
import { formStrip, standingsTables } from '../tables/standings-table.ts';
import {
  readTeamPage,
  SHOWN_SEASONS,
  TEAM_TABS,
  type TeamPageData,
  type TeamQuery,
  type TeamTab,
} from './read-team-page.ts';

/** Number of table rows shown above and below the team. */
const NEIGHBOURS = 2;

/**
 * A page with the version of what it shows.
 * @param id team id
 * @returns null if the team, or the squad's season, is unknown
 */
export async function teamPage(
  deps: WebDeps,
  id: number,
  query: TeamQuery,
  options: PageOptions,
): Promise<{ body: string; version: string } | null> {
  const data = await readTeamPage(deps, id, query, options.lang);
  return data === null ? null : { body: render(deps, id, data, query, options), version: data.version };
}

function render(deps: WebDeps, id: number, data: TeamPageData, query: TeamQuery, options: PageOptions): string {
  const { lang, root } = options;
  const { team } = data;
  const name = nameOf(team, lang);
  const path = teamPath(id, team.name);
  const view: View = { ...options, id, path, sport: team.sport, isShort: !query.all };
  const facts = [team.country && nameOf(team.country, lang), team.gender === 'women' && TEXTS[lang].catalogue.women];
  const body = html`${breadcrumbs(lang, root, [{ name: TEXTS[lang].pages.leagues, path: 'leagues' }, { name }])}
<header class="panel subject"><img src="${root}${picturePath({ participant_id: id })}" alt="" width="64" height="64">
<div><h1 data-favourite="team ${id}" data-name="${name}">${nameText(name, lang)}</h1>
<p class="facts">${flag(team.country?.iso, root)} ${facts.filter(Boolean).join(' · ')}</p>
<div data-notify="team ${id}"></div></div>
${subscribeButton(deps, 'team', id, options)}</header>
${pageTabs(TEAM_TABS, query.tab, lang, (tab) => root + path + tabQuery(tab))}
${PARTS[query.tab](data, view)}`;
  return document({
    lang,
    title: `${name} · Touchline`,
    root,
    query: new URLSearchParams({
      ...(query.tab !== 'overview' && { tab: query.tab }),
      ...(query.season !== undefined && { season: query.season }),
    }).toString(),
    data: favouriteTexts(lang),
    styles: ['tables.css', 'catalogue.css'],
    clock: deps.clock,
    head: shareTags(
      { path, title: name, picture: sharePicturePath({ kind: 'team', id, version: data.version, lang }) },
      options,
    ),
    body,
  });
}

interface View extends PageOptions {
  id: number;
  /** Canonical path of the page. */
  path: string;
  sport: string;
  /** Whether the statistics end with the newest seasons. */
  isShort: boolean;
}

const tabQuery = (tab: TeamTab): string => (tab === 'overview' ? '' : `?tab=${tab}`);

/** Content of each tab. */
const PARTS: Record<TeamTab, (data: TeamPageData, view: View) => Html> = {
  overview: ({ matches, trends, table, missing }, view) => {
    const text = TEXTS[view.lang].catalogue;
    const { next, last } = matches!;
    return html`<div class="columns">
<div>${matchesPart('next', text.next, next, text.nextNone, view)}
${matchesPart('last', text.last, last, text.lastNone, view)}
<p class="steps"><a href="${view.root}${meetingsPath(view.id)}">${MEETINGS[view.lang].withOther}</a></p></div>
<div>${placePart(trends, last, table, view)}
${missingPart(missing, view)}</div>
</div>`;
  },
  table: tablePart,
  squad: ({ squad }, view) => squadPart(squad, view),
  statistics: (data, view) => html`${statisticsPart(data.statistics, view)}
<div class="columns">
<div>${trendsPart(data.trends, view)}</div>
<div>${ratingPart(data.rating, view)}</div>
</div>`,
  transfers: ({ transfers }, view) => transfersPart(transfers, view.id, view),
};

export const matchesPart = (
  id: string,
  title: string,
  matches: readonly Listed[],
  none: string,
  options: PageOptions,
): Html => html`<section id="${id}" class="panel"><h2>${title}</h2>
${matches.length === 0 ? html`<p class="note">${none}</p>` : matchRows(matches, { ...options, withTournament: true })}</section>`;

/** Returns a match from the team's perspective. */
function formMatch(match: Listed, teamId: number): FormMatch {
  const own = match.participants.find(({ participant_id }) => participant_id === teamId);
  const other = match.participants.find((one) => one !== own)!;
  return {
    id: match.id,
    start: Date.parse(match.scheduled_start) / 1_000,
    opponent: other.name,
    opponent_ru: other.name_ru,
    scored: own?.score ?? 0,
    conceded: other.score ?? 0,
  };
}

/** Form, and the team's neighbours in the table, from the season of the newest league match. */
function placePart(
  trends: TeamPageData['trends'],
  last: readonly Listed[],
  table: LeagueTable | null,
  { id, lang, root }: View,
): Html {
  const text = TEXTS[lang].catalogue;
  const decided = last.filter(({ result }) => result);
  const form = decided.map(({ result }) => result).join('');
  const letters = formStrip(
    form,
    { lang, root, sport: last[0]?.sport ?? '' },
    decided.map((match) => formMatch(match, id)),
  );
  if (trends === null || typeof trends === 'string' || trends.recent.length === 0)
    return form === ''
      ? html``
      : html`<section id="form" class="panel"><h2>${text.form}</h2><p>${letters}</p></section>`;
  const rows = table?.rows ?? [];
  const own = rows.find(({ participant_id }) => participant_id === id);
  const group = rows.filter((row) => row.group === own?.group);
  const at = group.findIndex(({ participant_id }) => participant_id === id);
  const from = Math.max(0, Math.min(at - NEIGHBOURS, group.length - 2 * NEIGHBOURS - 1));
  const around = group.slice(from, from + 2 * NEIGHBOURS + 1).map((row) => ({ ...row, group: null }));
  const league = table && nameOf({ name: table.tournament, name_ru: table.tournament_ru }, lang);
  return html`<section id="form" class="panel"><h2>${text.form}</h2>
<p>${letters}</p>
${
  own &&
  table &&
  html`<p class="note"><a href="${root}${tournamentPath(table.tournament_id, table.tournament)}">${fill(text.position, {
    position: own.position,
    tournament: `${league} ${table.season_label ?? ''}`,
  })}</a></p>
${standingsTables({ table: around }, { lang, root, sport: trends.sport, marked: [id] })}`
}</section>`;
}

/** The whole table of the league of the team's newest match. */
function tablePart({ trends, table }: TeamPageData, { id, lang, root, sport }: View): Html {
  const text = TEXTS[lang].catalogue;
  if (trends === 'loading' || trends === 'late') return pendingPart('table', text.table, trends, lang);
  const rows = table?.rows ?? [];
  if (table === null || rows.length === 0)
    return html`<section id="table" class="panel"><h2>${text.table}</h2><p class="note">${text.noTable}</p></section>`;
  const league = nameOf({ name: table.tournament, name_ru: table.tournament_ru }, lang);
  return html`<section id="table" class="panel">
<h2><a href="${root}${tournamentPath(table.tournament_id, table.tournament)}">${league} ${table.season_label}</a></h2>
${standingsTables({ table: rows }, { lang, root, sport, marked: [id] })}</section>
${placesPart(table, id, lang)}`;
}

const played = (positions: readonly (number | null)[]) => positions.filter((place) => place !== null);

/** The team's place after each round. In a divided league these are the rounds before the division. */
function placesPart({ history, rows }: LeagueTable, id: number, lang: Lang): Html {
  const own = (history?.rows ?? []).filter(({ participant_id }) => participant_id === id);
  const [row] = own.toSorted((a, b) => played(b.positions).length - played(a.positions).length);
  const places = played(row?.positions ?? []);
  if (row === undefined || places.length < 2) return html``;
  const text = TEXTS[lang].catalogue;
  const values = { best: Math.min(...places), worst: Math.max(...places), now: places.at(-1)! };
  const size = rows.filter(({ group }) => group === row.group).length;
  const labels = history!.steps.map(({ round_num, last_day }) =>
    round_num === null ? startText(last_day, lang, Date.parse(last_day)) : String(round_num),
  );
  return html`<section id="places" class="panel"><h2>${text.places}</h2>
<p class="note">${fill(text.placesText, values)}</p>
${placeChart({ positions: row.positions, places: Math.max(size, values.worst), labels })}</section>`;
}

function statisticsPart(rows: TeamPageData['statistics'], { lang, root, path, sport, isShort }: View): Html {
  const text = TEXTS[lang].catalogue;
  const shown =
    rows.length === 0
      ? html`<p class="note">${text.noStatistics}</p>`
      : figureTable(rows, {
          label: text.statistics,
          sport,
          figures: ['matches', 'wins', 'draws', 'losses', 'goals', 'goals_against', 'clean_sheets'],
          withTeam: false,
          lang,
          root,
        });
  const hasMore = isShort && rows.length === SHOWN_SEASONS;
  const all =
    hasMore && html`<p class="steps"><a href="${root}${path}?tab=statistics&amp;all=1">${text.allSeasons}</a></p>`;
  return html`<section id="statistics" class="panel"><h2>${text.statistics}</h2>${shown}${all}</section>`;
}

function squadPart(squad: ShownSquad | null, { path, sport, lang, root }: View): Html {
  const text = TEXTS[lang].catalogue;
  const members = squad?.squad ?? [];
  // A column in which no source gives anything is left out.
  const figures = playerFigures(['matches', 'goals', 'assists'], sport).filter((name) =>
    members.some((one) => one[name] !== null),
  );
  const hasNumbers = members.some(({ shirt_number }) => shirt_number !== null);
  const hasPositions = members.some(({ position }) => position !== null);
  if (squad === null || squad.squad.length === 0)
    return html`<section id="squad" class="panel"><h2>${text.squad}</h2><p class="note">${text.noSquad}</p></section>`;
  return html`<section id="squad" class="panel"><h2>${text.squad}</h2>
<form method="get" action="${root}${path}" class="choice"><input type="hidden" name="tab" value="squad">
<label>${text.season} <select name="season">${squad.season_labels.map(
    (label) => html`<option${label === squad.season_label && html` selected`}>${label}</option>`,
  )}</select></label> <button>${text.show}</button></form>
<p class="note">${squad.competitions.map((one, index) => {
    const name = nameOf({ name: one.tournament, name_ru: one.tournament_ru }, lang);
    const link = html`<a href="${root}${path}?tab=squad&amp;competition=${one.season_id}">${name}</a>`;
    return html`${index > 0 && ' · '}${one.is_counted ? name : link}`;
  })}</p>
${scrollTable({
  label: text.squad,
  kind: 'list',
  head: [
    ...(hasNumbers ? [shortHead('#', text.number)] : []),
    ...heads([text.player, ...(hasPositions ? [text.pos] : [])]),
    ...figures.map((name) => shortHead(...figureNames(name, sport, lang))),
  ],
  rows: members.map((one) => {
    const name = nameOf({ name: one.player_name, name_ru: one.player_name_ru }, lang);
    return html`<tr>${hasNumbers && html`<td>${one.shirt_number}</td>`}
<th scope="row">${playerLink(one.participant_id, one.player_name, root, nameText(name, lang))}</th>
${hasPositions && html`<td>${positionText(one.position, sport, lang)}</td>`}
${figures.map((key) => html`<td>${figure(one[key], lang)}</td>`)}</tr>`;
  }),
})}</section>`;
}

function missingPart(list: readonly MissingPlayer[], { lang, root }: PageOptions): Html {
  if (list.length === 0) return html``;
  return html`<section id="missing" class="panel"><h2>${TEXTS[lang].catalogue.missing}</h2><ul class="plain">${list.map(
    ({ player_participant_id: id, player_name, reason_text }) =>
      html`<li>${playerLink(id, player_name, root, nameText(player_name, lang))}
<small>${reason_text && nameText(reasonText(reason_text, lang), lang)}</small></li>`,
  )}</ul></section>`;
}

function trendsPart(trends: TeamPageData['trends'], { lang }: PageOptions): Html {
  if (typeof trends === 'string') return pendingPart('trends', TEXTS[lang].catalogue.trends, trends, lang);
  if (trends === null || trends.trends.length === 0) return html``;
  const { tournament, season_label } = trends.scope;
  return html`<section id="trends" class="panel"><h2>${TEXTS[lang].catalogue.trends}</h2>
${tournament && html`<p class="note">${nameOf(tournament, lang)} ${season_label}</p>`}<ul class="plain">${trends.trends.map(
    ({ label, detail }) => html`<li><b>${label}</b> <small>${detail}</small></li>`,
  )}</ul></section>`;
}

function ratingPart(rating: RatingHistory | null, { lang, root }: PageOptions): Html {
  const list = rating?.ratings ?? [];
  const last = list.at(-1);
  if (last === undefined || !rating?.kind) return html``;
  const text = TEXTS[lang].catalogue;
  const values = { points: Math.round(last.points), date: dateText(last.date, lang), rank: last.rank };
  return html`<section id="rating" class="panel"><h2>${text.rating}</h2>
<p class="note"><a href="${root}rankings?kind=${rating.kind}">${fill(text.ratingText, values)}</a></p>
${list.length > 1 && lineChart(list.map(({ date, points }) => ({ date, value: points })))}</section>`;
}

function moveDay({ date, date_precision, season }: Transfer, lang: Lang): string {
  if (date === null) return season ?? '–';
  const day = dateText(date, lang);
  return date_precision === 'day' ? day : fill(TEXTS[lang].catalogue.movedBy, { date: day });
}

/** @param ofTeam id of the team whose page this is; null on a player's page */
export function transfersPart(list: readonly Transfer[], ofTeam: number | null, { lang, root }: PageOptions): Html {
  const text = TEXTS[lang].catalogue;
  const isTeam = ofTeam !== null;
  // A team as a link, unless this is the team's own page.
  const team = (id: number | null, name: string | null, name_ru: string | null) =>
    name === null
      ? html`–`
      : teamLink(id === ofTeam ? null : id, name, root, nameText(nameOf({ name, name_ru }, lang), lang));
  const row = (one: Transfer) => {
    const player = nameOf({ name: one.player_name, name_ru: one.player_name_ru }, lang);
    return html`<tr><td>${moveDay(one, lang)}</td>
${isTeam && html`<th scope="row">${playerLink(one.player_id, one.player_name, root, nameText(player, lang))}</th>`}
<td>${team(one.from_team_id, one.from_team, one.from_team_ru)}</td>
<td>${team(one.to_team_id, one.to_team, one.to_team_ru)}${one.type === 'loan' && html` <small>${text.loan}</small>`}</td></tr>`;
  };
  const head = heads([text.date, ...(isTeam ? [text.player] : []), text.from, text.to]);
  return html`<section id="transfers" class="panel"><h2>${text.transfers}</h2>
${
  list.length === 0
    ? html`<p class="note">${text.noTransfers}</p>`
    : scrollTable({ label: text.transfers, kind: 'list', head, rows: list.map(row) })
}</section>`;
}
