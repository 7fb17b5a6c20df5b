/** A tournament's page, with a tab each for a season's table, matches, bracket, leaders, forecast, and statistics. */
import type { LeagueTrend } from '../../analytics/cards/index.ts';
import type { Season, ShownTournament } from '../../catalogue/index.ts';
import type { Bracket, Round, SeasonTables } from '../../competitions/index.ts';
import { STANDING_TYPES } from '../../competitions/schema.ts';
import { flag, nameText, pageTabs } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { breadcrumbs, document } from '../../site/layout.ts';
import { fill, GROUPING_NAMES, TEXTS } from '../../site/texts/index.ts';
import { findSport, sportWords } from '../../sports/sports.ts';
import { coverageBars } from '../coverage-bars.ts';
import type { WebDeps } from '../deps.ts';
import { embedLink } from '../embed-link.ts';
import { favouriteTexts } from '../favourite-texts.ts';
import { type PageOptions, shareTags, type ZonedOptions } from '../page-options.ts';
import { tournamentPath } from '../paths.ts';
import { sharePicturePath } from '../share-pictures/address.ts';
import { nameOf } from '../status-text.ts';
import { subscribeButton } from '../subscribe-button.ts';
import { standingsTables } from '../tables/standings-table.ts';
import { bracketTree } from './bracket-tree.ts';
import { leaderFigures, leadersPart } from './leaders-part.ts';
import { profilePart } from './league-profile.ts';
import { link, pageAddress, queryOf, subjectAddress, type View } from './page-address.ts';
import { nonePart, tab } from './page-parts.ts';
import {
  readTournamentPage,
  TOURNAMENT_TABS,
  type TournamentPageData,
  type TournamentQuery,
  type TournamentTab,
} from './read-tournament-page.ts';
import { fixturesPart } from './season-fixtures.ts';
import { outlookPart } from './season-outlook.ts';

/** Tabs that list the matches of a round or a month. */
const WITH_FIXTURES: readonly TournamentTab[] = ['overview', 'matches'];

/**
 * A page with the version of what it shows, and whether it depends on the reader's time zone.
 * @returns null for an unknown tournament or season
 */
export async function tournamentPage(
  deps: WebDeps,
  id: number,
  query: TournamentQuery,
  options: ZonedOptions,
): Promise<{ body: string; version: string; isZoned: boolean } | null> {
  const data = await readTournamentPage(deps, id, query, options);
  if (data === null) return null;
  const isZoned = WITH_FIXTURES.includes(query.tab) && data.part?.kind === 'month';
  return { body: render(deps, id, data, query, options), version: data.version, isZoned };
}

function render(
  deps: WebDeps,
  id: number,
  data: TournamentPageData,
  query: TournamentQuery,
  options: PageOptions,
): string {
  const { lang, root } = options;
  const { tournament, seasons, seasonId } = data;
  const name = nameOf({ name: tournament.name_i18n.en, name_ru: tournament.name_i18n.ru ?? null }, lang);
  const view: View = {
    ...options,
    id,
    path: tournamentPath(id, tournament.name_i18n.en),
    sport: tournament.sport,
    seasonId,
    query,
  };
  const label = seasons.find((one) => one.id === seasonId)?.season_label ?? '';
  const text = TEXTS[lang].catalogue;
  const { country_name, country_name_ru } = tournament;
  const country = country_name !== null && nameOf({ name: country_name, name_ru: country_name_ru }, lang);
  const count = fill(text.matchesCount, { count: tournament.events.toLocaleString(lang) });
  const body = html`${breadcrumbs(lang, root, [{ name: TEXTS[lang].pages.leagues, path: 'leagues' }, { name }])}
<header class="panel subject"><h1 data-favourite="tournament ${id}" data-name="${name}">${nameText(name, lang)}</h1>
<p class="facts">${flag(tournament.country, root)} ${[country, count].filter(Boolean).join(' · ')}</p>
${subscribeButton(deps, 'tournament', id, options)}${seasonForm(seasons, view)}</header>
${isEmpty(data) ? noMatches(name, view) : tabbedParts(data, view)}`;
  const title = label === '' ? name : `${name} ${label}`;
  return document({
    lang,
    title: `${title} · Touchline`,
    root,
    query: queryOf(view),
    data: favouriteTexts(lang),
    styles: ['tables.css', 'catalogue.css', 'coverage.css'],
    clock: deps.clock,
    head: shareTags(
      {
        path: view.path,
        title,
        picture: sharePicturePath({ kind: 'tournament', id, version: data.version, lang, season: query.season }),
      },
      options,
    ),
    body,
  });
}

/** Whether the catalogue has no match of the tournament in any season. */
const isEmpty = ({ tournament, rounds, months }: TournamentPageData): boolean =>
  tournament.events === 0 && rounds.length === 0 && months.length === 0;

/** Says so in words instead of showing empty tables. */
function noMatches(league: string, { lang, root }: View): Html {
  const text = TEXTS[lang].pages;
  return html`<p class="panel note">${fill(text.noMatchesOfLeague, { league })}
<a href="${root}leagues">${text.leagues}</a></p>`;
}

function tabbedParts(data: TournamentPageData, view: View): Html {
  const { lang, query, sport } = view;
  const address = (tab: TournamentTab) => pageAddress(view, { tab: tab === 'overview' ? undefined : tab });
  return html`${pageTabs(shownTabs(data, view), query.tab, lang, address, { bracket: sportWords(sport).knockOut[lang] })}
${PARTS[query.tab](data, view)}`;
}

/** The tabs for which the season has data, and the tab of this page. */
function shownTabs({ tables, bracket, outlook }: TournamentPageData, { sport, query }: View): readonly TournamentTab[] {
  const isKnown: Record<TournamentTab, boolean> = {
    overview: true,
    table: tables !== null && tables.table.length > 0,
    matches: true,
    bracket: hasRounds(bracket),
    leaders: leaderFigures(sport).length > 0,
    outlook: outlook !== null && outlook.outlook.sides.length > 0,
    statistics: true,
  };
  return TOURNAMENT_TABS.filter((tab) => isKnown[tab] || tab === query.tab);
}

/** Content of each tab. */
const PARTS: Record<TournamentTab, (data: TournamentPageData, view: View) => Html> = {
  overview(data, view) {
    const groups = new Set(data.tables?.table.map(({ group }) => group));
    // Several groups are longer than everything else, so they have a tab of their own.
    if (groups.size === 1)
      return html`<div class="columns"><div>${tablePart(data.tables, view)}</div>
<div>${fixturesPart(data, view)}
${leadersPart(data.leaders, view)}</div></div>`;
    const leaders = leadersPart(data.leaders, view);
    return html`${hasRounds(data.bracket) && bracketPart(lastRounds(data.bracket), data, view)}
${
  leaders.text === ''
    ? fixturesPart(data, view)
    : html`<div class="columns"><div>${fixturesPart(data, view)}</div>
<div>${leaders}</div></div>`
}`;
  },
  table: ({ tables }, view) => tablePart(tables, view),
  matches: fixturesPart,
  bracket: (data, view) => bracketPart(data.bracket, data, view),
  leaders: ({ leaders }, view) => leadersPart(leaders, view),
  outlook: ({ outlook, outlookDays }, view) => outlookPart(outlook, outlookDays, view),
  statistics: ({ profile, trends, tournament }, view) => html`<div class="columns">
<div>${profilePart(profile, view.sport, view)}
${trendsPart(trends, view)}</div>
<div>${coveragePart(tournament, view)}</div>
</div>`,
};

const hasRounds = (bracket: Bracket | null): bracket is Bracket => bracket !== null && bracket.rounds.length > 0;

/** Number of pairings in the first round that the overview shows. */
const SHOWN_PAIRINGS = 4;

/** Leaves out the rounds until the last one that is larger than the quarter-finals. A bracket that has only such rounds so far is kept. */
function lastRounds(bracket: Bracket): Bracket {
  const rounds = bracket.rounds.slice(
    bracket.rounds.findLastIndex(({ matchups }) => matchups.length > SHOWN_PAIRINGS) + 1,
  );
  return rounds.length === 0 ? bracket : { ...bracket, rounds };
}

function seasonForm(seasons: readonly Season[], { lang, root, path, seasonId, query: { tab } }: View): Html {
  const text = TEXTS[lang].catalogue;
  if (seasons.length === 0) return html``;
  return html`<form method="get" action="${root}${path}" class="choice">${
    tab !== 'overview' && html`<input type="hidden" name="tab" value="${tab}">`
  }<label>${text.season} <select name="season">${seasons.map(
    ({ id, season_label }) => html`<option value="${id}"${id === seasonId && html` selected`}>${season_label}</option>`,
  )}</select></label> <button>${text.show}</button></form>`;
}

function tablePart(table: SeasonTables | null, view: View): Html {
  const { lang, root, sport, query } = view;
  const text = TEXTS[lang].catalogue;
  if (table === null || (table.table.length === 0 && query.table === 'total' && query.date === undefined))
    return query.tab === 'table' ? nonePart('table', text.table, text.noTable) : html``;
  const tabs = STANDING_TYPES.map((type) =>
    tab(link(view, { table: type === 'total' ? undefined : type }, 'table'), text.types[type], type === query.table),
  );
  return html`<section id="table" class="panel"><h2>${text.table}</h2>
<p class="tabs">${tabs}</p>
${table.groupings.length > 1 && html`<p class="tabs">${groupingTabs(table, view)}</p>`}
${query.tab === 'table' && dayForm(view)}
${!table.complete && html`<p class="note">${text.incomplete}</p>`}
${table.table.length === 0 ? html`<p class="note">${text.noTable}</p>` : standingsTables(table, { lang, root, sport })}
${embedLink('standings', subjectAddress(view), view)}</section>`;
}

/** Asks for the day whose table is shown. */
function dayForm({ lang, root, path, query: { season, table, grouping, date } }: View): Html {
  const text = TEXTS[lang].catalogue;
  const kept = { tab: 'table', season, table: table === 'total' ? undefined : table, grouping };
  return html`<form method="get" action="${root}${path}#table" class="choice">${Object.entries(kept).map(
    ([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`,
  )}<label>${text.onDay} <input type="date" name="date" value="${date ?? ''}" required></label> <button>${text.show}</button></form>`;
}

function groupingTabs({ groupings }: SeasonTables, view: View): Html[] {
  const { lang, sport, query } = view;
  return groupings.map((grouping, index) => {
    const to = link(view, { grouping: index === 0 ? undefined : grouping }, 'table');
    const isOfLeagues = grouping === 'conference' && findSport(sport)?.table.hasLeagues;
    const name = GROUPING_NAMES[lang][isOfLeagues ? 'league' : grouping];
    return tab(to, name, grouping === (query.grouping ?? groupings[0]));
  });
}

/** @param bracket the rounds to show */
function bracketPart(
  bracket: Bracket | null,
  { rounds, tables, conferences }: TournamentPageData,
  { lang, root, sport }: View,
): Html {
  const text = TEXTS[lang].catalogue;
  const title = sportWords(sport).knockOut[lang];
  if (!hasRounds(bracket)) return nonePart('bracket', title, text.noBracket);
  // Only some seasons of such a sport have conferences: the NBA has, the Euroleague has not.
  const shape = tables?.groupings.includes('conference') ? (findSport(sport)?.bracket ?? 'tree') : 'tree';
  return html`<section id="bracket" class="panel"><h2>${title}</h2>
${bracketTree(withFinalsName(bracket, rounds), { lang, root, shape, title, conferences })}</section>`;
}

/** Gives the final the name that sources use, such as `World Series`. */
function withFinalsName({ rounds }: Bracket, named: readonly Round[]): Pick<Bracket, 'rounds'> {
  const own = named.at(-1)?.round_name;
  const [last] = rounds.slice(-1);
  const isKnown = own != null && !named.some(({ round_name }) => round_name?.startsWith('Final'));
  if (last?.name !== 'Final' || last.matchups.length !== 1 || !isKnown) return { rounds };
  return { rounds: [...rounds.slice(0, -1), { ...last, name: own }] };
}

function trendsPart(trends: readonly LeagueTrend[], { lang }: View): Html {
  if (trends.length === 0) return html``;
  return html`<section id="trends" class="panel"><h2>${TEXTS[lang].catalogue.trends}</h2><ul class="plain">${trends.map(
    (one) => html`<li>${nameOf(one, lang)}: <b>${one.label}</b> <small>${one.detail}</small></li>`,
  )}</ul></section>`;
}

function coveragePart({ coverage }: ShownTournament, { lang }: View): Html {
  const text = TEXTS[lang].catalogue;
  return html`<section id="coverage" class="panel"><h2>${text.coverage}</h2>
<p class="note">${coverage === null ? text.notMeasured : text.coverageText}</p>
${coverage !== null && coverageBars(coverage.blocks, lang)}</section>`;
}
