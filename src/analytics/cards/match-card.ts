/** Pre-match analytics. */
import { findSeason, pointsFor, tablesBefore, toTableRules } from '../../competitions/index.ts';
import type { ClickHouse } from '../../db/clickhouse.ts';
import type { Queryable } from '../../db/postgres.ts';
import type { Lang } from '../../http/index.ts';
import { WINDOW_DAYS } from '../calibrated/columns.ts';
import { sportParameters } from '../calibrated/parameters.ts';
import { headToHead } from '../form/head-to-head.ts';
import { LETTERS, type SideMatch } from '../form/rates-and-streaks.ts';
import { type Bounds, toBounds, withoutExplain } from '../samples/explain.ts';
import { type FormSampleName, MODEL_DAYS, modelSample, SECONDS_PER_DAY } from '../samples/match-samples.ts';
import type { AnalyticsCard } from '../schema.ts';
import { DISCLAIMERS } from '../trends/disclaimers.ts';
import { leagueCounts } from '../trends/league-counts.ts';
import { trendEntry } from '../trends/trend-texts.ts';
import { findTrends, type Trend } from '../trends/trends.ts';
import { type FormSample, type HistoryMatch, inSample, readSamples, type Samples } from './history-queries.ts';
import { type ModelFacts, modelFacts, renderModel } from './model-block.ts';
import { ratingBlock } from './rating-block.ts';
import type { MatchSubject, SideSubject } from './subjects.ts';
import { computeDiscipline, computeStanding, explainedForm, explaining } from './team-block.ts';
import { currentPrices, valueBets } from './value-bets.ts';

/** Databases from which the analytics are computed. */
export interface AnalyticsStores {
  pool: Queryable;
  clickhouse: ClickHouse;
}

/** One or more subjects. */
export type Batch<S> = readonly [S, ...S[]];

type Team = AnalyticsCard['home'];

/** All figures from a match's sample, in no particular language, with the matches from which each block was computed. */
export interface CardFacts {
  home: Pick<Team, 'form' | 'discipline' | 'standing'>;
  away: Pick<Team, 'form' | 'discipline' | 'standing'>;
  h2h: AnalyticsCard['h2h'];
  /** Null if there is no model. */
  model: ModelFacts | null;
  /** The home side's trends come first. Each side's trends are ordered by strength. */
  trends: (Trend & { side: 'home' | 'away' })[];
}

/** Returns a match's UTC day, as days since 1970. */
const dayOf = ({ start }: { start: number }) => Math.floor(start / SECONDS_PER_DAY);

const formSample = (name: FormSampleName, { tournament, season_id }: MatchSubject, day: number): FormSample => {
  if (name === 'season') return { kind: 'season', tournament_id: tournament.id, season_id };
  return name === 'window' ? { kind: 'window', tournament_id: tournament.id, from: day - MODEL_DAYS } : { kind: 'all' };
};

/**
 * Computes analytics for several matches with one ClickHouse read, and yields each match when it is ready.
 * @param subjects matches in one season
 * @throws {ClickHouseUnavailable}
 */
export async function* computeCards(
  { pool, clickhouse }: AnalyticsStores,
  subjects: Batch<MatchSubject>,
  name: FormSampleName,
): AsyncGenerator<{ subject: MatchSubject; facts: CardFacts }> {
  const [subject] = subjects;
  const { era, sport, tournament } = subject;
  const days = subjects.map(dayOf);
  const [first, last] = [Math.min(...days), Math.max(...days)];
  const leagueDays = sportParameters(sport) === undefined ? MODEL_DAYS : WINDOW_DAYS;
  const samples = await readSamples(clickhouse, {
    era,
    tournament: tournament.id,
    sides: [...new Set(subjects.flatMap(({ home, away }) => [home.id, away.id]))],
    sample: formSample(name, subject, first),
    pairs: subjects.map(({ home, away }) => [home.id, away.id] as const),
    league: { from: first - leagueDays, before: last },
    before: last,
  });
  const seasons = new Map<number, ReturnType<typeof seasonBefore>>();
  for (const one of subjects) {
    const day = dayOf(one);
    const season = seasons.get(day) ?? seasonBefore(pool, one, day * SECONDS_PER_DAY);
    seasons.set(day, season);
    yield { subject: one, facts: cardFacts(one, name, samples, await season) };
  }
}

/** Computes one match's analytics. @throws {ClickHouseUnavailable} */
export async function computeCard(
  stores: AnalyticsStores,
  subject: MatchSubject,
  name: FormSampleName,
): Promise<CardFacts> {
  for await (const { facts } of computeCards(stores, [subject], name)) return facts;
  throw new Error('no match');
}

type SeasonThen = Awaited<ReturnType<typeof seasonBefore>>;

function cardFacts(subject: MatchSubject, name: FormSampleName, samples: Samples, season: SeasonThen): CardFacts {
  const { sport, start, tournament, home, away, neutral } = subject;
  const before = dayOf(subject);
  const sample = formSample(name, subject, before);
  const earlier = (side: SideSubject) => samples.sides.get(side.id)!.filter((match) => dayOf(match) < before);
  const matches = {
    home: earlier(home).filter((match) => inSample(sample, match)),
    away: earlier(away).filter((match) => inSample(sample, match)),
  };
  const mutual = earlier(home).filter(({ home_id, away_id }) => home_id === away.id || away_id === away.id);
  const bounds = (names: Bounds, from?: number) => toBounds(names, { before, ...(from !== undefined && { from }) });
  const team = (side: SideSubject, played: readonly HistoryMatch[]): CardFacts['home'] => {
    const ofSide = bounds(
      { participant: side.id, ...(name !== 'all' && { tournament: tournament.id }) },
      name === 'window' ? before - MODEL_DAYS : undefined,
    );
    return {
      form: explainedForm(played, side.id, { points: season.points, explained: ofSide }),
      discipline: computeDiscipline(played, side.id, ofSide),
      standing: computeStanding(season.tables, side.id, bounds({ tournament: tournament.id })),
    };
  };
  const ofLeague = (days: number) => bounds({ tournament: tournament.id }, before - days);
  const parameters = sportParameters(sport);
  const league = leagueCounts(modelSample(start, samples.league));
  return {
    home: team(home, matches.home),
    away: team(away, matches.away),
    h2h: { ...headToHead(mutual, home.id, away.id), ...explaining(mutual, bounds({ participant: home.id })) },
    model: parameters
      ? modelFacts(subject, samples.league, parameters, {
          spec: ofLeague(MODEL_DAYS),
          calibrated: ofLeague(WINDOW_DAYS),
        })
      : null,
    trends: (['home', 'away'] as const).flatMap((side) =>
      findTrends({
        sport,
        sideId: subject[side].id,
        venues: neutral ? ['overall'] : ['overall', side],
        matches: matches[side],
        league,
      }).map((trend) => ({ ...trend, side })),
    ),
  };
}

export interface CardOptions {
  explain: boolean;
  lang: Lang;
  /** YYYY-MM-DDTHH:MM:SSZ */
  computed_at: string;
}

/** Renders the analytics with the current names and prices. */
export function renderCard(
  { event_id, sport, tournament, home, away, neutral, rating, odds }: MatchSubject,
  facts: CardFacts,
  { explain, lang, computed_at }: CardOptions,
): AnalyticsCard {
  const prices = currentPrices(odds);
  const card: AnalyticsCard = {
    event_id,
    sport,
    tournament,
    home: { name: home.name, name_ru: home.name_ru, ...facts.home },
    away: { name: away.name, name_ru: away.name_ru, ...facts.away },
    h2h: facts.h2h,
    model: facts.model && renderModel(facts.model, prices),
    rating: ratingBlock(sport, neutral, rating),
    value_bets: facts.model === null ? [] : valueBets(facts.model.probabilities, prices),
    trends: facts.trends.map((trend) => ({
      ...trendEntry(trend, trend.side, lang),
      explain: explainTrend(trend),
    })),
    computed_at,
    disclaimer: DISCLAIMERS[lang],
  };
  return explain ? card : withoutExplain(card);
}

const explainTrend = ({ sport: _sport, side: _side, sample, ...figures }: CardFacts['trends'][number]) => ({
  ...figures,
  ...sample,
  truncated: false,
});

/** Returns the season's tables and points before a match. @param start when the match day starts, seconds since 1970 */
export async function seasonBefore(
  pool: Queryable,
  { tournament, season_id }: { tournament: { id: number }; season_id: number },
  start: number,
) {
  const season = await findSeason(pool, tournament.id, season_id, '1970-01-01');
  const { points } = toTableRules(season!);
  return {
    tables: await tablesBefore(pool, season!, start),
    points: ({ outcome, match }: SideMatch) => pointsFor(LETTERS[outcome], match.overtime ?? false, points),
  };
}
