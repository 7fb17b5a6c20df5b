/**
 * Reads what a team's page shows. Postgres gets one statement for the team, one for what depends on the first, and one for the
 * league's table unless it is in memory.
 */
import type { z } from 'zod';
import { whyMissing } from '../../analytics/history-loading.ts';
import { trends as trendsRoute } from '../../analytics/routes.ts';
import type { teamTrends } from '../../analytics/schema.ts';
import { listedMatchesRead, profileRead } from '../../catalogue/index.ts';
import { buildSeasonTables, type StandingsRow, tableSeasonRead } from '../../competitions/index.ts';
import { readAll } from '../../db/reads.ts';
import { findByRoute, type Lang } from '../../http/index.ts';
import { ratingRead } from '../../rankings/index.ts';
import {
  lastSeasonsRead,
  missingCardRead,
  missingPlayersRead,
  participantVersionRead,
  type ShownSquad,
  shownStatistics,
  squadRead,
  statisticsNamesRead,
  tournamentVersionRead,
  withFreshFigures,
} from '../../statistics/index.ts';
import { movesRead, transfersRead } from '../../transfers/index.ts';
import { utcDay } from '../../wire/time.ts';
import type { WebDeps } from '../deps.ts';

export interface TeamQuery {
  /** Label of the squad's season. */
  season?: string | undefined;
  /** Id of the season whose squad is shown. Only national teams have a squad for each competition. */
  competition?: number | undefined;
  /** Whether to show statistics for all seasons, not only for the newest. */
  all: boolean;
}

/**
 * How long a league's table is kept for the pages of all its teams, unless a match changes. A correction of its rules appears
 * after this time, as on the page itself.
 */
const TABLE_MS = 60_000;
const LISTED = 8;
const TRANSFERS = 20;
/** Number of seasons in the statistics, unless all are requested. */
export const SHOWN_SEASONS = 12;

export type Trends = z.infer<typeof teamTrends>;
export type TeamPageData = NonNullable<Awaited<ReturnType<typeof readTeamPage>>>;

/** The table of the league of the team's newest matches. */
export interface LeagueTable {
  tournament_id: number;
  tournament: string;
  tournament_ru: string | null;
  season_label: string | null;
  rows: StandingsRow[];
}

function readTeam({ pool, reads, clock }: WebDeps, id: number, { season, competition, all }: TeamQuery) {
  const now = new Date(clock.now());
  const squadFilter = {
    ...(season !== undefined && { season_label: season }),
    ...(competition !== undefined && { season: competition }),
  };
  return withFreshFigures(pool, () =>
    readAll(reads, 'team page', {
      version: participantVersionRead(id),
      team: profileRead(id, now),
      matches: listedMatchesRead(id, now, LISTED),
      squad: squadRead(id, squadFilter),
      seasons: lastSeasonsRead(id, all ? undefined : SHOWN_SEASONS),
      names: statisticsNamesRead(id),
      moves: movesRead({ id, type: 'team' }),
      rating: ratingRead(id),
      missingCard: missingCardRead(id, now),
    }),
  );
}

/** @param id team id @returns null if the team, or the squad's season, is unknown */
export async function readTeamPage(deps: WebDeps, id: number, query: TeamQuery, lang: Lang) {
  const [found, trends] = await Promise.all([
    readTeam(deps, id, query),
    findByRoute(trendsRoute, { params: { id }, lang }, deps).catch(whyMissing),
  ]);
  const { team, squad, seasons, names, moves, missingCard, ...shown } = found;
  if (team === null || (squad === null && (query.season ?? query.competition) !== undefined)) return null;
  const now = deps.clock.now();
  const newest = trends === null || trends === 'loading' ? undefined : trends.recent[0];
  const tournament = newest?.tournament_id ?? null;
  const { tableVersion, transfers, missing } = await readAll(deps.reads, 'team page, second part', {
    tableVersion: tournamentVersionRead(tournament, undefined, utcDay(now)),
    transfers: transfersRead(moves.slice(0, TRANSFERS)),
    missing: missingPlayersRead(missingCard, new Date(now)),
  });
  return {
    ...shown,
    team,
    trends,
    squad: squad as ShownSquad | null,
    statistics: shownStatistics(seasons, [], names),
    transfers,
    missing,
    table: tournament === null ? null : await readTable(deps, tournament, tableVersion, now),
  };
}

/** Reads the table from memory if another team's page has read it in the same version. A season has up to 2,500 matches. */
async function readTable(
  { pool, reads, caches }: WebDeps,
  tournament: number,
  version: string,
  now: number,
): Promise<LeagueTable | null> {
  const { body } = await caches.versioned.get(
    `table on team pages ${tournament}`,
    `${version} ${Math.floor(now / TABLE_MS)}`,
    async () => {
      const { league } = await readAll(reads, 'league of a team', {
        league: tableSeasonRead(tournament, undefined, now),
      });
      return JSON.stringify(league === null ? null : await toTable(pool, league, now));
    },
  );
  return JSON.parse(String(body)) as LeagueTable | null;
}

async function toTable(
  pool: WebDeps['pool'],
  league: Parameters<typeof buildSeasonTables>[1],
  now: number,
): Promise<LeagueTable> {
  const { table } = await buildSeasonTables(pool, league, { type: 'total', now });
  const { tournament_id, tournament, tournament_ru, season_label } = league.season;
  return { tournament_id, tournament, tournament_ru, season_label, rows: table };
}
