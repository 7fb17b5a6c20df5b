/**
 * Reads what a tab of a team's page shows. Postgres gets one statement for the team, one for what depends on the first, and one for
 * the league's table unless it is in memory.
 */
import type { z } from 'zod';
import { type MissingReason, whyMissing } from '../../analytics/history-loading.ts';
import { trends as trendsRoute } from '../../analytics/routes.ts';
import type { teamTrends } from '../../analytics/schema.ts';
import { listedMatchesRead, profileRead } from '../../catalogue/index.ts';
import { readAll, readIf } from '../../db/reads.ts';
import { findByRoute, type Lang } from '../../http/index.ts';
import { ratingRead } from '../../rankings/index.ts';
import { within } from '../../runtime/time-limit.ts';
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

/** Tabs in the order of the page. The first one is shown if the address names none. */
export const TEAM_TABS = ['overview', 'table', 'squad', 'statistics', 'transfers'] as const;
export type TeamTab = (typeof TEAM_TABS)[number];

export interface TeamQuery {
  tab: TeamTab;
  /** Label of the squad's season. */
  season?: string | undefined;
  /** Id of the season whose squad is shown. Only national teams have a squad for each competition. */
  competition?: number | undefined;
  /** Whether to show statistics for all seasons, not only for the newest. */
  all: boolean;
}

const LISTED = 8;
const TRANSFERS = 40;
/** How long a page waits for trends. */
const PATIENCE_MS = 1_000;
/** Number of seasons in the statistics, unless all are requested. */
export const SHOWN_SEASONS = 12;

export type Trends = z.infer<typeof teamTrends>;
export type TeamPageData = NonNullable<Awaited<ReturnType<typeof readTeamPage>>>;

function readTeam({ pool, reads, clock }: WebDeps, id: number, { tab, season, competition, all }: TeamQuery) {
  const now = new Date(clock.now());
  const squadFilter = {
    ...(season !== undefined && { season_label: season }),
    ...(competition !== undefined && { season: competition }),
  };
  return withFreshFigures(pool, () =>
    readAll(reads, {
      version: participantVersionRead(id),
      team: profileRead(id, now),
      matches: readIf(tab === 'overview', listedMatchesRead(id, now, LISTED)),
      missingCard: readIf(tab === 'overview', missingCardRead(id, now)),
      squad: readIf(tab === 'squad', squadRead(id, squadFilter)),
      seasons: readIf(tab === 'statistics', lastSeasonsRead(id, all ? undefined : SHOWN_SEASONS)),
      names: readIf(tab === 'statistics', statisticsNamesRead(id)),
      rating: readIf(tab === 'statistics', ratingRead(id)),
      moves: readIf(tab === 'transfers', movesRead({ id, type: 'team' })),
    }),
  );
}

/** @param id team id @returns null if the team, or the squad's season, is unknown */
export async function readTeamPage(deps: WebDeps, id: number, query: TeamQuery, lang: Lang) {
  const { tab } = query;
  const [found, trends] = await Promise.all([readTeam(deps, id, query), readTrends(deps, id, tab, lang)]);
  const { team, squad, seasons, names, moves, missingCard, ...shown } = found;
  if (team === null) return null;
  if (tab === 'squad' && squad === null && (query.season ?? query.competition) !== undefined) return null;
  const now = deps.clock.now();
  const newest = tab === 'statistics' || typeof trends === 'string' ? undefined : trends?.recent[0];
  const tournament = newest?.tournament_id ?? null;
  const { tableVersion, transfers, missing } = await readAll(deps.reads, {
    tableVersion: tournamentVersionRead(tournament, undefined, utcDay(now)),
    transfers: transfersRead((moves ?? []).slice(0, TRANSFERS)),
    missing: missingPlayersRead(missingCard, new Date(now)),
  });
  return {
    ...shown,
    team,
    trends,
    squad: squad as ShownSquad | null,
    statistics: shownStatistics(seasons ?? [], [], names ?? []),
    transfers,
    missing,
    table:
      tournament === null
        ? null
        : await leagueTable(deps, { tournament, version: tableVersion, withHistory: tab === 'table' }, now),
  };
}

/** Tabs that show trends, or the league that they name. */
const WITH_TRENDS: readonly TeamTab[] = ['overview', 'table', 'statistics'];

/** @returns null on a tab without trends; otherwise trends, or why they are missing */
async function readTrends(deps: WebDeps, id: number, tab: TeamTab, lang: Lang): Promise<Trends | MissingReason | null> {
  if (!WITH_TRENDS.includes(tab)) return null;
  const found = findByRoute(trendsRoute, { params: { id }, lang }, deps).catch(whyMissing);
  return within(PATIENCE_MS, found, 'late');
}
