/** Form and trends for a side up to now. */
import type { z } from 'zod';
import type { Queryable } from '../../db/postgres.ts';
import type { Lang } from '../../http/index.ts';
import { computeForm, LETTERS, type SideMatch, seenBy } from '../form/rates-and-streaks.ts';
import { formatDate, MODEL_DAYS, newestFirst, SECONDS_PER_DAY } from '../samples/match-samples.ts';
import type { teamTrends } from '../schema.ts';
import { DISCLAIMERS } from '../trends/disclaimers.ts';
import { type LeagueCounts, leagueCounts, meanCounts } from '../trends/league-counts.ts';
import { trendText } from '../trends/trend-texts.ts';
import { findTrends, type Trend, VENUES } from '../trends/trends.ts';
import { type FormSample, type HistoryMatch, leagueHistory, readSamples } from './history-queries.ts';
import { type AnalyticsStores, type Batch, seasonBefore } from './match-card.ts';
import type { CardKey } from './stored-cards.ts';
import { namesAtMatches, type ParticipantSubject, type SideScope } from './subjects.ts';
import { computeDiscipline, computeStanding } from './team-block.ts';

/** How many recent matches a request may ask for. */
export const RECENT = { standard: 10, most: 50 };

type TeamTrends = z.infer<typeof teamTrends>;

export const sideKey = (id: number, last: number, scope: SideScope): CardKey => ({
  kind: 'side',
  id,
  variant: scope === 'season' ? String(last) : `${last} ${scope}`,
});

/** A side's form and trends, in no particular language. */
export interface SideFacts
  extends Omit<
    TeamTrends,
    'participant_id' | 'name' | 'name_ru' | 'sport' | 'scope' | 'trends' | 'disclaimer' | 'computed_at'
  > {
  /** First day on which matches in all competitions count, YYYY-MM-DD; null for a season. */
  from: string | null;
  /** Strongest first. */
  trends: Trend[];
}

interface SideOptions {
  /** Number of matches in `last_n` and `recent`. */
  last: number;
  /** ms since 1970 */
  now: number;
}

/**
 * Computes season form and trends for several sides with one ClickHouse read, and yields each side when it is ready.
 * @param subjects sides whose newest match is in the same season
 * @throws {ClickHouseUnavailable}
 */
export async function* computeSides(
  stores: AnalyticsStores,
  subjects: Batch<ParticipantSubject>,
  options: SideOptions,
): AsyncGenerator<{ subject: ParticipantSubject; facts: SideFacts }> {
  const [{ newest }] = subjects;
  if (newest === null) {
    for (const subject of subjects) yield { subject, facts: withoutMatches(subject, options) };
    return;
  }
  const { tournament_id, season_id } = newest;
  const { samples, season } = await readSides(stores, subjects, options, {
    kind: 'season',
    tournament_id,
    season_id,
  });
  const league = leagueCounts(samples.league);
  for (const subject of subjects) {
    const matches = samples.sides.get(subject.id)!;
    yield {
      subject,
      facts: { ...(await sideFacts(stores.pool, subject, { matches, league, season, ...options })), from: null },
    };
  }
}

/** Reads the sides' matches up to today, the league in the last 913 days, and the table. */
async function readSides(
  { pool, clickhouse }: AnalyticsStores,
  subjects: Batch<ParticipantSubject>,
  { now }: SideOptions,
  sample: FormSample,
) {
  const [{ era, newest }] = subjects;
  const { tournament_id, season_id } = newest!;
  const before = Math.floor(now / 1_000 / SECONDS_PER_DAY) + 1;
  const [samples, season] = await Promise.all([
    readSamples(clickhouse, {
      era,
      tournament: tournament_id,
      sides: subjects.map(({ id }) => id),
      sample,
      pairs: [],
      league: { from: before - MODEL_DAYS, before },
      before,
    }),
    seasonBefore(pool, { tournament: { id: tournament_id }, season_id }, before * SECONDS_PER_DAY),
  ]);
  return { samples, season };
}

interface Sample extends SideOptions {
  matches: readonly HistoryMatch[];
  league: LeagueCounts;
  season: Awaited<ReturnType<typeof seasonBefore>>;
}

async function sideFacts(
  pool: Queryable,
  { id, sport }: ParticipantSubject,
  { matches, league, season, last }: Sample,
): Promise<Omit<SideFacts, 'from'>> {
  return {
    ...ofMatches(matches, id, last, season.points),
    standing: computeStanding(season.tables, id, null),
    recent: await recentMatches(pool, matches, id, last),
    trends: findTrends({ sport, sideId: id, venues: VENUES, matches, league }),
  };
}

/** Computes a side's form and trends over all competitions in the last 913 days. */
async function computeOverall(
  stores: AnalyticsStores,
  subject: ParticipantSubject,
  options: SideOptions,
): Promise<SideFacts> {
  const before = Math.floor(options.now / 1_000 / SECONDS_PER_DAY) + 1;
  const from = before - MODEL_DAYS;
  const { samples, season } = await readSides(stores, [subject], options, { kind: 'recent', from });
  const matches = samples.sides.get(subject.id)!;
  const counts: { counts: LeagueCounts; weight: number }[] = [];
  for (const tournament of new Set(matches.map(({ tournament_id }) => tournament_id))) {
    const history =
      tournament === subject.newest!.tournament_id
        ? samples.league
        : await leagueHistory(stores.clickhouse, { era: subject.era, tournament, from, before });
    const weight = matches.filter(({ tournament_id }) => tournament_id === tournament).length / matches.length;
    counts.push({ counts: leagueCounts(history), weight });
  }
  const league = meanCounts(counts);
  return {
    ...(await sideFacts(stores.pool, subject, { matches, league, season, ...options })),
    from: formatDate(from * SECONDS_PER_DAY),
  };
}

/** Computes one side's form and trends. @throws {ClickHouseUnavailable} */
export async function computeSide(
  stores: AnalyticsStores,
  subject: ParticipantSubject,
  { scope, ...options }: SideOptions & { scope: SideScope },
): Promise<SideFacts> {
  if (scope === 'all' && subject.newest !== null) return computeOverall(stores, subject, options);
  for await (const { facts } of computeSides(stores, [subject], options)) return facts;
  throw new Error('no side');
}

const withoutMatches = ({ id }: ParticipantSubject, { last }: SideOptions): SideFacts => ({
  ...ofMatches([], id, last),
  from: null,
  standing: null,
  recent: [],
  trends: [],
});

async function recentMatches(
  pool: Queryable,
  matches: readonly HistoryMatch[],
  id: number,
  last: number,
): Promise<SideFacts['recent']> {
  const recent = newestFirst(matches)
    .flatMap((match) => seenBy(id, match))
    .slice(0, last);
  const tournaments = new Map(matches.map((match) => [match.id, match.tournament_id]));
  const opponents = await namesAtMatches(
    pool,
    recent.map(({ match }) => ({ event_id: match.id, side_id: opponentOf(match, id), start: match.start })),
  );
  return recent.flatMap(({ match, scored, conceded, outcome }) => {
    const opponent = opponents.get(match.id);
    // The opponent has been deleted, and the loader has not copied this change yet.
    if (opponent === undefined) return [];
    return [
      {
        event_id: match.id,
        date: formatDate(match.start),
        tournament_id: tournaments.get(match.id)!,
        opponent_id: opponentOf(match, id),
        opponent: opponent.name,
        opponent_ru: opponent.name_ru,
        side: match.home_id === id ? ('home' as const) : ('away' as const),
        score_for: scored,
        score_against: conceded,
        result: LETTERS[outcome],
        ...(match.shootout && { shootout: true as const }),
      },
    ];
  });
}

export const renderSide = (
  { id, name, name_ru, sport, newest }: ParticipantSubject,
  { trends, from, ...facts }: SideFacts,
  { lang, computed_at }: { lang: Lang; computed_at: string },
): TeamTrends => ({
  participant_id: id,
  name,
  name_ru,
  sport,
  scope: {
    kind: from === null ? 'season' : 'all',
    tournament:
      from !== null || newest === null
        ? null
        : { id: newest.tournament_id, name: newest.tournament, name_ru: newest.tournament_ru },
    season_label: from === null && newest !== null ? newest.season_label : null,
    from,
  },
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
