/**
 * Reads what a tournament's page shows. Postgres gets a statement for the tournament, one for the season, one for what depends on
 * the season, and one for the stored analytics.
 */
import type { z } from 'zod';
import {
  computeProfile,
  findTournamentSubject,
  findTournamentSubjects,
  type LeagueTrend,
  leagueTrends,
  renderProfile,
  type TournamentSubject,
  tournamentVariant,
} from '../../analytics/cards/index.ts';
import { historyLoading, type MissingReason, whyMissing } from '../../analytics/history-loading.ts';
import { newestOutlookRead, outlookHistoryRead } from '../../analytics/outlook/index.ts';
import type { leagueProfile } from '../../analytics/schema.ts';
import { type Season, seasonsRead, tournamentRead } from '../../catalogue/index.ts';
import {
  buildSeasonTables,
  findRounds,
  type Grouping,
  type Round,
  readSeason as readSeasonRecord,
  roundMatchesRead,
  roundsRead,
  type SeasonTables,
  seasonSidesRead,
  sideConferences,
  tableSeasonRead,
  tablesAfterDay,
  toBracket,
} from '../../competitions/index.ts';
import type { StandingType } from '../../competitions/schema.ts';
import { readAll, readIf } from '../../db/reads.ts';
import type { Lang } from '../../http/index.ts';
import { type SeasonPart, seasonMonthsRead, seasonPartRead } from '../../matches/index.ts';
import { within } from '../../runtime/time-limit.ts';
import {
  firstStat,
  leadersRead,
  type Stat,
  seasonTotalsRead,
  tournamentVersionRead,
  withFreshFigures,
} from '../../statistics/index.ts';
import { utcDay } from '../../wire/time.ts';
import type { WebDeps } from '../deps.ts';

/** Tabs in the order of the page. The first one is shown if the address names none. */
export const TOURNAMENT_TABS = ['overview', 'table', 'matches', 'bracket', 'leaders', 'outlook', 'statistics'] as const;
export type TournamentTab = (typeof TOURNAMENT_TABS)[number];

export interface TournamentQuery {
  tab: TournamentTab;
  season?: number | undefined;
  table: StandingType;
  grouping?: Grouping | undefined;
  /** Default: the sport's first figure. */
  stat?: Stat | undefined;
  /** Name or number of the chosen round. */
  round?: string | undefined;
  /** The chosen month, YYYY-MM, for a season without rounds. */
  month?: string | undefined;
  /** Shows the table after this day, YYYY-MM-DD, instead of the newest one. */
  date?: string | undefined;
}

/** Number of leaders on each tab that shows them. */
const LEADERS: Partial<Record<TournamentTab, number>> = { overview: 5, leaders: 30 };
const TRENDS = 8;
/** How long a page waits for the profile. */
const PATIENCE_MS = 1_000;
/** Maximum number of matches to list for a round or a month. */
const LISTED = 200;

export type TournamentPageData = NonNullable<Awaited<ReturnType<typeof readTournamentPage>>>;
export type Profile = z.infer<typeof leagueProfile> | MissingReason | null;

/** The round or the month whose matches are listed. Null for a season without matches. */
export type ChosenPart = { kind: 'round'; index: number } | { kind: 'month'; month: string } | null;

interface ReadOptions {
  lang: Lang;
  /** The reader's time zone, in which the season is divided into months: an IANA name. */
  zone: string;
}

/** @returns null for an unknown tournament or season */
export async function readTournamentPage(
  deps: WebDeps,
  id: number,
  query: TournamentQuery,
  { lang, zone }: ReadOptions,
) {
  const { reads, clock } = deps;
  const now = clock.now();
  const today = utcDay(now);
  const [{ version, tournament, seasons }, subjects] = await Promise.all([
    readAll(reads, {
      version: tournamentVersionRead(id, query.season, today),
      tournament: tournamentRead(id),
      seasons: seasonsRead(id, today),
    }),
    query.tab === 'statistics' ? findTournamentSubjects(reads, id, today).catch(() => null) : null,
  ]);
  if (tournament === null) return null;
  const current = seasons.find(({ is_current }) => is_current)?.id ?? null;
  const seasonId = query.season ?? openingSeason(seasons, today)?.id ?? null;
  if (query.season !== undefined && !seasons.some((season) => season.id === query.season)) return null;
  const [season, profile, trends] = await Promise.all([
    readSeason(deps, id, seasonId, { ...query, stat: query.stat ?? firstStat(tournament.sport) }, zone),
    query.tab === 'statistics'
      ? readProfile(deps, id, seasonId === current ? undefined : (seasonId ?? undefined), subjects?.league ?? null)
      : null,
    // Trends exist only for the current season.
    seasonId === current ? readTrends(deps, subjects?.trends ?? null, lang) : [],
  ]);
  return { ...season, version, tournament, seasons, seasonId, profile, trends };
}

/**
 * Returns the season on which the page opens: the one of today. Between two seasons it is the nearer one, so that a cup that is played
 * every four years opens on its last edition at first, and later on the next one.
 * @param today YYYY-MM-DD
 */
export function openingSeason<S extends Pick<Season, 'start_date' | 'end_date' | 'is_current'>>(
  seasons: readonly S[],
  today: string,
): S | undefined {
  const current = seasons.find(({ is_current }) => is_current);
  const next = seasons.filter(({ start_date }) => start_date !== null && start_date > today).at(-1);
  if (current?.end_date == null || current.end_date >= today || next === undefined) return current;
  const sinceEnd = Date.parse(today) - Date.parse(current.end_date);
  return Date.parse(next.start_date!) - Date.parse(today) <= sinceEnd ? next : current;
}

async function readSeason(
  { pool, reads, clock }: WebDeps,
  id: number,
  seasonId: number | null,
  query: TournamentQuery & { stat: Stat },
  zone: string,
) {
  const now = clock.now();
  const { tab } = query;
  const count = LEADERS[tab] ?? 0;
  const { found, rounds, months, matches, players, outlook, outlookDays } = await withFreshFigures(pool, () =>
    readAll(reads, {
      found: tableSeasonRead(id, seasonId ?? undefined, now),
      rounds: roundsRead(seasonId, new Date(now)),
      months: seasonMonthsRead(seasonId, zone),
      matches: roundMatchesRead(seasonId),
      players: readIf(count > 0, seasonTotalsRead(seasonId, query.stat)),
      outlook: newestOutlookRead(seasonId),
      outlookDays: readIf(tab === 'outlook', outlookHistoryRead(seasonId)),
    }),
  );
  const part = choosePart(rounds, months, query, monthIn(zone, now));
  const knockout = found === null ? null : findRounds(found.season, matches, now);
  const { fixtures, sides, leaders } = await readAll(reads, {
    fixtures: seasonPartRead(part === null ? null : seasonId, toSeasonPart(part, rounds, zone), LISTED),
    sides: seasonSidesRead(seasonId, knockout?.sides ?? []),
    leaders: leadersRead(players?.totals ?? [], count),
  });
  return {
    tables: found === null ? null : await readTables(pool, found, query, { now, zone }),
    conferences: found === null ? new Map<number, string>() : sideConferences(found),
    bracket: found === null || knockout === null ? null : toBracket(found.season, knockout, sides),
    rounds,
    months,
    part,
    fixtures,
    leaders,
    outlook,
    outlookDays: outlookDays ?? [],
  };
}

/** Returns the tables in the chosen grouping, or the usual tables if the season does not have that grouping. */
async function readTables(
  pool: WebDeps['pool'],
  season: Parameters<typeof buildSeasonTables>[1],
  { table: type, grouping, date }: TournamentQuery,
  { now, zone }: { now: number; zone: string },
): Promise<SeasonTables> {
  const record = date === undefined ? null : await readSeasonRecord(pool, season.season, now);
  const build = (chosen?: Grouping) =>
    date === undefined || record === null
      ? buildSeasonTables(pool, season, { type, now, grouping: chosen })
      : tablesAfterDay(pool, record, { date, tz: zone }, { type, grouping: chosen });
  if (grouping !== undefined) {
    const chosen = await build(grouping);
    if (chosen.groupings.includes(grouping)) return chosen;
  }
  return build();
}

export const keyOf = ({ round_name, round_num }: Round) => round_name ?? String(round_num);

function choosePart(
  rounds: readonly Round[],
  months: readonly string[],
  query: TournamentQuery,
  currentMonth: string,
): ChosenPart {
  if (rounds.length > 0 && query.month === undefined) {
    const named = rounds.findIndex((round) => keyOf(round) === query.round);
    const index = named === -1 ? rounds.findIndex(({ is_current }) => is_current) : named;
    return { kind: 'round', index: index === -1 ? rounds.length - 1 : index };
  }
  const month = query.month ?? nearestMonth(months, currentMonth);
  return month === null ? null : { kind: 'month', month };
}

/**
 * Returns the current month if it has matches. Otherwise returns the next month that has matches, or the last one if no later month has
 * any.
 */
const nearestMonth = (months: readonly string[], currentMonth: string): string | null =>
  months.find((month) => month >= currentMonth) ?? months.at(-1) ?? null;

/** Returns the month of a time in a time zone, YYYY-MM. @param now ms since 1970 */
const monthIn = (zone: string, now: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(now).slice(0, 'YYYY-MM'.length);

function toSeasonPart(part: ChosenPart, rounds: readonly Round[], zone: string): SeasonPart {
  const round = part?.kind === 'round' ? rounds[part.index] : undefined;
  if (round !== undefined) return { round: keyOf(round) };
  return { month: part?.kind === 'month' ? part.month : '', zone };
}

/**
 * Reads the stored profile, or computes it.
 * @param season a season that is not the current one; the last 913 days if absent
 * @param current subject of the profile of the last 913 days
 * @returns null if the subject is unknown; otherwise the profile, or why it is missing
 */
async function readProfile(
  deps: WebDeps,
  id: number,
  season: number | undefined,
  current: TournamentSubject | null,
): Promise<Profile> {
  const now = deps.clock.now();
  try {
    const subject =
      season === undefined
        ? current
        : await findTournamentSubject(deps.reads, id, { day: utcDay(now), kind: 'league', season });
    if (subject === null) return null;
    if (!subject.is_loaded) throw historyLoading();
    const key = { kind: 'league', id, variant: tournamentVariant(season) } as const;
    const profile = deps.cards.read(key, subject, () => computeProfile(deps, subject, season, now));
    return await within(
      PATIENCE_MS,
      profile.then((card) => renderProfile(subject, card, season, now)),
      'late',
    );
  } catch (error) {
    return whyMissing(error);
  }
}

/** Returns trends from the current season. The list is empty while the match history is being loaded. */
async function readTrends(deps: WebDeps, subject: TournamentSubject | null, lang: Lang): Promise<LeagueTrend[]> {
  if (!subject?.is_loaded) return [];
  const found = await leagueTrends(deps, subject, { lang, now: deps.clock.now(), most: TRENDS }).catch(() => null);
  return found?.trends ?? [];
}
