/** A player's page: tabs with matches and the newest season, with statistics of clubs and national team, and with transfers. */
import type { ShownProfile } from '../../catalogue/index.ts';
import { flag, nameText, pageTabs } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { breadcrumbs, document } from '../../site/layout.ts';
import { countBars } from '../../site/plots/index.ts';
import { dateText, fill, PEOPLE, TEXTS } from '../../site/texts/index.ts';
import { findSport } from '../../sports/sports.ts';
import { DAY_MS } from '../../wire/time.ts';
import type { WebDeps } from '../deps.ts';
import { type PageOptions, shareTags } from '../page-options.ts';
import { coachPath, playerPath, teamLink, teamPath } from '../paths.ts';
import { positionText } from '../player-positions.ts';
import { sharePicturePath } from '../share-pictures/address.ts';
import { nameOf, picturePath } from '../status-text.ts';
import { cricketTables } from '../tables/cricket-statistics.ts';
import { figureTable } from '../tables/season-statistics.ts';
import { matchesPart, transfersPart } from '../team-page/team-page.ts';
import { type PlayerPageData, readPlayerPage } from './read-player-page.ts';

/** Tabs in the order of the page. The first one is shown if the address names none. */
export const PLAYER_TABS = ['overview', 'statistics', 'transfers'] as const;
type PlayerTab = (typeof PLAYER_TABS)[number];

const MS_PER_YEAR = 365.2425 * DAY_MS;

/**
 * A page with the version of what it shows.
 * @param id player id
 * @returns null for an unknown player
 */
export async function playerPage(
  deps: WebDeps,
  id: number,
  tab: PlayerTab,
  options: PageOptions,
): Promise<{ body: string; version: string } | null> {
  const data = await readPlayerPage(deps, id);
  return data === null ? null : { body: render(deps, id, tab, data, options), version: data.version };
}

function render(deps: WebDeps, id: number, tab: PlayerTab, data: PlayerPageData, options: PageOptions): string {
  const { lang, root } = options;
  const { player } = data;
  const name = nameOf(player, lang);
  const path = playerPath(id, player.name);
  const query = (to: PlayerTab) => (to === 'overview' ? '' : `?tab=${to}`);
  const body = html`${breadcrumbs(lang, root, [...clubCrumb(player, lang), { name }])}
<header class="panel subject"><img src="${root}${picturePath({ participant_id: id })}" alt="" width="64" height="64">
<div><h1>${nameText(name, lang)}</h1>
<dl class="facts">${facts(player, deps.clock.now(), options)}</dl></div></header>
${pageTabs(PLAYER_TABS, tab, lang, (to) => root + path + query(to))}
${PARTS[tab](data, options)}`;
  return document({
    lang,
    title: `${name} · Touchline`,
    root,
    query: query(tab).slice(1),
    styles: ['tables.css', 'catalogue.css'],
    clock: deps.clock,
    head: shareTags(
      {
        path,
        title: name,
        picture: sharePicturePath({ kind: 'player', id, version: data.version, lang }),
      },
      options,
    ),
    body,
  });
}

/** Content of each tab. */
const PARTS: Record<PlayerTab, (data: PlayerPageData, options: PageOptions) => Html> = {
  overview: ({ matches: { next, last }, statistics, player, minutes }, options) => {
    const text = TEXTS[options.lang].catalogue;
    const newest = statistics.filter(({ season_label }) => season_label === statistics[0]?.season_label);
    return html`<div class="columns">
<div>${next.length > 0 && matchesPart('next', text.next, next, text.nextNone, options)}
${matchesPart('last', text.last, last, text.lastNone, options)}</div>
<div>${figuresPart('newest', fill(text.inSeason, { season: newest[0]?.season_label ?? '' }), newest, player.sport, options)}
${minutesPart(minutes, player.sport, options)}</div>
</div>`;
  },
  statistics: ({ statistics: rows, player }, options) => {
    const text = TEXTS[options.lang].catalogue;
    const [clubs, national] = [
      rows.filter(({ is_national }) => !is_national),
      rows.filter(({ is_national }) => is_national),
    ];
    return html`${
      rows.length === 0 &&
      html`<section class="panel"><h2>${text.statistics}</h2><p class="note">${text.noStatistics}</p></section>`
    }${figuresPart('clubs', text.clubs, clubs, player.sport, options)}
${figuresPart('national', text.nationalTeam, national, player.sport, options)}`;
  },
  transfers: ({ transfers }, options) => transfersPart(transfers, null, options),
};

function figuresPart(
  id: string,
  title: string,
  rows: PlayerPageData['statistics'],
  sport: string,
  { lang, root }: PageOptions,
): Html {
  if (rows.length === 0) return html``;
  if (findSport(sport)?.wickets)
    return html`<section id="${id}" class="panel"><h2>${title}</h2>${cricketTables(rows, title, { lang, root })}</section>`;
  const figures = ['matches', 'minutes', 'goals', 'assists', 'yellow_cards', 'red_cards'] as const;
  return html`<section id="${id}" class="panel"><h2>${title}</h2>
${figureTable(rows, { label: title, sport, figures, withTeam: true, lang, root })}</section>`;
}

function clubCrumb({ club }: ShownProfile, lang: PageOptions['lang']) {
  return club === null ? [] : [{ name: nameOf(club, lang), path: teamPath(club.id, club.name) }];
}

/** A player who has not appeared for longer than this may have left the club. No break between two seasons is longer. */
const CLUB_KNOWN_MS = 150 * DAY_MS;

function clubFact(
  { club }: ShownProfile,
  now: number,
  { lang, root }: Pick<PageOptions, 'lang' | 'root'>,
): [string, Html | null] {
  const text = TEXTS[lang].catalogue;
  if (club === null) return [text.club, null];
  const link = teamLink(club.id, club.name, root, nameOf(club, lang));
  if (now - Date.parse(club.last_start) <= CLUB_KNOWN_MS) return [text.club, link];
  return [text.lastClub, html`${link} (${club.season})`];
}

function facts(player: ShownProfile, now: number, { lang, root }: PageOptions): Html[] {
  const text = TEXTS[lang].catalogue;
  const { birth_date, extra, country } = player;
  const age = birth_date === null ? null : Math.floor((now - Date.parse(birth_date)) / MS_PER_YEAR);
  const word = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : null);
  const height = word(extra.height_cm);
  const rows: [string, Html | string | null | undefined | false][] = [
    clubFact(player, now, { lang, root }),
    [text.pos, positionText(word(extra.position), player.sport, lang)],
    [
      text.born,
      birth_date && `${dateText(birth_date, lang)}${age === null || age > 120 ? '' : ` (${fill(text.age, { age })})`}`,
    ],
    [text.country, country && html`${flag(country.iso, root)} ${nameOf(country, lang)}`],
    [text.height, height && fill(text.centimetres, { height })],
    [
      PEOPLE[lang].asCoach,
      player.is_coach && html`<a href="${root}${coachPath(player.id, player.name)}">${PEOPLE[lang].coachPage}</a>`,
    ],
  ];
  return rows.flatMap(([name, value]) => (value ? [html`<div><dt>${name}</dt><dd>${value}</dd></div>`] : []));
}

/** Counts the goals of each part of a match, such as a quarter of an hour. Later goals follow only if there are some. */
function minutesPart(minutes: readonly number[], sport: string, { lang }: PageOptions): Html {
  const parts = findSport(sport)?.goalMinutes;
  if (minutes.length === 0 || parts === undefined) return html``;
  const text = TEXTS[lang].catalogue;
  const { step, end } = parts;
  const count = (from: number, to: number) => minutes.filter((minute) => minute >= from && minute <= to).length;
  const regular = Array.from({ length: end / step }, (_, index) => {
    const [first, last] = [index * step + 1, (index + 1) * step];
    // Some sources call the first minute 0.
    return { label: `${first}–${last}`, count: count(index === 0 ? 0 : first, last) };
  });
  const later = count(end + 1, Number.POSITIVE_INFINITY);
  const shown = later === 0 ? regular : [...regular, { label: `${end + 1}+`, count: later }];
  const title = `${text.goalsByMinute}: ${shown.map(({ label, count }) => `${label} ${count}`).join(', ')}`;
  return html`<section id="minutes" class="panel"><h2>${text.goalsByMinute}</h2>
<p class="note">${fill(text.goalsByMinuteText, { goals: minutes.length })}</p>${countBars(title, shown)}</section>`;
}
