/** A player's page: clubs and national team by season, latest matches, goals by minute, and transfers. */
import type { ShownProfile } from '../../catalogue/index.ts';
import { flag } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { breadcrumbs, document } from '../../site/layout.ts';
import { countBars } from '../../site/plots/index.ts';
import { dateText, fill, TEXTS } from '../../site/texts/index.ts';
import { DAY_MS } from '../../wire/time.ts';
import type { WebDeps } from '../deps.ts';
import { type PageOptions, shareTags } from '../page-options.ts';
import { playerPath, teamLink, teamPath } from '../paths.ts';
import { positionText } from '../player-positions.ts';
import { sharePicturePath } from '../share-pictures/address.ts';
import { nameOf, picturePath } from '../status-text.ts';
import { figureTable } from '../tables/season-statistics.ts';
import { matchesPart, transfersPart } from '../team-page/team-page.ts';
import { type PlayerPageData, readPlayerPage } from './read-player-page.ts';

const MS_PER_YEAR = 365.2425 * DAY_MS;

/**
 * A page with the version of what it shows.
 * @param id player id
 * @returns null for an unknown player
 */
export async function playerPage(
  deps: WebDeps,
  id: number,
  options: PageOptions,
): Promise<{ body: string; version: string } | null> {
  const data = await readPlayerPage(deps, id);
  return data === null ? null : { body: render(deps, id, data, options), version: data.version };
}

function render(deps: WebDeps, id: number, data: PlayerPageData, options: PageOptions): string {
  const { lang, root } = options;
  const { player, matches, statistics: rows, transfers, minutes } = data;
  const { last, next } = matches;
  const text = TEXTS[lang].catalogue;
  const name = nameOf(player, lang);
  const table = (id: string, title: string, list: typeof rows) =>
    list.length > 0 &&
    html`<section id="${id}" class="panel"><h2>${title}</h2>${figureTable(list, {
      sport: player.sport,
      figures: ['matches', 'minutes', 'goals', 'assists', 'yellow_cards', 'red_cards'],
      withTeam: true,
      lang,
      root,
    })}</section>`;
  const body = html`${breadcrumbs(lang, root, [...clubCrumb(player, lang), { name }])}
<header class="panel subject"><img src="${root}${picturePath({ participant_id: id })}" alt="" width="64" height="64"><div><h1>${name}</h1>
<dl class="facts">${facts(player, deps.clock.now(), options)}</dl></div></header>
<div class="columns">
<div>${
    rows.length === 0 &&
    html`<section class="panel"><h2>${text.statistics}</h2><p class="note">${text.noStatistics}</p></section>`
  }${table(
    'clubs',
    text.clubs,
    rows.filter(({ is_national }) => !is_national),
  )}${table(
    'national',
    text.nationalTeam,
    rows.filter(({ is_national }) => is_national),
  )}${minutesPart(minutes, options)}</div>
<div>${next.length > 0 && matchesPart('next', text.next, next, text.nextNone, options)}
${matchesPart('last', text.last, last, text.lastNone, options)}
${transfersPart(transfers, null, options)}</div>
</div>`;
  return document({
    lang,
    title: `${name} · Touchline`,
    root,
    query: '',
    styles: ['catalogue.css'],
    clock: deps.clock,
    head: shareTags(
      {
        path: playerPath(id, player.name),
        title: name,
        picture: sharePicturePath({ kind: 'player', id, version: data.version, lang }),
      },
      options,
    ),
    body,
  });
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
  const rows: [string, Html | string | null | undefined][] = [
    clubFact(player, now, { lang, root }),
    [text.pos, positionText(word(extra.position), player.sport, lang)],
    [
      text.born,
      birth_date && `${dateText(birth_date, lang)}${age === null || age > 120 ? '' : ` (${fill(text.age, { age })})`}`,
    ],
    [text.country, country && html`${flag(country.iso, root)} ${nameOf(country, lang)}`],
    [text.height, height && fill(text.centimetres, { height })],
  ];
  return rows.flatMap(([name, value]) => (value ? [html`<div><dt>${name}</dt><dd>${value}</dd></div>`] : []));
}

/** For each class in the plot, its last minute and its label. */
const QUARTERS: readonly (readonly [number, string])[] = [
  [15, '1–15'],
  [30, '16–30'],
  [45, '31–45'],
  [60, '46–60'],
  [75, '61–75'],
  [90, '76–90'],
  [Number.POSITIVE_INFINITY, '91+'],
];

function minutesPart(minutes: readonly number[], { lang }: PageOptions): Html {
  if (minutes.length === 0) return html``;
  const text = TEXTS[lang].catalogue;
  let before = -1;
  const classes = QUARTERS.map(([last, label]) => {
    const count = minutes.filter((minute) => minute > before && minute <= last).length;
    before = last;
    return { label, count };
  });
  const shown = classes.filter(({ label, count }) => label !== '91+' || count > 0);
  const title = `${text.goalsByMinute}: ${shown.map(({ label, count }) => `${label} ${count}`).join(', ')}`;
  return html`<section id="minutes" class="panel"><h2>${text.goalsByMinute}</h2>
<p class="note">${fill(text.goalsByMinuteText, { goals: minutes.length })}</p>${countBars(title, shown)}</section>`;
}
