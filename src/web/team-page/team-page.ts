/** A team's page: matches in all competitions, form, table, squad, statistics, trends, transfers, and rating. */
import type { z } from 'zod';
import { whyMissing } from '../../analytics/history-loading.ts';
import { trends as trendsRoute } from '../../analytics/routes.ts';
import type { teamTrends } from '../../analytics/schema.ts';
import { countryNames, tournamentNamesRu } from '../../catalogue/index.ts';
import { events as eventsRoute, participant as participantRoute } from '../../catalogue/routes.ts';
import type { participantDetail } from '../../catalogue/schema.ts';
import { standings as standingsRoute } from '../../competitions/routes.ts';
import { findByRoute, type Lang } from '../../http/index.ts';
import { rating as ratingRoute } from '../../rankings/routes.ts';
import type { ratings } from '../../rankings/schema.ts';
import { heads, scrollTable, shortHead } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { breadcrumbs, document } from '../../site/layout.ts';
import { lineChart } from '../../site/plots/index.ts';
import { dateText, fill, TEXTS } from '../../site/texts/index.ts';
import { listStatistics } from '../../statistics/index.ts';
import { missing as missingRoute, squad as squadRoute } from '../../statistics/routes.ts';
import type { missing as missingSchema, squad as squadSchema } from '../../statistics/schema.ts';
import { transfers as transfersRoute } from '../../transfers/routes.ts';
import type { transfers as transfersSchema } from '../../transfers/schema.ts';
import type { WebDeps } from '../deps.ts';
import { loadingPart } from '../match-analytics/analytics-parts.ts';
import { type Listed, matchRows } from '../match-rows.ts';
import { type PageOptions, shareTags } from '../page-options.ts';
import { playerLink, teamLink, teamPath, tournamentPath } from '../paths.ts';
import { positionText } from '../player-positions.ts';
import { scoredName } from '../sport-figures.ts';
import { nameOf } from '../status-text.ts';
import { subscribeButton } from '../subscribe-button.ts';
import { figure, figureTable } from '../tables/season-statistics.ts';
import { formStrip, standingsTables } from '../tables/standings-table.ts';

export interface TeamQuery {
  /** Label of the squad's season. */
  season?: string | undefined;
  /** Id of the season whose squad is shown. Only national teams have a squad for each competition. */
  competition?: number | undefined;
  /** Whether to show statistics for all seasons, not only for the newest. */
  all: boolean;
}

const LISTED = 8;
const TRANSFERS = 20;
/** Number of seasons in the statistics, unless all are requested. */
const SHOWN_SEASONS = 12;
/** Number of table rows shown above and below the team. */
const NEIGHBOURS = 2;

type Participant = z.infer<typeof participantDetail>;
type Trends = z.infer<typeof teamTrends>;
type Squad = z.infer<typeof squadSchema>;

export const namesOf = ({ name_i18n }: Pick<Participant, 'name_i18n'>) => ({
  name: name_i18n.en,
  name_ru: name_i18n.ru ?? null,
});

/** Adds Russian tournament names to matches. */
export async function listedMatches(
  deps: WebDeps,
  id: number,
  when: 'past' | 'upcoming',
  limit: number,
): Promise<Listed[]> {
  const list = await findByRoute(eventsRoute, { params: { id }, query: { when, limit: String(limit) } }, deps);
  const events = list?.events ?? [];
  const names = await tournamentNamesRu(deps.pool, [...new Set(events.map(({ tournament_id }) => tournament_id))]);
  return events.map((one) => ({ ...one, tournament_name_ru: names.get(one.tournament_id) ?? null }));
}

/** @param id team id @returns null if the squad's season is unknown */
export async function teamPage(
  deps: WebDeps,
  id: number,
  query: TeamQuery,
  options: PageOptions,
): Promise<string | null> {
  const { lang, root } = options;
  const asked = { params: { id }, lang };
  const squadQuery = {
    ...(query.season !== undefined && { season_label: query.season }),
    ...(query.competition !== undefined && { season: String(query.competition) }),
  };
  const [team, next, last, trends, squad, statistics, transfers, rating, absent] = await Promise.all([
    findByRoute(participantRoute, asked, deps),
    listedMatches(deps, id, 'upcoming', LISTED),
    listedMatches(deps, id, 'past', LISTED),
    findByRoute(trendsRoute, asked, deps).catch(whyMissing),
    findByRoute(squadRoute, { ...asked, query: squadQuery }, deps),
    listStatistics(deps.pool, id, { newest: query.all ? undefined : SHOWN_SEASONS, access: null }),
    findByRoute(transfersRoute, { ...asked, query: { limit: String(TRANSFERS) } }, deps),
    findByRoute(ratingRoute, asked, deps),
    findByRoute(missingRoute, asked, deps),
  ]);
  if (team === null || (squad === null && (query.season ?? query.competition) !== undefined)) return null;
  const text = TEXTS[lang].catalogue;
  const rows = statistics;
  const competitions = squad?.competitions ?? [];
  const [countries, tournamentsRu] = await Promise.all([
    countryNames(deps.pool, team.country === null ? [] : [team.country]),
    tournamentNamesRu(deps.pool, [...new Set([...rows, ...competitions].map(({ tournament_id }) => tournament_id))]),
  ]);
  const name = nameOf(namesOf(team), lang);
  const path = teamPath(id, team.name_i18n.en);
  const country = countries.get(team.country ?? '');
  const facts = [country && nameOf(country, lang), team.gender === 'women' && text.women];
  const body = html`${breadcrumbs(lang, root, [{ name: TEXTS[lang].pages.leagues, path: 'docs/leagues.html' }, { name }])}
<header class="panel subject"><img src="${root}sides/${id}/image" alt="" width="64" height="64">
<div><h1 data-favourite="team ${id}" data-name="${name}">${name}</h1>
<p class="facts">${facts.filter(Boolean).join(' · ')}</p></div>
${subscribeButton(deps, 'team', id, options)}</header>
<div class="columns">
<div>${matchesPart('next', text.next, next, text.nextNone, options)}
${matchesPart('last', text.last, last, text.lastNone, options)}</div>
<div>${await placePart(deps, id, trends === 'loading' ? null : trends, last, options)}
${squadPart(squad, path, team.sport, tournamentsRu, options)}
${missingPart(absent, options)}
${trendsPart(trends, options)}
${ratingPart(rating, options)}
<section id="statistics" class="panel"><h2>${text.statistics}</h2>${
    rows.length === 0
      ? html`<p class="note">${text.noStatistics}</p>`
      : figureTable(rows, {
          sport: team.sport,
          figures: ['matches', 'wins', 'draws', 'losses', 'goals', 'goals_against', 'clean_sheets'],
          withTeam: false,
          lang,
          root,
          tournamentsRu,
        })
  }
${
  !query.all &&
  rows.length === SHOWN_SEASONS &&
  html`<p class="steps"><a href="${root}${path}?all=1#statistics">${text.allSeasons}</a></p>`
}</section>
${transfersPart(transfers, id, options)}</div>
</div>`;
  return document({
    lang,
    title: `${name} · Touchline`,
    root,
    query: query.season === undefined ? '' : new URLSearchParams({ season: query.season }).toString(),
    data: { 'favourite-text': TEXTS[lang].pages.favourite },
    styles: ['catalogue.css'],
    clock: deps.clock,
    head: shareTags({ path, title: name }, options),
    body,
  });
}

export const matchesPart = (
  id: string,
  title: string,
  matches: readonly Listed[],
  none: string,
  options: PageOptions,
): Html => html`<section id="${id}" class="panel"><h2>${title}</h2>
${matches.length === 0 ? html`<p class="note">${none}</p>` : matchRows(matches, { ...options, withTournament: true })}</section>`;

/** Form, and the team's neighbours in the table, from the season of the newest league match. */
async function placePart(
  deps: WebDeps,
  id: number,
  trends: Trends | null,
  last: readonly Listed[],
  { lang, root }: PageOptions,
): Promise<Html> {
  const text = TEXTS[lang].catalogue;
  const form = last.map(({ result }) => result ?? '').join('');
  const newest = trends?.recent[0];
  if (trends === null || newest === undefined)
    return form === ''
      ? html``
      : html`<section id="form" class="panel"><h2>${text.form}</h2><p>${formStrip(form, lang)}</p></section>`;
  const table = await findByRoute(standingsRoute, { params: { id: newest.tournament_id } }, deps);
  const rows = table?.table ?? [];
  const own = rows.find(({ participant_id }) => participant_id === id);
  const group = rows.filter((row) => row.group === own?.group);
  const at = group.findIndex(({ participant_id }) => participant_id === id);
  const from = Math.max(0, Math.min(at - NEIGHBOURS, group.length - 2 * NEIGHBOURS - 1));
  const around = group.slice(from, from + 2 * NEIGHBOURS + 1).map((row) => ({ ...row, group: null }));
  const names = await tournamentNamesRu(deps.pool, [newest.tournament_id]);
  const league = table && nameOf({ name: table.tournament, name_ru: names.get(newest.tournament_id) ?? null }, lang);
  return html`<section id="form" class="panel"><h2>${text.form}</h2>
<p>${formStrip(form, lang)}</p>
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

function squadPart(
  squad: Squad | null,
  path: string,
  sport: string,
  tournamentsRu: ReadonlyMap<number, string>,
  { lang, root }: PageOptions,
): Html {
  const text = TEXTS[lang].catalogue;
  const [short, long] = scoredName(sport, lang);
  if (squad === null || squad.count === 0)
    return html`<section id="squad" class="panel"><h2>${text.squad}</h2><p class="note">${text.noSquad}</p></section>`;
  return html`<section id="squad" class="panel"><h2>${text.squad}</h2>
<form method="get" action="${root}${path}#squad" class="choice"><label>${text.season} <select name="season">${squad.season_labels.map(
    (label) => html`<option${label === squad.season_label && html` selected`}>${label}</option>`,
  )}</select></label> <button>${text.show}</button></form>
<p class="note">${squad.competitions.map((one, index) => {
    const name = nameOf({ name: one.tournament, name_ru: tournamentsRu.get(one.tournament_id) ?? null }, lang);
    const link = html`<a href="${root}${path}?competition=${one.season_id}#squad">${name}</a>`;
    return html`${index > 0 && ' · '}${one.is_counted ? name : link}`;
  })}</p>
${scrollTable({
  label: text.squad,
  kind: 'list',
  head: [
    shortHead('#', text.number),
    ...heads([text.player, text.pos]),
    shortHead(text.short.matches, text.stats.matches),
    shortHead(short, long),
    shortHead(text.short.assists, text.stats.assists),
  ],
  rows: squad.squad.map((one) => {
    const name = nameOf({ name: one.player_name, name_ru: one.player_name_ru }, lang);
    return html`<tr><td>${one.shirt_number}</td>
<th scope="row">${playerLink(one.participant_id, one.player_name, root, name)}</th>
<td>${positionText(one.position, sport, lang)}</td>
${[one.matches, one.goals, one.assists].map((value) => html`<td>${figure(value, lang)}</td>`)}</tr>`;
  }),
})}</section>`;
}

function missingPart(absent: z.infer<typeof missingSchema> | null, { lang, root }: PageOptions): Html {
  const list = absent?.missing ?? [];
  if (list.length === 0) return html``;
  return html`<section id="missing" class="panel"><h2>${TEXTS[lang].catalogue.missing}</h2><ul class="plain">${list.map(
    ({ player_participant_id: id, player_name, reason_text }) =>
      html`<li>${playerLink(id, player_name, root)} <small>${reason_text}</small></li>`,
  )}</ul></section>`;
}

function trendsPart(trends: Trends | 'loading' | null, { lang }: PageOptions): Html {
  if (trends === 'loading') return loadingPart('trends', TEXTS[lang].catalogue.trends, lang);
  if (trends === null || trends.trends.length === 0) return html``;
  const { tournament, season_label } = trends.scope;
  return html`<section id="trends" class="panel"><h2>${TEXTS[lang].catalogue.trends}</h2>
${tournament && html`<p class="note">${nameOf(tournament, lang)} ${season_label}</p>`}<ul class="plain">${trends.trends.map(
    ({ label, detail }) => html`<li><b>${label}</b> <small>${detail}</small></li>`,
  )}</ul></section>`;
}

function ratingPart(rating: z.infer<typeof ratings> | null, { lang, root }: PageOptions): Html {
  const list = rating?.ratings ?? [];
  const last = list.at(-1);
  if (last === undefined || !rating?.kind) return html``;
  const text = TEXTS[lang].catalogue;
  const values = { points: Math.round(last.points), date: dateText(last.date, lang), rank: last.rank };
  return html`<section id="rating" class="panel"><h2>${text.rating}</h2>
<p class="note"><a href="${root}rankings?kind=${rating.kind}">${fill(text.ratingText, values)}</a></p>
${list.length > 1 && lineChart(list.map(({ date, points }) => ({ date, value: points })))}</section>`;
}

type Transfer = z.infer<typeof transfersSchema>['transfers'][number];

function moveDay({ date, date_precision, season }: Transfer, lang: Lang): string {
  if (date === null) return season ?? '–';
  const day = dateText(date, lang);
  return date_precision === 'day' ? day : fill(TEXTS[lang].catalogue.movedBy, { date: day });
}

/** @param of id of the participant whose page this is */
export function transfersPart(
  transfers: z.infer<typeof transfersSchema> | null,
  of: number,
  { lang, root }: PageOptions,
): Html {
  const text = TEXTS[lang].catalogue;
  const list = transfers?.transfers ?? [];
  const isTeam = transfers?.type === 'team';
  // A team as a link, unless this is the team's own page.
  const team = (id: number | null, name: string | null, name_ru: string | null) =>
    name === null ? html`–` : teamLink(isTeam && id === of ? null : id, name, root, nameOf({ name, name_ru }, lang));
  const row = (one: Transfer) => {
    const player = nameOf({ name: one.player_name, name_ru: one.player_name_ru }, lang);
    return html`<tr><td>${moveDay(one, lang)}</td>
${isTeam && html`<th scope="row">${playerLink(one.player_id, one.player_name, root, player)}</th>`}
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
