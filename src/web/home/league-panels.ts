/** What a wide front page shows beside the matches: the best-known leagues, and the first league's table. */
import type { TopLeague } from '../../catalogue/index.ts';
import { buildSeasonTables, tableSeasonRead } from '../../competitions/index.ts';
import { readAll } from '../../db/reads.ts';
import { type Html, html } from '../../site/html.ts';
import { TEXTS } from '../../site/texts/index.ts';
import {
  type Leader,
  leadersRead,
  seasonTotalsRead,
  tournamentVersion,
  tournamentVersionRead,
  withFreshFigures,
} from '../../statistics/index.ts';
import { utcDay } from '../../wire/time.ts';
import type { WebDeps } from '../deps.ts';
import type { Listed } from '../match-rows.ts';
import type { PageOptions } from '../page-options.ts';
import { playerLink, tournamentPath } from '../paths.ts';
import { nameOf } from '../status-text.ts';
import { type Standings, standingsTables } from '../tables/standings-table.ts';

/** How many of the listed leagues are tried, since cups have no table. */
const TRIED = 2;
/** Number of leaders below the table. */
const LEADERS = 5;

type Options = Pick<PageOptions, 'lang' | 'root'>;

export function topLeaguesPanel(leagues: readonly TopLeague[], { lang, root }: Options): Html {
  if (leagues.length === 0) return html``;
  const title = TEXTS[lang].pages.topLeagues;
  return html`<nav class="panel" aria-label="${title}"><h2>${title}</h2><ul>${leagues.map(
    ({ id, name, name_ru, country_name, country_name_ru }) =>
      html`<li><a href="${root}${tournamentPath(id, name)}">${nameOf({ name, name_ru }, lang)}
<small>${nameOf({ name: country_name, name_ru: country_name_ru }, lang)}</small></a></li>`,
  )}</ul></nav>`;
}

interface SeasonTable {
  season_label: string | null;
  table: Standings['table'];
  leaders: Leader[];
}

/** Shows table and leaders of the first of the listed leagues that has a table. */
export async function tablePanel(deps: WebDeps, matches: readonly Listed[], { lang, root }: Options): Promise<Html> {
  const seasons = new Map(matches.map((match) => [match.season_id, match]));
  for (const match of [...seasons.values()].slice(0, TRIED)) {
    const { season_label, table, leaders } = await seasonTable(deps, match);
    if (table.length === 0) continue;
    const name = nameOf({ name: match.tournament, name_ru: match.tournament_name_ru ?? null }, lang);
    const best = leaders.map((one) => leaderLine(one, { lang, root }));
    return html`<section class="panel">
<h2><a href="${root}${tournamentPath(match.tournament_id, match.tournament)}">${name}</a> <small>${season_label}</small></h2>
${standingsTables({ table }, { lang, root, sport: match.sport })}
${best.length > 0 && html`<h3>${TEXTS[lang].catalogue.leaders}</h3><ol class="leaders">${best}</ol>`}</section>`;
  }
  return html``;
}

function leaderLine(one: Leader, { lang, root }: Options): Html {
  const player = nameOf({ name: one.player_name, name_ru: one.player_name_ru }, lang);
  const team = nameOf({ name: one.team_name, name_ru: one.team_name_ru }, lang);
  return html`<li>${playerLink(one.participant_id, one.player_name, root, player)} <small>${team}</small>
<b>${one.value}</b></li>`;
}

/** Reads a season's table from the cache, if no match of the season has changed since. */
async function seasonTable(
  { caches, pool, reads, clock }: WebDeps,
  { tournament_id, season_id }: Pick<Listed, 'tournament_id' | 'season_id'>,
): Promise<SeasonTable> {
  const { body } = await caches.pages.parts.get(`season table ${season_id}`, null, async (cached) => {
    const now = clock.now();
    const today = utcDay(now);
    if (cached !== undefined && cached.version === (await tournamentVersion(reads, tournament_id, season_id, today)))
      return cached;
    const { version, found, players } = await withFreshFigures(pool, () =>
      readAll(reads, 'table beside the matches', {
        version: tournamentVersionRead(tournament_id, season_id, today),
        found: tableSeasonRead(tournament_id, season_id, now),
        players: seasonTotalsRead(season_id, 'goals'),
      }),
    );
    const table = found === null ? [] : (await buildSeasonTables(reads, found, { type: 'total', now })).table;
    const { leaders } =
      table.length === 0
        ? { leaders: [] }
        : await readAll(reads, 'leaders of a season', { leaders: leadersRead(players.totals, LEADERS) });
    const known: SeasonTable = { season_label: found?.season.season_label ?? null, table, leaders };
    return { body: JSON.stringify(known), version };
  });
  return JSON.parse(String(body)) as SeasonTable;
}
