/**
 * Reads what a team's page shows. Postgres gets one statement for the team, one for what depends on the first, and one for the
 * league's table unless it is in memory.
 */
import type { z } from 'zod';
import { whyMissing } from '../../analytics/history-loading.ts';
import { trends as trendsRoute } from '../../analytics/routes.ts';
import type { teamTrends } from '../../analytics/schema.ts';
import { listedMatchesRead, profileRead } from '../../catalogue/index.ts';
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
import { leagueTable } from '../tables/league-table.ts';

export interface TeamQuery {
  /** Label of the squad's season. */
  season?: string | undefined;
  /** Id of the season whose squad is shown. Only national teams have a squad for each competition. */
  competition?: number | undefined;
  /** Whether to show statistics for all seasons, not only for the newest. */
  all: boolean;
}

const LISTED = 8;
const TRANSFERS = 20;
/** Number of seasons in the statistics, unless all are requested. */
export const SHOWN_SEASONS = 12;

export type Trends = z.infer<typeof teamTrends>;
export type TeamPageData = NonNullable<Awaited<ReturnType<typeof readTeamPage>>>;

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
    table: tournament === null ? null : await leagueTable(deps, { tournament, version: tableVersion }, now),
  };
}
