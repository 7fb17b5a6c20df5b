/**
 * /leagues lists the leagues that have matches: the most important ones of each sport, then all by country. The search is a form, which
 * works without a script.
 */
import { findPlayedLeagues, type PlayedLeague } from '../catalogue/index.ts';
import { flag, nameText } from '../site/components/index.ts';
import { type Html, html } from '../site/html.ts';
import { breadcrumbs, document } from '../site/layout.ts';
import { fill, LEAGUE_LIST, TEXTS } from '../site/texts/index.ts';
import { grouped } from '../wire/grouped.ts';
import type { WebDeps } from './deps.ts';
import { sportName } from './home/home-page.ts';
import { type PageOptions, shareTags } from './page-options.ts';
import { tournamentPath } from './paths.ts';
import { nameOf } from './status-text.ts';

/** Leagues on a page, in the list by country. */
const PAGE_LEAGUES = 500;
/** The most important leagues of each sport: on the page of all sports, and on the page of one sport. */
const TOP = { ofEach: 8, ofOne: 16 };
/** Up to this number of leagues, all countries are unfolded. */
const UNFOLDED = 60;

export interface LeaguesQuery {
  /** Search words. */
  q: string;
  sport?: string | undefined;
  /** Our code of a country; an unknown one has no leagues. */
  country: string;
  /** From 1. */
  page: number;
}

export async function leaguesPage(deps: WebDeps, query: LeaguesQuery, options: PageOptions): Promise<string> {
  const { lang, root } = options;
  const text = LEAGUE_LIST[lang];
  const { q, sport, country, page } = query;
  const { total, leagues, top, sports } = await findPlayedLeagues(
    deps.reads,
    { q, sport: sport ?? '', country },
    lang,
    {
      limit: PAGE_LEAGUES,
      offset: (page - 1) * PAGE_LEAGUES,
      top: sport === undefined ? TOP.ofEach : TOP.ofOne,
    },
    options.now,
  );
  const isSearch = q !== '' || country !== '';
  const none = sports.length === 0 ? text.empty : q === '' ? noneHere(query, lang) : fill(text.nothing, { q });
  const body = html`${breadcrumbs(lang, root, [{ name: text.title }])}
<h1>${text.title}</h1>
${form(query, options)}
${sports.length > 1 && sportTabs(sports, query, options)}
<div id="found">
${isSearch && total > 0 && html`<p class="note" role="status">${fill(text.found, { leagues: total })}</p>`}
${leagues.length === 0 && html`<p class="panel note" role="status">${none}</p>`}
${isSearch && html`<p class="steps"><a href="${href({ sport, q: '', country: '', page: 1 }, options)}">${text.clear}</a></p>`}
${!isSearch && page === 1 && topLeagues(top, options)}
${leagues.length > 0 && byCountry(leagues, total, sport === undefined, options)}
${steps(query, total, options)}
</div>
<p class="note"><a href="${root}docs/leagues.html">${text.coverage}</a></p>`;
  return document({
    lang,
    title: `${text.title} · Touchline`,
    root,
    query: queryText(query),
    styles: ['home.css', 'leagues.css'],
    clock: deps.clock,
    head: isSearch
      ? html`<meta name="robots" content="noindex">`
      : shareTags({ path: `leagues${sport === undefined ? '' : `?sport=${sport}`}`, title: text.title }, options),
    body,
  });
}

/** Says which sport has no leagues with matches. */
const noneHere = ({ sport, country }: LeaguesQuery, lang: PageOptions['lang']): string =>
  sport !== undefined && country === ''
    ? fill(TEXTS[lang].pages.noMatchesOfSport, { sport: sportName(sport, lang) })
    : LEAGUE_LIST[lang].noneHere;

/** Values that are the default are left out. */
const queryText = ({ q, sport, country, page }: LeaguesQuery): string =>
  new URLSearchParams({
    ...(q !== '' && { q }),
    ...(sport !== undefined && { sport }),
    ...(country !== '' && { country }),
    ...(page > 1 && { page: String(page) }),
  }).toString();

function href(query: LeaguesQuery, { root }: PageOptions): string {
  const text = queryText(query);
  return `${root}leagues${text && `?${text}`}`;
}

function form({ q, sport }: LeaguesQuery, { lang, root }: PageOptions): Html {
  const text = LEAGUE_LIST[lang];
  return html`<form class="choice" method="get" action="${root}leagues" role="search" aria-label="${text.search}" data-results="found">
<input type="search" name="q" value="${q}" maxlength="80" placeholder="${text.search}" aria-label="${text.search}" autocomplete="off">
${sport !== undefined && html`<input type="hidden" name="sport" value="${sport}">`}<button>${TEXTS[lang].pages.find}</button></form>`;
}

function sportTabs(
  sports: readonly { sport: string; count: number }[],
  query: LeaguesQuery,
  options: PageOptions,
): Html {
  const { lang } = options;
  const text = TEXTS[lang].pages;
  const tab = (sport: string | undefined, label: string, count: number) =>
    html`<a href="${href({ ...query, sport, page: 1 }, options)}"${sport === query.sport && html` aria-current="true"`}>${label}
<small>${count}</small></a>`;
  const all = sports.reduce((sum, { count }) => sum + count, 0);
  return html`<nav class="tabs" aria-label="${text.sport}">${tab(undefined, text.allSports, all)}${sports.map(
    ({ sport, count }) => tab(sport, sportName(sport, lang), count),
  )}</nav>`;
}

function topLeagues(top: readonly PlayedLeague[], options: PageOptions): Html {
  const parts = [...grouped(top, ({ sport }) => sport)].map(
    ([sport, leagues]) => html`<section><h2>${sportName(sport, options.lang)}</h2>
<ul class="cards">${leagues.map((one) => card(one, options))}</ul></section>`,
  );
  return html`${parts}`;
}

/** Stands where other leagues have a flag. */
const GLOBE = html`<svg class="globe" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="9"/>
<path d="M3 12h18M12 3c-7 6-7 12 0 18M12 3c7 6 7 12 0 18"/></svg>`;

function card(league: PlayedLeague, { lang, root }: PageOptions): Html {
  const { id, name, name_ru, country, country_name, country_name_ru } = league;
  const title = html`<b>${nameText(nameOf({ name, name_ru }, lang), lang)}</b>`;
  return html`<li><a class="panel" href="${root}${tournamentPath(id, name)}">${flag(country, root) ?? GLOBE}${title}
<small>${nameOf({ name: country_name, name_ru: country_name_ru }, lang)}${ofWhom(league, lang)}</small></a></li>`;
}

/** Says that a league is not for men, unless its name says so. */
function ofWhom({ name, gender }: PlayedLeague, lang: PageOptions['lang']): string {
  if (gender === 'women' && !/women/i.test(name)) return ` · ${LEAGUE_LIST[lang].women}`;
  return gender === 'mixed' ? ` · ${LEAGUE_LIST[lang].mixed}` : '';
}

function byCountry(leagues: readonly PlayedLeague[], total: number, withSport: boolean, options: PageOptions): Html {
  const { lang, root } = options;
  const countries = [...grouped(leagues, ({ country }) => country).values()];
  const isUnfolded = total <= UNFOLDED || countries.length === 1;
  const parts = countries.map((list) => {
    const [{ country, country_name: name, country_name_ru: name_ru }] = list as [PlayedLeague];
    const title = html`${flag(country, root) ?? GLOBE} ${nameOf({ name, name_ru }, lang)} <small>${list.length}</small>`;
    return html`<details${isUnfolded && html` open`}><summary>${title}</summary>
<ul>${list.map((one) => line(one, withSport, options))}</ul></details>
`;
  });
  return html`<section><h2>${LEAGUE_LIST[lang].byCountry}</h2><div class="countries">${parts}</div></section>`;
}

function line(league: PlayedLeague, withSport: boolean, { lang, root }: PageOptions): Html {
  const { id, name, name_ru, sport } = league;
  const about = `${withSport ? sportName(sport, lang) : ''}${ofWhom(league, lang)}`.replace(/^ · /, '');
  const link = html`<a href="${root}${tournamentPath(id, name)}">${nameText(nameOf({ name, name_ru }, lang), lang)}</a>`;
  return html`<li>${link}${about !== '' && html` <small>${about}</small>`}</li>`;
}

function steps(query: LeaguesQuery, total: number, options: PageOptions): Html | false {
  const { page } = query;
  const text = LEAGUE_LIST[options.lang];
  if (total <= PAGE_LEAGUES && page === 1) return false;
  const link = (to: number, label: string) => html`<a href="${href({ ...query, page: to }, options)}">${label}</a>`;
  return html`<p class="steps">${page > 1 && link(page - 1, `← ${text.previous}`)}
${page * PAGE_LEAGUES < total && link(page + 1, `${text.next} →`)}</p>`;
}
