/** The columns of a wide front page beside the matches: favourites, the best-known leagues, and a league's table. */
import type { MarkedSubject, TopLeague } from '../../catalogue/index.ts';
import type { Lang } from '../../http/index.ts';
import { flag, nameText } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { FRONT_PAGE, fill, startText, TEXTS } from '../../site/texts/index.ts';
import { firstStat, type Leader, seasonLeaders, tournamentVersion } from '../../statistics/index.ts';
import { utcDay } from '../../wire/time.ts';
import type { WebDeps } from '../deps.ts';
import type { Listed } from '../match-rows.ts';
import type { PageOptions } from '../page-options.ts';
import { playerLink, teamPath, tournamentPath } from '../paths.ts';
import { nameOf, picturePath } from '../status-text.ts';
import { type DayInZone, leagueTable } from '../tables/league-table.ts';
import { standingsTables } from '../tables/standings-table.ts';

/** How many of the listed leagues are tried, since cups have no table. */
const TRIED = 2;
/** Number of leaders below the table. */
const LEADERS = 5;

type Options = Pick<PageOptions, 'lang' | 'root'>;

/** A place for the reader's favourites, which the script fills. The stars stand in the browser, or in the account. */
export function favouritesPlace(lang: Lang): Html {
  const text = FRONT_PAGE[lang];
  return html`<nav id="favourites" class="panel" aria-label="${text.favourites}"><h2>${text.favourites}</h2>
<div><p class="note">${text.favouritesHint}</p></div></nav>`;
}

/** The favourites' list. Without any that are known, an empty text. */
export function favouritesList(marked: readonly MarkedSubject[], { lang, root }: Options): string {
  if (marked.length === 0) return '';
  return html`<ul>${marked.map(({ kind, id, name, name_ru, country }) => {
    const picture =
      kind === 'team'
        ? html`<img src="${root}${picturePath({ participant_id: id })}" alt="" width="20" height="20" loading="lazy">`
        : flag(country, root);
    const path = kind === 'team' ? teamPath(id, name) : tournamentPath(id, name);
    return html`<li><a href="${root}${path}">${picture} ${nameText(nameOf({ name, name_ru }, lang), lang)}</a></li>`;
  })}</ul>`.text;
}

export function topLeaguesPanel(leagues: readonly TopLeague[], { lang, root }: Options): Html {
  if (leagues.length === 0) return html``;
  const title = TEXTS[lang].pages.topLeagues;
  return html`<nav class="panel" aria-label="${title}"><h2>${title}</h2><ul>${leagues.map(
    ({ id, name, name_ru, country_name, country_name_ru }) =>
      html`<li><a href="${root}${tournamentPath(id, name)}">${nameOf({ name, name_ru }, lang)}
<small>${nameOf({ name: country_name, name_ru: country_name_ru }, lang)}</small></a></li>`,
  )}</ul></nav>`;
}

/** Which seasons' tables a page asks for: `tournament.season`, comma-separated. */
export const WANTED_TABLES = /^\d{1,15}\.\d{1,15}(,\d{1,15}\.\d{1,15})?$/;

/** The season of a table, and the day of the matches beside it. */
export interface WantedTable {
  /** As `WANTED_TABLES` describes. */
  wanted: string;
  /** Shows the table after this day, without later results. Without it, the newest table is shown. */
  after?: DayInZone | undefined;
}

/**
 * Leaves room for the table of the first of the listed leagues that has one, since cups have none. The script fetches it,
 * so that the matches do not wait for it, and phones, which have no room, do not load it. Without a script, a link leads to it.
 */
export function tablePlace(matches: readonly Listed[], after: WantedTable['after'], { lang, root }: Options): Html {
  const seasons = [...new Map(matches.map((match) => [match.season_id, match])).values()].slice(0, TRIED);
  const [first] = seasons;
  const days = after && html` data-date="${after.date}" data-tz="${after.tz}"`;
  if (first === undefined) return html`<div id="table"${days}></div>`;
  const wanted = seasons.map(({ tournament_id, season_id }) => `${tournament_id}.${season_id}`).join();
  const name = nameOf({ name: first.tournament, name_ru: first.tournament_name_ru ?? null }, lang);
  return html`<div id="table" data-wanted="${wanted}"${days}><section class="panel">
<h2><a href="${root}${tournamentPath(first.tournament_id, first.tournament)}">${name}</a></h2></section></div>`;
}

/**
 * Shows table and leaders of the first season that has a table.
 * @returns an empty text if none has a table
 */
export async function tablePanel(
  deps: WebDeps,
  { wanted, after }: WantedTable,
  { lang, root }: Options,
): Promise<string> {
  const now = deps.clock.now();
  for (const pair of wanted.split(',')) {
    const [tournament = 0, season = 0] = pair.split('.').map(Number);
    const version = await tournamentVersion(deps.reads, tournament, season, utcDay(now));
    const table = await leagueTable(deps, { tournament, season, version, after }, now);
    if (table === null || table.rows.length === 0) continue;
    const { leaders } = await seasonLeaders(deps, season, firstStat(table.sport), LEADERS);
    const best = leaders.map((one) => leaderLine(one, { lang, root }));
    const name = nameOf({ name: table.tournament, name_ru: table.tournament_ru }, lang);
    const text = FRONT_PAGE[lang];
    const day = after && html` · ${fill(text.afterDay, { day: startText(after.date, lang, now, 'day') })}`;
    const leadersTitle = after === undefined ? TEXTS[lang].catalogue.leaders : text.leadersOfSeason;
    return html`<section class="panel">
<h2><a href="${root}${tournamentPath(table.tournament_id, table.tournament)}">${name}</a> <small>${table.season_label}${day}</small></h2>
${standingsTables({ table: table.rows }, { lang, root, sport: table.sport })}
${best.length > 0 && html`<h3>${leadersTitle}</h3><ol class="leaders">${best}</ol>`}</section>`.text;
  }
  return '';
}

function leaderLine(one: Leader, { lang, root }: Options): Html {
  const player = nameOf({ name: one.player_name, name_ru: one.player_name_ru }, lang);
  const team = nameOf({ name: one.team_name, name_ru: one.team_name_ru }, lang);
  return html`<li>${playerLink(one.participant_id, one.player_name, root, nameText(player, lang))} <small>${team}</small>
<b>${one.value}</b></li>`;
}
