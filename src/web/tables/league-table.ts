/** A league's table, which the pages of its teams and the front page keep in memory. */
import {
  buildSeasonTables,
  buildTableHistory,
  type StandingsRow,
  type TableHistory,
  tableSeasonRead,
} from '../../competitions/index.ts';
import { readAll } from '../../db/reads.ts';
import type { WebDeps } from '../deps.ts';

export interface LeagueTable {
  tournament_id: number;
  tournament: string;
  tournament_ru: string | null;
  season_label: string | null;
  sport: string;
  rows: StandingsRow[];
  /** Only if it was requested, and if the season has a table. */
  history: TableHistory | null;
}

/** How long a table is kept, unless a match changes. A correction of its rules appears after this time. */
const KEPT_MS = 60_000;

/**
 * Reads the table from memory if another page has read it in the same version. A season has up to 2,500 matches.
 * @param season the current season if absent
 * @param withHistory whether to compute the places from round to round, which takes longer than the table
 * @param version of `tournamentVersion`
 * @returns null for an unknown tournament or season
 */
export async function leagueTable(
  { reads, caches }: Pick<WebDeps, 'reads' | 'caches'>,
  {
    tournament,
    season,
    version,
    withHistory = false,
  }: { tournament: number; season?: number; version: string; withHistory?: boolean },
  now: number,
): Promise<LeagueTable | null> {
  const { body } = await caches.versioned.get(
    `league table ${tournament} ${season} ${withHistory}`,
    `${version} ${Math.floor(now / KEPT_MS)}`,
    async () => {
      const { found } = await readAll(reads, 'league table', { found: tableSeasonRead(tournament, season, now) });
      if (found === null) return 'null';
      const { table: rows } = await buildSeasonTables(reads, found, { type: 'total', now });
      const history = withHistory ? await buildTableHistory(reads, found, now) : null;
      const { tournament_id, tournament: name, tournament_ru, season_label, sport } = found.season;
      return JSON.stringify({ tournament_id, tournament: name, tournament_ru, season_label, sport, rows, history });
    },
  );
  return JSON.parse(String(body)) as LeagueTable | null;
}
