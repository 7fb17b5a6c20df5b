/** A tournament's page. It shows a season's table, rounds, leaders and bracket, and the league's profile, trends and coverage. */
import type { z } from 'zod';
import { findTournamentSubject, type LeagueTrend, leagueTrends } from '../../analytics/cards/index.ts';
import { whyMissing } from '../../analytics/history-loading.ts';
import { profile as profileRoute } from '../../analytics/routes.ts';
import { countryNames } from '../../catalogue/index.ts';
import { seasons as seasonsRoute, tournament as tournamentRoute } from '../../catalogue/routes.ts';
import type { seasonList, tournamentDetail } from '../../catalogue/schema.ts';
import type { Grouping } from '../../competitions/index.ts';
import {
  bracket as bracketRoute,
  rounds as roundsRoute,
  standings as standingsRoute,
} from '../../competitions/routes.ts';
import { type rounds as roundsSchema, STANDING_TYPES, type StandingType } from '../../competitions/schema.ts';
import { findByRoute, type Lang, readRoute } from '../../http/index.ts';
import { seasonMonths } from '../../matches/index.ts';
import { events as eventsRoute } from '../../matches/routes.ts';
import { heads, scrollTable } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { breadcrumbs, document } from '../../site/layout.ts';
import { fill, GROUPING_NAMES, roundText, TEXTS } from '../../site/texts/index.ts';
import { findSport } from '../../sports/sports.ts';
import { STATS, type Stat } from '../../statistics/index.ts';
import { leaders as leadersRoute } from '../../statistics/routes.ts';
import type { leaders as leadersSchema } from '../../statistics/schema.ts';
import { utcDay } from '../../wire/time.ts';
import { coverageBars } from '../coverage-bars.ts';
import type { WebDeps } from '../deps.ts';
import { type Listed, matchRows } from '../match-rows.ts';
import { type PageOptions, shareTags } from '../page-options.ts';
import { playerLink, teamLink, tournamentPath } from '../paths.ts';
import { scoredName, sportFigures } from '../sport-figures.ts';
import { nameOf } from '../status-text.ts';
import { subscribeButton } from '../subscribe-button.ts';
import { type Standings, standingsTables } from '../tables/standings-table.ts';
import { type Bracket, bracketTree } from './bracket-tree.ts';
import { profilePart } from './league-profile.ts';
import { outlookPart } from './season-outlook.ts';

export interface TournamentQuery {
  season?: number | undefined;
  table: StandingType;
  grouping?: Grouping | undefined;
  stat: Stat;
  /** Name or number of the chosen round. */
  round?: string | undefined;
  /** The chosen month, YYYY-MM, for a season without rounds. */
  month?: string | undefined;
}
type Rounds = z.infer<typeof roundsSchema>;
type Round = Rounds['rounds'][number];
type Seasons = z.infer<typeof seasonList>['seasons'];

const LEADERS = 10;
/** Maximum number of matches to list for a round or a month. */
const LISTED = 200;

interface View extends PageOptions {
  id: number;
  path: string;
  seasonId: number | null;
  query: TournamentQuery;
}

/** @returns null for an unknown tournament or season */
export async function tournamentPage(
  deps: WebDeps,
  id: number,
  query: TournamentQuery,
  options: PageOptions,
): Promise<string | null> {
  const { lang, root } = options;
  const asked = { params: { id } };
  const [tournament, list] = await Promise.all([
    findByRoute(tournamentRoute, asked, deps),
    findByRoute(seasonsRoute, asked, deps),
  ]);
  if (tournament === null || list === null) return null;
  const seasonId = query.season ?? tournament.current_season?.id ?? null;
  if (query.season !== undefined && !list.seasons.some((season) => season.id === query.season)) return null;
  const season = seasonId === null ? {} : { season: String(seasonId) };
  const [table, rounds, bracket, leaders, profile, countries, trends] = await Promise.all([
    readStandings(deps, id, season, query),
    findByRoute(roundsRoute, { ...asked, query: season }, deps),
    findByRoute(bracketRoute, { ...asked, query: season }, deps),
    findByRoute(leadersRoute, { ...asked, query: { ...season, stat: query.stat, limit: String(LEADERS) } }, deps),
    findByRoute(profileRoute, asked, deps).catch(whyMissing),
    countryNames(deps.pool, [tournament.country]),
    // Trends exist only for the current season.
    seasonId === tournament.current_season?.id ? readTrends(deps, id, lang) : [],
  ]);
  const name = nameOf({ name: tournament.name_i18n.en, name_ru: tournament.name_i18n.ru ?? null }, lang);
  const view: View = { ...options, id, path: tournamentPath(id, tournament.name_i18n.en), seasonId, query };
  const label = list.seasons.find((one) => one.id === seasonId)?.season_label ?? '';
  const text = TEXTS[lang].catalogue;
  const country = countries.get(tournament.country);
  const count = fill(text.matchesCount, { count: tournament.events.toLocaleString(lang) });
  const body = html`${breadcrumbs(lang, root, [{ name: TEXTS[lang].pages.leagues, path: 'docs/leagues.html' }, { name }])}
<header class="panel subject"><h1 data-favourite="tournament ${id}" data-name="${name}">${name}</h1>
<p class="facts">${[country && nameOf(country, lang), count].filter(Boolean).join(' · ')}</p>
${subscribeButton(deps, 'tournament', id, options)}${seasonForm(list.seasons, view)}</header>
${bracketPart(bracket, view)}
<div class="columns">
<div>${tablePart(table, tournament.sport, view)}
${await outlookPart(deps, seasonId, view)}
${leadersPart(leaders, tournament.sport, view)}</div>
<div>${await fixturesPart(deps, rounds?.rounds ?? [], view)}
${trendsPart(trends, view)}
${profilePart(profile, tournament.sport, view)}
${coveragePart(tournament, view)}</div>
</div>`;
  const title = label === '' ? name : `${name} ${label}`;
  return document({
    lang,
    title: `${title} · Touchline`,
    root,
    query: queryOf(view),
    data: { 'favourite-text': TEXTS[lang].pages.favourite },
    styles: ['catalogue.css', 'leagues.css'],
    clock: deps.clock,
    head: shareTags({ path: view.path, title }, options),
    body,
  });
}

/** Reads the tables in the chosen grouping, or the usual tables if the season does not have that grouping. */
async function readStandings(
  deps: WebDeps,
  id: number,
  season: { season?: string },
  { table: type, grouping }: TournamentQuery,
) {
  const read = (more: { grouping?: Grouping }) =>
    findByRoute(standingsRoute, { params: { id }, query: { ...season, type, ...more } }, deps);
  return (grouping === undefined ? null : await read({ grouping })) ?? read({});
}

/** Returns this page's query with some values changed. Values that are the default are left out. */
function queryOf({ query }: View, changed: Partial<Record<keyof TournamentQuery, string | undefined>> = {}): string {
  const given: Record<string, string | undefined> = {
    season: query.season === undefined ? undefined : String(query.season),
    table: query.table === 'total' ? undefined : query.table,
    grouping: query.grouping,
    stat: query.stat === 'goals' ? undefined : query.stat,
    round: query.round,
    month: query.month,
    ...changed,
  };
  const entries = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(entries).toString();
}

const link = (view: View, changed: Parameters<typeof queryOf>[1], part: string) =>
  `${view.root}${view.path}?${queryOf(view, changed)}#${part}`;

function seasonForm(seasons: Seasons, { lang, root, path, seasonId }: View): Html {
  const text = TEXTS[lang].catalogue;
  if (seasons.length === 0) return html``;
  return html`<form method="get" action="${root}${path}" class="choice"><label>${text.season} <select name="season">${seasons.map(
    ({ id, season_label }) => html`<option value="${id}"${id === seasonId && html` selected`}>${season_label}</option>`,
  )}</select></label> <button>${text.show}</button></form>`;
}

const tab = (address: string, name: string, isShown: boolean): Html =>
  html`<a href="${address}"${isShown && html` aria-current="true"`}>${name}</a>`;

function tablePart(table: Standings | null, sport: string, view: View): Html {
  const { lang, root, query } = view;
  const text = TEXTS[lang].catalogue;
  if (table === null || (table.table.length === 0 && query.table === 'total')) return html``;
  const tabs = STANDING_TYPES.map((type) =>
    tab(link(view, { table: type === 'total' ? undefined : type }, 'table'), text.types[type], type === query.table),
  );
  return html`<section id="table" class="panel"><h2>${text.table}</h2>
<p class="tabs">${tabs}</p>
${table.groupings.length > 1 && html`<p class="tabs">${groupingTabs(table, sport, view)}</p>`}
${!table.complete && html`<p class="note">${text.incomplete}</p>`}
${table.table.length === 0 ? html`<p class="note">${text.noTable}</p>` : standingsTables(table, { lang, root, sport })}</section>`;
}

function groupingTabs({ groupings }: Standings, sport: string, view: View): Html[] {
  const { lang, query } = view;
  return groupings.map((grouping, index) => {
    const to = link(view, { grouping: index === 0 ? undefined : grouping }, 'table');
    const isOfLeagues = grouping === 'conference' && findSport(sport)?.table.hasLeagues;
    const name = GROUPING_NAMES[lang][isOfLeagues ? 'league' : grouping];
    return tab(to, name, grouping === (query.grouping ?? groupings[0]));
  });
}

function bracketPart(bracket: Bracket | null, { lang, root }: View): Html {
  if (bracket === null || bracket.rounds.length === 0) return html``;
  return html`<section id="bracket" class="panel"><h2>${TEXTS[lang].catalogue.bracket}</h2>
${bracketTree(bracket, lang, root)}</section>`;
}

function leadersPart(leaders: z.infer<typeof leadersSchema> | null, sport: string, view: View): Html {
  const { lang, root, query } = view;
  const text = TEXTS[lang].catalogue;
  const name = (stat: Stat) => (stat === 'goals' ? scoredName(sport, lang)[1] : text.stats[stat]);
  const tabs = sportFigures(STATS, sport).map((stat) =>
    tab(link(view, { stat: stat === 'goals' ? undefined : stat }, 'leaders'), name(stat), stat === query.stat),
  );
  const list = leaders?.leaders ?? [];
  // In sports without teams, such as tennis, an empty list of leaders is left out.
  if (list.length === 0 && query.stat === 'goals' && findSport(sport)?.starters === undefined) return html``;
  return html`<section id="leaders" class="panel"><h2>${text.leaders}</h2>
<p class="tabs">${tabs}</p>
${
  list.length === 0
    ? html`<p class="note">${text.noLeaders}</p>`
    : scrollTable({
        label: text.leaders,
        kind: 'list',
        head: heads(['#', text.player, text.team, name(query.stat)]),
        rows: list.map((one) => {
          const player = nameOf({ name: one.player_name, name_ru: one.player_name_ru }, lang);
          const team = nameOf({ name: one.team_name, name_ru: one.team_name_ru }, lang);
          return html`<tr><td>${one.rank}</td>
<th scope="row">${playerLink(one.participant_id, one.player_name, root, player)}</th>
<td>${teamLink(one.team_id, one.team_name, root, team)}</td>
<td><b>${one.value.toLocaleString(lang)}</b></td></tr>`;
        }),
      })
}</section>`;
}

const keyOf = ({ round_name, round_num }: Round) => round_name ?? String(round_num);

async function fixturesPart(deps: WebDeps, rounds: readonly Round[], view: View): Promise<Html> {
  const { lang, id, seasonId, query } = view;
  const text = TEXTS[lang].catalogue;
  if (seasonId === null) return html``;
  const list = async (more: { round: string } | { from: string; to: string }) => {
    const given = { tournament: String(id), season: String(seasonId), limit: String(LISTED), ...more };
    return (await readRoute(eventsRoute, { query: given }, deps)).events;
  };
  const show = (
    matches: readonly Listed[],
    choice: Html,
    withRound: boolean,
  ) => html`<section id="fixtures" class="panel"><h2>${text.fixtures}</h2>
${choice}
${
  matches.length === 0
    ? html`<p class="note">${text.noMatches}</p>`
    : matchRows(matches, { ...view, withTournament: false, withRound })
}</section>`;
  if (rounds.length > 0 && query.month === undefined) {
    const named = rounds.findIndex((round) => keyOf(round) === query.round);
    const index = named === -1 ? rounds.findIndex(({ is_current }) => is_current) : named;
    const current = rounds[index] ?? rounds.at(-1)!;
    return show(await list({ round: keyOf(current) }), roundChoice(rounds, rounds.indexOf(current), view), false);
  }
  const months = await seasonMonths(deps.pool, seasonId);
  const month = query.month ?? currentMonth(months, deps.clock.now());
  if (month === null) return show([], html``, false);
  const index = months.indexOf(month);
  const [from, to] = monthRange(month);
  const step = (to: string | undefined, label: string) =>
    to !== undefined && html`<a href="${link(view, { month: to, round: undefined }, 'fixtures')}">${label}</a>`;
  return show(
    await list({ from, to }),
    html`<p class="steps">${step(months[index - 1], `← ${text.earlier}`)}
<b>${monthText(month, lang)}</b>
${step(months[index + 1], `${text.later} →`)}</p>`,
    true,
  );
}

function roundChoice(rounds: readonly Round[], index: number, view: View): Html {
  const { lang, root, path } = view;
  const text = TEXTS[lang].catalogue;
  const name = (round: Round) => roundText(round.round_name ?? `Round ${round.round_num}`, lang);
  const step = (round: Round | undefined, label: string, mark: string) =>
    round !== undefined &&
    html`<a href="${link(view, { round: keyOf(round) }, 'fixtures')}" aria-label="${label}: ${name(round)}">${mark}</a>`;
  const kept = [...new URLSearchParams(queryOf(view, { round: undefined }))].map(
    ([key, value]) => html`<input type="hidden" name="${key}" value="${value}">`,
  );
  return html`<form method="get" action="${root}${path}#fixtures" class="choice">${kept}
${step(rounds[index - 1], text.previousRound, '←')} <label><span class="hidden">${text.round}</span><select name="round">${rounds.map(
    (round, at) => html`<option value="${keyOf(round)}"${at === index && html` selected`}>${name(round)}</option>`,
  )}</select></label> ${step(rounds[index + 1], text.nextRound, '→')} <button>${text.show}</button></form>`;
}

/**
 * Returns the current month if it has matches. Otherwise returns the next month that has matches, or the last one if no later month has
 * any.
 */
const currentMonth = (months: readonly string[], now: number): string | null =>
  months.find((month) => month >= new Date(now).toISOString().slice(0, 7)) ?? months.at(-1) ?? null;

function monthRange(month: string): [string, string] {
  const [year, number] = month.split('-').map(Number);
  return [utcDay(Date.UTC(year!, number! - 1)), utcDay(Date.UTC(year!, number!))];
}

const monthText = (month: string, lang: Lang) => {
  const name = new Intl.DateTimeFormat(lang, { month: 'long', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );
  return `${name} ${month.slice(0, 4)}`;
};

const TRENDS = 8;

/** Returns trends from the current season. The list is empty while the match history is being loaded. */
async function readTrends(deps: WebDeps, id: number, lang: Lang): Promise<LeagueTrend[]> {
  try {
    const now = deps.clock.now();
    const subject = await findTournamentSubject(deps.pool, id, { day: utcDay(now), kind: 'trends' });
    if (!subject?.is_loaded) return [];
    const { trends } = await leagueTrends(deps, subject, { lang, now, most: TRENDS });
    return trends;
  } catch {
    return [];
  }
}

function trendsPart(trends: readonly LeagueTrend[], { lang }: View): Html {
  if (trends.length === 0) return html``;
  return html`<section id="trends" class="panel"><h2>${TEXTS[lang].catalogue.trends}</h2><ul class="plain">${trends.map(
    (one) => html`<li>${nameOf(one, lang)}: <b>${one.label}</b> <small>${one.detail}</small></li>`,
  )}</ul></section>`;
}

function coveragePart({ coverage }: z.infer<typeof tournamentDetail>, { lang }: View): Html {
  const text = TEXTS[lang].catalogue;
  return html`<section id="coverage" class="panel"><h2>${text.coverage}</h2>
<p class="note">${coverage === null ? text.notMeasured : text.coverageText}</p>
${coverage !== null && coverageBars(coverage.blocks, lang)}</section>`;
}
