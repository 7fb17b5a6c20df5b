/** Pre-match analytics of a match. */
import { findSeason } from '../competitions/queries.ts';
import { tablesBefore, toTableRules } from '../competitions/standings.ts';
import { pointsFor } from '../competitions/table.ts';
import type { ClickHouse } from '../db/clickhouse.ts';
import type { Queryable } from '../db/postgres.ts';
import type { Lang } from '../http/route.ts';
import { WINDOW_DAYS } from './calibrated/columns.ts';
import { sportParameters } from './calibrated/parameters.ts';
import { type Bounds, toBounds } from './explain.ts';
import { LETTERS, type SideMatch } from './form.ts';
import { headToHead } from './head-to-head.ts';
import { type LeagueCounts, leagueCounts } from './league-counts.ts';
import { modelBlock } from './model-block.ts';
import { type FormSample, type LeagueMatch, leagueCountsIn, leagueHistory, pairHistory } from './queries.ts';
import { MODEL_DAYS, modelSample, SECONDS_PER_DAY } from './sample.ts';
import type { AnalyticsCard } from './schema.ts';
import type { MatchSubject, SideSubject } from './subjects.ts';
import { computeDiscipline, computeStanding, explainedForm, explaining } from './team-block.ts';
import { DISCLAIMERS } from './texts.ts';
import { trendEntry } from './trend-texts.ts';
import { findTrends, type Trend } from './trends.ts';
import { currentPrices, valueBets } from './value-bets.ts';

export interface CardOptions {
  sample: 'season' | 'window' | 'all';
  explain: boolean;
  lang: Lang;
}

/** Stores that the analytics read. */
export interface AnalyticsStores {
  pool: Queryable;
  clickhouse: ClickHouse;
}

/** Returns the filter of a side's form matches. @param day day of the match, since 1970 */
const formSample = (kind: CardOptions['sample'], { tournament, season_id }: MatchSubject, day: number): FormSample => {
  if (kind === 'season') return { kind, tournament_id: tournament.id, season_id };
  return kind === 'window' ? { kind, tournament_id: tournament.id, from: day - MODEL_DAYS } : { kind };
};

/** @throws {ClickHouseUnavailable} */
export async function computeCard(
  { pool, clickhouse }: AnalyticsStores,
  subject: MatchSubject,
  { sample, explain, lang }: CardOptions,
): Promise<AnalyticsCard> {
  const { era, event_id, sport, start, tournament, home, away } = subject;
  const before = Math.floor(start / SECONDS_PER_DAY);
  const parameters = sportParameters(sport);
  const [pair, league, season] = await Promise.all([
    pairHistory(clickhouse, {
      era,
      home: home.id,
      away: away.id,
      before,
      sample: formSample(sample, subject, before),
    }),
    readLeague(clickhouse, subject, before, parameters !== undefined),
    seasonBefore(pool, subject, before * SECONDS_PER_DAY),
  ]);
  const explained = (names: Bounds, from?: number) =>
    explain ? toBounds(names, { before, ...(from !== undefined && { from }) }) : null;
  const team = (side: SideSubject, matches: typeof pair.home): AnalyticsCard['home'] => {
    const ofSide = explained(
      { participant: side.id, ...(sample !== 'all' && { tournament: tournament.id }) },
      sample === 'window' ? before - MODEL_DAYS : undefined,
    );
    return {
      name: side.name,
      name_ru: side.name_ru,
      form: explainedForm(matches, side.id, { points: season.points, explained: ofSide }),
      discipline: computeDiscipline(matches, side.id, ofSide),
      standing: computeStanding(season.tables, side.id, explained({ tournament: tournament.id })),
    };
  };
  const bounds = (days: number) => toBounds({ tournament: tournament.id }, { from: before - days, before });
  const prices = currentPrices(subject.odds);
  const model = parameters
    ? modelBlock(
        subject,
        league.matches,
        parameters,
        explain ? { spec: bounds(MODEL_DAYS), calibrated: bounds(WINDOW_DAYS) } : null,
        prices,
      )
    : null;
  const trends = (['home', 'away'] as const).flatMap((side) =>
    findTrends({
      sport,
      sideId: subject[side].id,
      venues: subject.neutral ? ['overall'] : ['overall', side],
      matches: pair[side],
      league: league.counts,
    }).map((trend) => ({ ...trendEntry(trend, side, lang), ...(explain && { explain: explainTrend(trend) }) })),
  );
  return {
    event_id,
    sport,
    tournament,
    home: team(home, pair.home),
    away: team(away, pair.away),
    h2h: {
      ...headToHead(pair.mutual, home.id, away.id),
      ...explaining(pair.mutual, explained({ participant: home.id })),
    },
    model: model?.block ?? null,
    value_bets: model === null ? [] : valueBets(model.probabilities, prices),
    trends,
    disclaimer: DISCLAIMERS[lang],
  };
}

/** @returns the matches that the models take, where there are models, and what is counted in the last 913 days */
async function readLeague(
  clickhouse: ClickHouse,
  { era, start, tournament }: MatchSubject,
  before: number,
  isModelled: boolean,
): Promise<{ matches: LeagueMatch[]; counts: LeagueCounts }> {
  const window = (days: number) => ({ era, tournament: tournament.id, from: before - days, before });
  if (!isModelled) return { matches: [], counts: await leagueCountsIn(clickhouse, window(MODEL_DAYS)) };
  const matches = await leagueHistory(clickhouse, window(WINDOW_DAYS));
  return { matches, counts: leagueCounts(modelSample(start, matches)) };
}

const explainTrend = ({ sport: _sport, sample, ...figures }: Trend) => ({ ...figures, ...sample, truncated: false });

/**
 * Returns the tables and points of a match's season before the match. @param start start of the match's day, seconds
 * since 1970
 */
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
