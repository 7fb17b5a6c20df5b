/** Form and trends of a side up to now. */
import type { z } from 'zod';
import type { Queryable } from '../db/postgres.ts';
import type { Lang } from '../http/route.ts';
import { type AnalyticsStores, seasonBefore } from './card.ts';
import { computeForm, LETTERS, type SideMatch, seenBy } from './form.ts';
import { leagueCounts } from './league-counts.ts';
import { type HistoryMatch, readSamples } from './queries.ts';
import { formatDate, MODEL_DAYS, newestFirst, SECONDS_PER_DAY } from './sample.ts';
import type { teamTrends } from './schema.ts';
import { namesAtMatches, type ParticipantSubject } from './subjects.ts';
import { computeDiscipline, computeStanding } from './team-block.ts';
import { DISCLAIMERS } from './texts.ts';
import { trendText } from './trend-texts.ts';
import { findTrends, type Trend, VENUES } from './trends.ts';

/** Numbers of recent matches that a request may ask for. */
export const RECENT = { standard: 10, most: 50 };

type TeamTrends = z.infer<typeof teamTrends>;

/** Form and trends of a side in no language. */
export interface SideFacts
  extends Omit<TeamTrends, 'participant_id' | 'name' | 'name_ru' | 'sport' | 'trends' | 'disclaimer' | 'computed_at'> {
  /** Strongest first. */
  trends: Trend[];
}

/**
 * Computes form and trends of sides with one read of ClickHouse, yielding each as it is finished.
 * @param subjects one or more sides whose newest match is in the same season
 * @param last matches of `last_n` and `recent`
 * @param now ms since 1970
 * @throws {ClickHouseUnavailable}
 */
export async function* computeSides(
  { pool, clickhouse }: AnalyticsStores,
  subjects: readonly ParticipantSubject[],
  { last, now }: { last: number; now: number },
): AsyncGenerator<{ subject: ParticipantSubject; facts: SideFacts }> {
  const [{ era, newest }] = subjects as [ParticipantSubject];
  if (newest === null) {
    for (const subject of subjects) yield { subject, facts: withoutMatches(subject, last) };
    return;
  }
  const { tournament_id, season_id } = newest;
  const before = Math.floor(now / 1_000 / SECONDS_PER_DAY) + 1;
  const [samples, season] = await Promise.all([
    readSamples(clickhouse, {
      era,
      tournament: tournament_id,
      sides: subjects.map(({ id }) => id),
      sample: { kind: 'season', tournament_id, season_id },
      pairs: [],
      league: { from: before - MODEL_DAYS, before },
      before,
    }),
    seasonBefore(pool, { tournament: { id: tournament_id }, season_id }, before * SECONDS_PER_DAY),
  ]);
  const league = leagueCounts(samples.league);
  for (const subject of subjects) {
    const { id, sport } = subject;
    const matches = samples.sides.get(id)!;
    yield {
      subject,
      facts: {
        ...ofMatches(matches, id, last, season.points),
        standing: computeStanding(season.tables, id, null),
        recent: await recentMatches(pool, matches, id, { tournament_id, last }),
        trends: findTrends({ sport, sideId: id, venues: VENUES, matches, league }),
      },
    };
  }
}

const withoutMatches = ({ id }: ParticipantSubject, last: number): SideFacts => ({
  ...ofMatches([], id, last),
  standing: null,
  recent: [],
  trends: [],
});

async function recentMatches(
  pool: Queryable,
  matches: readonly HistoryMatch[],
  id: number,
  { tournament_id, last }: { tournament_id: number; last: number },
): Promise<SideFacts['recent']> {
  const recent = newestFirst(matches)
    .flatMap((match) => seenBy(id, match))
    .slice(0, last);
  const opponents = await namesAtMatches(
    pool,
    recent.map(({ match }) => ({ event_id: match.id, side_id: opponentOf(match, id), start: match.start })),
  );
  return recent.flatMap(({ match, scored, conceded, outcome }) => {
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
  });
}

/** Computes form and trends of one side. @throws {ClickHouseUnavailable} */
export async function computeSide(
  stores: AnalyticsStores,
  subject: ParticipantSubject,
  options: { last: number; now: number },
): Promise<SideFacts> {
  for await (const { facts } of computeSides(stores, [subject], options)) return facts;
  throw new Error('no side');
}

export const renderSide = (
  { id, name, name_ru, sport }: ParticipantSubject,
  { trends, ...facts }: SideFacts,
  { lang, computed_at }: { lang: Lang; computed_at: string },
): TeamTrends => ({
  participant_id: id,
  name,
  name_ru,
  sport,
  ...facts,
  trends: trends.map((trend) => ({ ...trendText(trend, lang), side: trend.sample.venue })),
  computed_at,
  disclaimer: DISCLAIMERS[lang],
});

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
