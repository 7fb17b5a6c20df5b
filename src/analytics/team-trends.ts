/** Form and trends of a side up to now. */
import type { z } from 'zod';
import { type AnalyticsStores, seasonBefore } from './card.ts';
import { computeForm, LETTERS, type SideMatch, seenBy } from './form.ts';
import { leagueCountsIn, sideHistory } from './queries.ts';
import { formatDate, MODEL_DAYS, newestFirst, SECONDS_PER_DAY } from './sample.ts';
import type { teamTrends } from './schema.ts';
import { namesAtMatches, type ParticipantSubject } from './subjects.ts';
import { computeDiscipline, computeStanding } from './team-block.ts';
import { DISCLAIMERS, type Lang } from './texts.ts';
import { trendText } from './trend-texts.ts';
import { findTrends } from './trends.ts';

type TeamTrends = z.infer<typeof teamTrends>;

/** @param now ms since 1970 */
export async function trendsOfSide(
  { pool, clickhouse }: AnalyticsStores,
  { id, name, name_ru, sport, era, newest }: ParticipantSubject,
  { last, lang, now }: { last: number; lang: Lang; now: number },
): Promise<TeamTrends> {
  const before = Math.floor(now / 1_000 / SECONDS_PER_DAY) + 1;
  const about = { participant_id: id, name, name_ru, sport };
  if (newest === null)
    return {
      ...about,
      ...ofMatches([], id, last),
      standing: null,
      recent: [],
      trends: [],
      disclaimer: DISCLAIMERS[lang],
    };
  const { tournament_id, season_id } = newest;
  const [matches, league, season] = await Promise.all([
    sideHistory(clickhouse, { era, side: id, before, sample: { kind: 'season', tournament_id, season_id } }),
    leagueCountsIn(clickhouse, { era, tournament: tournament_id, from: before - MODEL_DAYS, before }),
    seasonBefore(pool, { tournament: { id: tournament_id }, season_id }, before * SECONDS_PER_DAY),
  ]);
  const seen = newestFirst(matches).flatMap((match) => seenBy(id, match));
  const recent = seen.slice(0, last);
  const opponents = await namesAtMatches(
    pool,
    recent.map(({ match }) => ({ event_id: match.id, side_id: opponentOf(match, id), start: match.start })),
  );
  return {
    ...about,
    ...ofMatches(matches, id, last, season.points),
    standing: computeStanding(season.tables, id, null),
    recent: recent.flatMap(({ match, scored, conceded, outcome }) => {
      const opponent = opponents.get(match.id);
      // The loader is behind: the side no longer exists.
      if (opponent === undefined) return [];
      return [
        {
          event_id: match.id,
          date: formatDate(match.start),
          tournament_id,
          opponent_id: opponentOf(match, id),
          opponent: opponent.name,
          opponent_ru: opponent.name_ru,
          side: match.home_id === id ? ('home' as const) : ('away' as const),
          score_for: scored,
          score_against: conceded,
          result: LETTERS[outcome],
        },
      ];
    }),
    trends: findTrends({
      sport,
      sideId: id,
      venues: ['overall', 'home', 'away'],
      matches,
      league,
    }).map((trend) => ({ ...trendText(trend, lang), side: trend.sample.venue })),
    disclaimer: DISCLAIMERS[lang],
  };
}

const opponentOf = ({ home_id, away_id }: SideMatch['match'], sideId: number) =>
  home_id === sideId ? away_id : home_id;

function ofMatches(
  matches: Parameters<typeof computeDiscipline>[0],
  sideId: number,
  last: number,
  points?: (match: SideMatch) => number,
): Pick<TeamTrends, 'form' | 'discipline'> {
  const { streaks: _streaks, ...form } = computeForm(matches, sideId, points);
  const newest = newestFirst(matches).slice(0, last);
  return {
    form: { ...form, last_n: computeForm(newest, sideId, points).overall },
    discipline: computeDiscipline(matches, sideId, null),
  };
}
