/** A tournament's strongest trends over all sides in one season. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { findSeason, seasonTeams, type TeamRow } from '../../competitions/index.ts';
import { firstRow, type Queryable } from '../../db/postgres.ts';
import type { Lang } from '../../http/index.ts';
import { formatDate, MODEL_DAYS, SECONDS_PER_DAY } from '../samples/match-samples.ts';
import { leagueCounts } from '../trends/league-counts.ts';
import { trendText } from '../trends/trend-texts.ts';
import { findTrends, type Trend, VENUES } from '../trends/trends.ts';
import type { Cards } from './cards.ts';
import { leagueHistory } from './history-queries.ts';
import type { AnalyticsStores } from './match-card.ts';
import { type CardKey, tournamentVariant } from './stored-cards.ts';
import type { TournamentSubject } from './subjects.ts';

/** Maximum number of trends for one side, so that more sides appear. */
const MOST_PER_SIDE = 2;
/** Number of stored trends, which is the most that a widget shows. */
const MOST_TRENDS = 20;

/** The strongest trends, independent of language. */
export interface LeagueTrendFacts {
  /** Null for a tournament without seasons. */
  season: { id: number; label: string } | null;
  /** Ordered by the probability that a trend is chance, lowest first. */
  trends: { name: string; name_ru: string | null; trend: Trend }[];
}

export interface LeagueTrend {
  name: string;
  name_ru: string | null;
  label: string;
  detail: string;
}

/**
 * Compares the season's matches so far with the league's counts in the 913 days before it.
 * @param now ms since 1970
 * @param season season id in the tournament; by default the current season
 */
export async function computeLeagueTrends(
  { pool, clickhouse }: AnalyticsStores,
  { era, tournament_id, sport }: TournamentSubject,
  seasonId: number | undefined,
  now: number,
): Promise<LeagueTrendFacts> {
  const found = await findSeason(pool, tournament_id, seasonId, formatDate(now / 1_000));
  if (found === null || found.season_id === null) return { season: null, trends: [] };
  const season = { id: found.season_id, label: found.season_label! };
  const days = await daysPlayed(pool, season.id);
  if (days === null) return { season, trends: [] };
  const before = Math.min(Math.floor(now / 1_000 / SECONDS_PER_DAY), days.last) + 1;
  const matches = await leagueHistory(clickhouse, {
    era,
    tournament: tournament_id,
    from: Math.min(days.first, before - MODEL_DAYS),
    before,
  });
  const since = (day: number) => matches.filter(({ start }) => start >= day * SECONDS_PER_DAY);
  const history = since(days.first);
  const league = leagueCounts(since(before - MODEL_DAYS));
  const ids = [...new Set(history.flatMap(({ home_id, away_id }) => [home_id, away_id]))];
  const teams = await seasonTeams(pool, season.id, ids, now);
  const candidates: { team: TeamRow; trend: Trend }[] = [];
  for (const sideId of ids) {
    // Each side takes milliseconds to compute. Between two sides, the process can answer requests.
    await yieldToEventLoop();
    const played = history.filter(({ home_id, away_id }) => home_id === sideId || away_id === sideId);
    const team = teams.get(sideId);
    if (team === undefined) continue;
    const strongest = findTrends({ sport, sideId, venues: VENUES, matches: played, league });
    candidates.push(...strongest.slice(0, MOST_PER_SIDE).map((trend) => ({ team, trend })));
  }
  return {
    season,
    trends: candidates
      .sort((a, b) => a.trend.tail - b.trend.tail)
      .slice(0, MOST_TRENDS)
      .map(({ team, trend }) => ({ name: team.name, name_ru: team.name_ru, trend })),
  };
}

/**
 * Reads the stored trends, or computes them.
 * @param subject read together with the `trends` card
 * @param most at most 20
 * @param now ms since 1970
 * @throws {ClickHouseUnavailable}
 */
export async function leagueTrends(
  { cards, ...stores }: AnalyticsStores & { cards: Cards },
  subject: TournamentSubject,
  { lang, now, most, season }: { lang: Lang; now: number; most: number; season?: number | undefined },
): Promise<{ season: LeagueTrendFacts['season']; trends: LeagueTrend[]; version: string }> {
  const key: CardKey = { kind: 'trends', id: subject.tournament_id, variant: tournamentVariant(season) };
  const { facts, version } = await cards.read(key, subject, () => computeLeagueTrends(stores, subject, season, now));
  const trends = facts.trends.slice(0, most).map(({ trend, ...team }) => ({ ...team, ...trendText(trend, lang) }));
  return { season: facts.season, trends, version };
}

/** Returns the first and last day with a finished match, as days since 1970; null without a finished match. */
async function daysPlayed(db: Queryable, seasonId: number): Promise<{ first: number; last: number } | null> {
  const { rows } = await db.query<{ first: number | null; last: number | null }>({
    name: 'analytics days of a season',
    text: `SELECT floor(extract(epoch FROM min(scheduled_start)) / $2)::int AS first, floor(extract(epoch FROM max(scheduled_start)) / $2)::int AS last
     FROM match WHERE season_id = $1 AND status = 'finished'`,
    values: [seasonId, SECONDS_PER_DAY],
  });
  const { first, last } = firstRow(rows);
  return first === null || last === null ? null : { first, last };
}
