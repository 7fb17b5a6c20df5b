/** A player's page: clubs and national team by season, latest matches, goals by minute, and transfers. */
import type { z } from 'zod';
import { countryNames, nationalTeams, tournamentNamesRu } from '../../catalogue/index.ts';
import { participant as participantRoute } from '../../catalogue/routes.ts';
import type { participantDetail } from '../../catalogue/schema.ts';
import { findByRoute } from '../../http/index.ts';
import { type Html, html } from '../../site/html.ts';
import { breadcrumbs, document } from '../../site/layout.ts';
import { countBars } from '../../site/plots/index.ts';
import { dateText, fill, TEXTS } from '../../site/texts/index.ts';
import { goalMinutes } from '../../statistics/index.ts';
import { statistics as statisticsRoute } from '../../statistics/routes.ts';
import { transfers as transfersRoute } from '../../transfers/routes.ts';
import { DAY_MS } from '../../wire/time.ts';
import type { WebDeps } from '../deps.ts';
import { type PageOptions, shareTags } from '../page-options.ts';
import { playerPath, teamLink, teamPath } from '../paths.ts';
import { positionText } from '../player-positions.ts';
import { nameOf } from '../status-text.ts';
import { figureTable } from '../tables/season-statistics.ts';
import { listedMatches, matchesPart, namesOf, transfersPart } from '../team-page/team-page.ts';

const LISTED = 10;
const TRANSFERS = 20;
const MS_PER_YEAR = 365.2425 * DAY_MS;

type Participant = z.infer<typeof participantDetail>;

/** @param id player id */
export async function playerPage(deps: WebDeps, id: number, options: PageOptions): Promise<string | null> {
  const { lang, root } = options;
  const asked = { params: { id }, lang };
  const [player, last, next, statistics, transfers, minutes] = await Promise.all([
    findByRoute(participantRoute, asked, deps),
    listedMatches(deps, id, 'past', LISTED),
    listedMatches(deps, id, 'upcoming', LISTED),
    findByRoute(statisticsRoute, asked, deps),
    findByRoute(transfersRoute, { ...asked, query: { limit: String(TRANSFERS) } }, deps),
    goalMinutes(deps.pool, id),
  ]);
  if (player === null) return null;
  const text = TEXTS[lang].catalogue;
  const rows = statistics?.statistics ?? [];
  const [countries, tournamentsRu, national] = await Promise.all([
    countryNames(deps.pool, player.country === null ? [] : [player.country]),
    tournamentNamesRu(deps.pool, [...new Set(rows.map(({ tournament_id }) => tournament_id))]),
    nationalTeams(deps.pool, [...new Set(rows.map(({ team_id }) => team_id))]),
  ]);
  const name = nameOf(namesOf(player), lang);
  const table = (id: string, title: string, list: typeof rows) =>
    list.length > 0 &&
    html`<section id="${id}" class="panel"><h2>${title}</h2>${figureTable(list, {
      sport: player.sport,
      figures: ['matches', 'minutes', 'goals', 'assists', 'yellow_cards', 'red_cards'],
      withTeam: true,
      lang,
      root,
      tournamentsRu,
    })}</section>`;
  const country = countries.get(player.country ?? '');
  const body = html`${breadcrumbs(lang, root, [...clubCrumb(player, lang), { name }])}
<header class="panel subject"><img src="${root}sides/${id}/image" alt="" width="64" height="64"><div><h1>${name}</h1>
<dl class="facts">${facts(player, country && nameOf(country, lang), deps.clock.now(), options)}</dl></div></header>
<div class="columns">
<div>${
    rows.length === 0 &&
    html`<section class="panel"><h2>${text.statistics}</h2><p class="note">${text.noStatistics}</p></section>`
  }${table(
    'clubs',
    text.clubs,
    rows.filter(({ team_id }) => !national.has(team_id)),
  )}${table(
    'national',
    text.nationalTeam,
    rows.filter(({ team_id }) => national.has(team_id)),
  )}${minutesPart(minutes, options)}</div>
<div>${next.length > 0 && matchesPart('next', text.next, next, text.nextNone, options)}
${matchesPart('last', text.last, last, text.lastNone, options)}
${transfersPart(transfers, id, options)}</div>
</div>`;
  return document({
    lang,
    title: `${name} · Touchline`,
    root,
    query: '',
    styles: ['catalogue.css'],
    clock: deps.clock,
    head: shareTags({ path: playerPath(id, player.name_i18n.en), title: name }, options),
    body,
  });
}

/** Returns a player's newest known club. */
function newestClub({ extra }: Participant) {
  const clubs = (extra.clubs ?? []) as { team_id: number; team_name: string; team_name_ru: string | null }[];
  return clubs[0];
}

function clubCrumb(player: Participant, lang: PageOptions['lang']) {
  const club = newestClub(player);
  if (club === undefined) return [];
  const name = nameOf({ name: club.team_name, name_ru: club.team_name_ru }, lang);
  return [{ name, path: teamPath(club.team_id, club.team_name) }];
}

function facts(player: Participant, country: string | undefined, now: number, { lang, root }: PageOptions): Html[] {
  const text = TEXTS[lang].catalogue;
  const { birth_date, extra } = player;
  const club = newestClub(player);
  const age = birth_date === null ? null : Math.floor((now - Date.parse(birth_date)) / MS_PER_YEAR);
  const word = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : null);
  const height = word(extra.height_cm);
  const rows: [string, Html | string | null | undefined][] = [
    [
      text.club,
      club &&
        teamLink(
          club.team_id,
          club.team_name,
          root,
          nameOf({ name: club.team_name, name_ru: club.team_name_ru }, lang),
        ),
    ],
    [text.pos, positionText(word(extra.position), player.sport, lang)],
    [
      text.born,
      birth_date && `${dateText(birth_date, lang)}${age === null || age > 120 ? '' : ` (${fill(text.age, { age })})`}`,
    ],
    [text.country, country],
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
