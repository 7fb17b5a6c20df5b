/** `/v1/participant/{id}/statistics` returns a team's or player's figures by season. */
import type pg from 'pg';
import type { z } from 'zod';
import type { Queryable } from '../db/postgres.ts';
import { isWithin, type MatchAccess } from '../wire/access.ts';
import { teamFigures } from './figures.ts';
import { seasonNames, withTeamNames } from './row-names.ts';
import type { seasonStatistics } from './schema.ts';
import { readPlayerSeasons, readTeamSeasons } from './season-figures.ts';

export type SeasonStatistics = z.infer<typeof seasonStatistics>;

export interface StatisticsFilter {
  season?: number | undefined;
  tournament?: number | undefined;
  access: MatchAccess | null;
  /** How many of a side's last seasons to return. Used instead of `season` and `tournament`. */
  newest?: number | undefined;
}

const OF_TEAMS = { wins: null, draws: null, losses: null, goals_against: null };

/**
 * Returns the participant's seasons as a side, and then those as a player in teams, each newest first. A side is a team, or a
 * player in a sport without teams.
 */
export async function listStatistics(
  pool: pg.Pool,
  participantId: number,
  { season, tournament, newest, access }: StatisticsFilter,
): Promise<SeasonStatistics[]> {
  const within =
    newest === undefined
      ? await wantedSeasons(pool, { season, tournament })
      : await newestSeasons(pool, participantId, newest);
  const [asSide, asPlayer] = await Promise.all([
    readTeamSeasons(pool, participantId, within),
    readPlayerSeasons(pool, participantId, within),
  ]);
  const all = [
    ...asSide.map(({ last_start, sums, known, ...one }) => ({
      ...one,
      figures: teamFigures(sums, known),
      at: last_start,
    })),
    ...asPlayer.map(({ last_start, figures, ...one }) => ({
      ...one,
      figures: { ...figures, ...OF_TEAMS },
      at: last_start,
    })),
  ];
  const seasons = await seasonNames(pool, [...new Set(all.map(({ season_id }) => season_id))]);
  const wanted = all.filter(({ season_id }) => {
    const { tournament_id, sport } = seasons.get(season_id)!;
    return isWithin(access, sport, tournament_id);
  });
  const named = await withTeamNames(pool, wanted);
  return named.map(({ season_id, team_id, team_name, team_name_ru, figures }) => {
    const { sport: _, ...season } = seasons.get(season_id)!;
    return { ...season, team_id, team_name, team_name_ru, ...figures };
  });
}

/** Returns the ids of the last seasons in which a side has a match. */
async function newestSeasons(db: Queryable, sideId: number, count: number): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>({
    name: 'newest seasons of a side',
    text: `SELECT season_id AS id FROM match WHERE home_id = $1 OR away_id = $1
      GROUP BY season_id ORDER BY max(scheduled_start) DESC, season_id LIMIT $2`,
    values: [sideId, count],
  });
  return rows.map(({ id }) => id);
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
