/** Front page. Lists a day's matches, or only the live ones, by league, with the most important leagues first. */
import type { AccountConfig } from '../../accounts/config.ts';
import { topLeaguesRead } from '../../catalogue/index.ts';
import { readAll } from '../../db/reads.ts';
import type { Lang } from '../../http/index.ts';
import {
  type DayMatch,
  dayMatches,
  dayMatchesRead,
  liveMatches,
  type NearestDays,
  nearestDays,
  sportsOfDayRead,
} from '../../matches/index.ts';
import { flag } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { document } from '../../site/layout.ts';
import { FRONT_PAGE, fill, longDay, roundText, shortDay, TEXTS } from '../../site/texts/index.ts';
import { findSport } from '../../sports/sports.ts';
import { grouped } from '../../wire/grouped.ts';
import { DAY_MS, utcDay } from '../../wire/time.ts';
import type { WebDeps } from '../deps.ts';
import { embedLink } from '../embed-link.ts';
import { favouriteTexts } from '../favourite-texts.ts';
import { type Listed, matchRows } from '../match-rows.ts';
import { type PageOptions, shareTags } from '../page-options.ts';
import { tournamentPath } from '../paths.ts';
import { nameOf } from '../status-text.ts';
import { aboutStrip } from './about.ts';
import { favouritesPlace, tablePlace, topLeaguesPanel } from './league-panels.ts';
import { matchSummary } from './match-summary.ts';

export interface HomeQuery {
  /** YYYY-MM-DD. Today if absent. */
  date?: string | undefined;
  sport?: string | undefined;
  /** True to list only matches in progress. */
  live: boolean;
  /** The match whose details are shown beside the list. */
  match?: number | undefined;
}

interface Shown extends Listed {
  country: string;
  country_name: string;
  country_name_ru: string | null;
}
const shown = ({ item, ...names }: DayMatch): Shown => ({ ...item, ...names });

const addDays = (day: string, count: number) => utcDay(Date.parse(day) + count * DAY_MS);

/** Number of leagues beside the matches. */
const TOP_LEAGUES = 15;
/** Days in the strip, relative to today. */
const STRIP = [-2, -1, 0, 1, 2];

/** Returns null if the query names an unknown match. */
export async function homePage(
  deps: WebDeps,
  query: HomeQuery,
  tz: string,
  options: PageOptions,
  { signUp }: Pick<AccountConfig, 'signUp'>,
): Promise<string | null> {
  const { lang, now } = options;
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: tz }).format(now);
  const day = query.date ?? today;
  const text = TEXTS[lang].pages;
  const [rows, { sports, leagues }, selected] = await Promise.all([
    query.live ? liveInSport(deps, query.sport) : dayMatches(deps.reads, day, tz, query.sport, day === today),
    readAll(deps.reads, {
      sports: sportsOfDayRead(day, tz),
      leagues: topLeaguesRead(query.sport, TOP_LEAGUES, now),
    }),
    query.match === undefined ? undefined : matchSummary(deps, query.match, options),
  ]);
  if (selected === null) return null;
  const matches = rows.map(shown);
  // On a past day, the table is that of the day, and so it is if the clock is set, since later results may be known then.
  const isPast = day < today && !query.live;
  const dayOfTable = isPast || deps.clock.isSet ? { date: isPast ? day : today, tz } : undefined;
  const title = query.live ? text.live : longDay(day, lang);
  const list =
    matches.length > 0
      ? byLeague(matches, query, options)
      : query.live
        ? html`<p class="panel note">${text.nothingLive}</p>`
        : await nearest(deps, day, tz, query, options);
  const body = html`
<h1 class="hidden">${fill(text.matchesOn, { day: title })}</h1>
${strip(day, today, query, options)}
${!query.live && sports.length > 1 && sportTabs(sports, query, options)}
<div class="board-columns"><div id="leagues">${favouritesPlace(lang)}
${topLeaguesPanel(leagues, options)}</div>
<div><div id="day" data-day="${day}">
${list}
</div>
${query.live && embedLink('live', '', options)}
${aboutStrip(lang, signUp)}</div>
<div id="beside"><div id="selected">${selected}</div>
${tablePlace(matches, dayOfTable, options)}</div></div>`;
  return document({
    lang,
    title: query.live || query.date !== undefined ? `${title} · Touchline` : text.title,
    root: options.root,
    query: queryText(query, { match: query.match }),
    script: 'home.js',
    styles: ['tables.css', 'catalogue.css', 'home.css'],
    clock: deps.clock,
    head: shareTags({ path: '', title: text.title }, options),
    data: {
      ...favouriteTexts(lang),
      'my-teams': text.myTeams,
      close: FRONT_PAGE[lang].close,
      'is-today': String(query.live || day === today),
      live: matches.filter(({ status }) => status === 'live').length,
    },
    body,
  });
}

async function liveInSport({ pool }: WebDeps, sport: string | undefined): Promise<DayMatch[]> {
  return (await liveMatches(pool)).filter(({ item }) => sport === undefined || item.sport === sport);
}

/** Returns the page's query with some values changed. Values that are the default are left out, and so is a former match. */
function queryText(query: HomeQuery, changed: Partial<HomeQuery> = {}): string {
  const { date, sport, live, match } = { ...query, match: undefined, ...changed };
  return new URLSearchParams({
    ...(date !== undefined && { date }),
    ...(sport !== undefined && { sport }),
    ...(live && { live: '1' }),
    ...(match !== undefined && { match: String(match) }),
  }).toString();
}

const href = (query: HomeQuery, changed: Partial<HomeQuery>) => {
  const text = queryText(query, changed);
  return text === '' ? './' : `./?${text}`;
};

function strip(day: string, today: string, query: HomeQuery, { lang }: PageOptions): Html {
  const text = TEXTS[lang].pages;
  const names: Record<number, string> = { [-1]: text.yesterday, 0: text.today, 1: text.tomorrow };
  const link = (to: string, label: string) => {
    const address = href(query, { date: to === today ? undefined : to, live: false });
    return html`<a href="${address}"${to === day && !query.live && html` aria-current="date"`}>${label}</a>`;
  };
  const input = html`<input type="date" name="date" value="${day}" required min="1800-01-01" max="2200-12-31">`;
  const live = href(query, query.live ? { live: false } : { live: true, date: undefined });
  // If the day is not near today, the strip shows the days around it, and a link back to today.
  const isNear = STRIP.some((step) => addDays(today, step) === day);
  const middle = isNear ? today : day;
  const days = STRIP.map((step) => {
    const to = addDays(middle, step);
    return link(to, (isNear ? names[step] : undefined) ?? shortDay(to, lang));
  });
  return html`<div class="days"><nav class="strip" aria-label="${text.day}">${days}
${!isNear && link(today, text.today)}<a class="live" href="${live}"${query.live && html` aria-current="true"`}>${text.liveOnly}</a></nav>
<form method="get" action="./" class="choice"><label><span class="hidden">${text.day}</span>${input}</label>${
    query.sport && html`<input type="hidden" name="sport" value="${query.sport}">`
  }<button>${text.show}</button></form></div>`;
}

function sportTabs(sports: readonly { sport: string; count: number }[], query: HomeQuery, { lang }: PageOptions): Html {
  const text = TEXTS[lang].pages;
  const tab = (sport: string | undefined, label: string, count: number) =>
    html`<a href="${href(query, { sport })}"${sport === query.sport && html` aria-current="true"`}>${label} <small>${count}</small></a>`;
  const all = sports.reduce((sum, { count }) => sum + count, 0);
  const one = sports.map(({ sport, count }) => tab(sport, sportName(sport, lang), count));
  return html`<nav class="tabs" aria-label="${text.sport}">${tab(undefined, text.allSports, all)}${one}</nav>`;
}

export const sportName = (slug: string, lang: Lang): string => {
  const sport = findSport(slug);
  return sport === undefined ? slug : nameOf(sport, lang);
};

/** Groups matches by league. Leagues are in the order of their first match. */
function byLeague(matches: readonly Shown[], query: HomeQuery, options: PageOptions): Html {
  const leagues = grouped(matches, ({ tournament_id }) => String(tournament_id));
  return html`${[...leagues.values()].map((list) => league(list, query, options))}`;
}

function league(matches: readonly Shown[], query: HomeQuery, options: PageOptions): Html {
  const { lang, root } = options;
  const [first] = matches;
  if (first === undefined) return html``;
  const name = nameOf({ name: first.tournament, name_ru: first.tournament_name_ru ?? null }, lang);
  const country = nameOf({ name: first.country_name, name_ru: first.country_name_ru }, lang);
  const link = html`<a href="${root}${tournamentPath(first.tournament_id, first.tournament)}">${name}</a>`;
  const rounds = new Set(matches.map(({ round_name, extra }) => round_name ?? extra.round));
  const [round] = rounds;
  // A round that all matches share stands in the heading, and not in each row.
  const where = rounds.size === 1 && round ? html`${country} · ${roundText(round, lang)}` : country;
  return html`<section class="league" data-tournament="${first.tournament_id}">
<h2 data-favourite="tournament ${first.tournament_id}" data-name="${name}">${link}
<small>${flag(first.country, root)} ${where}</small></h2>
<details open><summary aria-label="${fill(TEXTS[lang].catalogue.matchesCount, { count: matches.length })}">${matches.length}</summary>
${matchRows(matches, {
  ...options,
  withTournament: false,
  withRound: rounds.size > 1,
  ofOneDay: true,
  detailsPath: (match) => href(query, { match: match === query.match ? undefined : match }),
  selected: query.match,
})}</details></section>`;
}

/** Shows the nearest days with matches, one before this day and one after it. */
async function nearest(deps: WebDeps, day: string, tz: string, query: HomeQuery, options: PageOptions): Promise<Html> {
  const { lang } = options;
  const text = TEXTS[lang].pages;
  const days: NearestDays = await nearestDays(deps.reads, day, tz, query.sport);
  const matches = await readAll(deps.reads, {
    before: dayMatchesRead(days.before, tz, query.sport),
    after: dayMatchesRead(days.after, tz, query.sport),
  });
  const part = (side: 'before' | 'after', label: string) => {
    const to = days[side];
    if (to === null) return null;
    return html`<section class="board"><h2>${label}: <a href="${href(query, { date: to })}">${longDay(to, lang)}</a></h2>
${byLeague(matches[side].map(shown), query, options)}</section>`;
  };
  const isEmpty = days.before === null && days.after === null;
  if (isEmpty && query.sport !== undefined) {
    const sport = sportName(query.sport, lang);
    return html`<p class="panel note">${fill(text.noMatchesOfSport, { sport })}
<a href="${href(query, { sport: undefined })}">${text.otherSports}</a></p>`;
  }
  const none = fill(isEmpty ? text.emptyCatalogue : text.noMatchesOn, { day: longDay(day, lang) });
  return html`<p class="panel note">${none}</p>
${part('after', text.nextDay)}
${part('before', text.lastDay)}`;
}
