/** Strongest trends of a tournament, over all sides of one season. */
import { findSeason, seasonTeams } from '../competitions/queries.ts';
import type { Queryable } from '../db/postgres.ts';
import type { Lang } from '../http/route.ts';
import type { AnalyticsStores } from './card.ts';
import { leagueCountsIn, leagueHistory } from './queries.ts';
import { MODEL_DAYS, SECONDS_PER_DAY } from './sample.ts';
import type { TournamentSubject } from './subjects.ts';
import { trendText } from './trend-texts.ts';
import { findTrends } from './trends.ts';

/** Maximum per side, so that other sides appear as well. */
const MOST_PER_SIDE = 2;

export interface LeagueTrend {
  name: string;
  name_ru: string | null;
  label: string;
  detail: string;
}

export interface LeagueTrends {
  /** Null for a tournament without seasons. */
  season: { id: number; label: string } | null;
  /** Least likely by chance first. */
  trends: LeagueTrend[];
}

/**
 * Compares the season's matches so far with the league's counts in the 913 days before.
 * @param now ms since 1970
 * @param season id of one of its seasons; by default the current one
 */
export async function leagueTrends(
  { pool, clickhouse }: AnalyticsStores,
  { era, tournament_id, sport }: TournamentSubject,
  { lang, now, most, season: seasonId }: { lang: Lang; now: number; most: number; season?: number | undefined },
): Promise<LeagueTrends> {
  const found = await findSeason(pool, tournament_id, seasonId, new Date(now).toISOString().slice(0, 10));
  if (found === null || found.season_id === null) return { season: null, trends: [] };
  const season = { id: found.season_id, label: found.season_label! };
  const days = await daysPlayed(pool, season.id);
  if (days === null) return { season, trends: [] };
  const before = Math.min(Math.floor(now / 1_000 / SECONDS_PER_DAY), days.last) + 1;
  const window = { era, tournament: tournament_id, before };
  const [history, league] = await Promise.all([
    leagueHistory(clickhouse, { ...window, from: days.first }),
    leagueCountsIn(clickhouse, { ...window, from: before - MODEL_DAYS }),
  ]);
  const ids = [...new Set(history.flatMap(({ home_id, away_id }) => [home_id, away_id]))];
  const teams = await seasonTeams(pool, season.id, ids, now);
  const candidates = ids.flatMap((sideId) => {
    const matches = history.filter(({ home_id, away_id }) => home_id === sideId || away_id === sideId);
    const strongest = findTrends({ sport, sideId, venues: ['overall', 'home', 'away'], matches, league });
    const team = teams.get(sideId);
    return team === undefined ? [] : strongest.slice(0, MOST_PER_SIDE).map((trend) => ({ team, trend }));
  });
  return {
    season,
    trends: candidates
      .sort((a, b) => a.trend.tail - b.trend.tail)
      .slice(0, most)
      .map(({ team, trend }) => ({ name: team.name, name_ru: team.name_ru, ...trendText(trend, lang) })),
  };
}

/** Days of its finished matches, since 1970; null if there are none. */
async function daysPlayed(db: Queryable, seasonId: number): Promise<{ first: number; last: number } | null> {
  const { rows } = await db.query<{ first: number | null; last: number | null }>({
    name: 'analytics days of a season',
    text: `SELECT floor(extract(epoch FROM min(scheduled_start)) / $2)::int AS first, floor(extract(epoch FROM max(scheduled_start)) / $2)::int AS last
     FROM match WHERE season_id = $1 AND status = 'finished'`,
    values: [seasonId, SECONDS_PER_DAY],
  });
  const { first, last } = rows[0]!;
  return first === null || last === null ? null : { first, last };
}
