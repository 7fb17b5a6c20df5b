/** `/v1/participant/{id}/statistics` returns a team's or player's figures by season. */
import type pg from 'pg';
import type { z } from 'zod';
import { prepared, type Queryable } from '../db/postgres.ts';
import type { Read } from '../db/reads.ts';
import { findSport } from '../sports/sports.ts';
import { isWithin, type MatchAccess } from '../wire/access.ts';
import { addCricketSums, type CricketFigures, type CricketSums, toCricketFigures } from './cricket-figures.ts';
import { teamFigures } from './figures.ts';
import { seasonNames, withTeamNames } from './row-names.ts';
import type { seasonStatistics } from './schema.ts';
import { type PlayerSeason, readPlayerSeasons, readTeamSeasons, type TeamSeason } from './season-figures.ts';

export type SeasonStatistics = z.infer<typeof seasonStatistics>;

export interface StatisticsFilter {
  season?: number | undefined;
  tournament?: number | undefined;
  access: MatchAccess | null;
}

const OF_TEAMS = { wins: null, draws: null, losses: null, goals_against: null };

/**
 * Returns the participant's seasons as a side, and then those as a player in teams, each newest first. A side is a team, or a
 * player in a sport without teams.
 */
export async function listStatistics(
  pool: pg.Pool,
  participantId: number,
  { season, tournament, access }: StatisticsFilter,
): Promise<{ list: SeasonStatistics[]; career?: CricketFigures | null }> {
  const within = await wantedSeasons(pool, { season, tournament });
  const [asSide, asPlayer] = await Promise.all([
    readTeamSeasons(pool, participantId, within),
    readPlayerSeasons(pool, participantId, within),
  ]);
  const all = [...asSide.map(sideEntry), ...asPlayer.map(playerEntry)];
  const seasons = await seasonNames(pool, [...new Set(all.map(({ season_id }) => season_id))]);
  const wanted = all.filter(({ season_id }) => {
    const { tournament_id, sport } = seasons.get(season_id)!;
    return isWithin(access, sport, tournament_id);
  });
  const named = await withTeamNames(pool, wanted);
  const list = named.map(({ season_id, team_id, team_name, team_name_ru, figures, own }) => {
    const { sport, ...season } = seasons.get(season_id)!;
    return { ...season, team_id, team_name, team_name_ru, ...figures, ...ownFigures(own, sport) };
  });
  if (!list.some(({ cricket }) => cricket !== undefined)) return { list };
  return { list, career: careerFigures(named.flatMap(({ own }) => (own === undefined ? [] : [own]))) };
}

/** Returns a cricketer's figures over all seasons. Null if the figures of one season are unknown. */
export function careerFigures(seasons: readonly (CricketSums | null)[]): CricketFigures | null {
  const known = seasons.filter((sums) => sums !== null);
  return known.length < seasons.length ? null : toCricketFigures(addCricketSums(known));
}

/** @param own sums of a player; undefined for a side */
const ownFigures = (own: CricketSums | null | undefined, sport: string): Pick<SeasonStatistics, 'cricket'> =>
  own !== undefined && findSport(sport)?.wickets ? { cricket: own && toCricketFigures(own) } : {};

const sideEntry = ({ season_id, team_id, last_start, sums, known }: TeamSeason) => ({
  season_id,
  team_id,
  at: last_start,
  figures: teamFigures(sums, known),
  own: undefined,
});

const playerEntry = ({ season_id, team_id, last_start, figures, own_sums }: PlayerSeason) => ({
  season_id,
  team_id,
  at: last_start,
  figures: { ...figures, ...OF_TEAMS },
  own: own_sums,
});

/** A season's statistics as pages show them. */
export interface ShownStatistics extends Omit<SeasonStatistics, 'cricket'> {
  tournament_ru: string | null;
  is_national: boolean;
  /** Sums of a player in a sport with own figures; null if they are unknown, undefined for a side. */
  own: CricketSums | null | undefined;
}

type EntryNames = Pick<
  ShownStatistics,
  | 'season_id'
  | 'season_label'
  | 'tournament_id'
  | 'tournament'
  | 'tournament_ru'
  | 'team_id'
  | 'team_name'
  | 'team_name_ru'
  | 'is_national'
> & { at: number };

const ENTRY_NAMES = prepared(
  'names of statistics',
  `SELECT f.season_id, f.team_id, f.at, s.season_label, t.id AS tournament_id, t.name AS tournament, t.name_ru AS tournament_ru,
     n.name AS team_name, n.name_ru AS team_name_ru, split_part(p.key, '|', 2) LIKE 'national team %' AS is_national
   FROM (SELECT u.season_id, u.team_id, own.at FROM season_team u CROSS JOIN LATERAL (
           -- By the primary key: OFFSET 0 keeps Postgres from reading the figures of all teams.
           SELECT t.last_start AS at FROM team_figures t WHERE t.season_id = u.season_id AND t.team_id = u.team_id AND t.last_start IS NOT NULL OFFSET 0
         ) own WHERE u.team_id = $1
         UNION SELECT season_id, team_id, last_start FROM player_figures WHERE participant_id = $1) f
   JOIN season s ON s.id = f.season_id JOIN tournament t ON t.id = s.tournament_id JOIN participant p ON p.id = f.team_id
   CROSS JOIN LATERAL names_at(f.team_id, to_timestamp(f.at)) n`,
);

const keyOf = ({ season_id, team_id, at }: Pick<EntryNames, 'season_id' | 'team_id' | 'at'>) =>
  `${season_id} ${team_id} ${at}`;

/** Reads the names that `shownStatistics` needs. */
export const statisticsNamesRead = (participantId: number): Read<EntryNames[]> => ({
  statement: ENTRY_NAMES([participantId]),
  toValue: (rows: EntryNames[]) => rows,
});

/** Returns the entries of `listStatistics`. All parts have to come from the same state of the database. */
export function shownStatistics(
  asSide: readonly TeamSeason[],
  asPlayer: readonly PlayerSeason[],
  names: readonly EntryNames[],
): ShownStatistics[] {
  const byEntry = new Map(names.map((one) => [keyOf(one), one]));
  return [...asSide.map(sideEntry), ...asPlayer.map(playerEntry)].flatMap(({ figures, own, ...entry }) => {
    const found = byEntry.get(keyOf(entry));
    if (found === undefined) return [];
    const { at: _, ...named } = found;
    return [{ ...named, ...figures, own }];
  });
}

/** Returns the ids of the seasons that both filters allow. Undefined if there is no filter. */
async function wantedSeasons(
  db: Queryable,
  { season = null, tournament = null }: { season?: number | null | undefined; tournament?: number | null | undefined },
): Promise<number[] | undefined> {
  if (season === null && tournament === null) return undefined;
  const { rows } = await db.query<{ id: number }>(
    'SELECT id FROM season WHERE ($1::bigint IS NULL OR id = $1) AND ($2::bigint IS NULL OR tournament_id = $2)',
    [season, tournament],
  );
  return rows.map(({ id }) => id);
}
