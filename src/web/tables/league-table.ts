/** A league's table, which the pages of its teams and the front page keep in memory. */
import {
  buildSeasonTables,
  buildTableHistory,
  readSeason,
  type StandingsRow,
  type TableHistory,
  type TableSeason,
  tableSeasonRead,
  tablesAfterDay,
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

/** A day in a time zone. */
export interface DayInZone {
  /** YYYY-MM-DD */
  date: string;
  tz: string;
}

/** How long a table is kept, unless a match changes. A correction of its rules appears after this time. */
const KEPT_MS = 60_000;

/**
 * Reads the table from memory if another page has read it in the same version. A season has up to 2,500 matches.
 * @param season the current season if absent
 * @param withHistory whether to compute the places from round to round, which takes longer than the table
 * @param after shows the table after this day, without later results
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
    after,
  }: { tournament: number; season?: number; version: string; withHistory?: boolean; after?: DayInZone | undefined },
  now: number,
): Promise<LeagueTable | null> {
  const { body } = await caches.versioned.get(
    `league table ${tournament} ${season} ${withHistory} ${after === undefined ? '' : `${after.date} ${after.tz}`}`,
    `${version} ${Math.floor(now / KEPT_MS)}`,
    async () => {
      const { found } = await readAll(reads, { found: tableSeasonRead(tournament, season, now) });
      if (found === null) return 'null';
      const rows = await tableRows(reads, found, now, after);
      const history = withHistory ? await buildTableHistory(reads, found, now) : null;
      const { tournament_id, tournament: name, tournament_ru, season_label, sport } = found.season;
      return JSON.stringify({ tournament_id, tournament: name, tournament_ru, season_label, sport, rows, history });
    },
  );
  return JSON.parse(String(body)) as LeagueTable | null;
}

async function tableRows(db: WebDeps['reads'], found: TableSeason, now: number, after: DayInZone | undefined) {
  if (after === undefined) return (await buildSeasonTables(db, found, { type: 'total', now })).table;
  const record = await readSeason(db, found.season, now);
  return record === null ? [] : (await tablesAfterDay(db, record, after, { type: 'total' })).table;
}
