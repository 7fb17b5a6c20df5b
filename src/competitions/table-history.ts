/** A season's tables after a day or a round, and each side's places and points from round to round. */
import { setImmediate as turn } from 'node:timers/promises';
import type { z } from 'zod';
import { firstRow, type Queryable } from '../db/postgres.ts';
import { grouped } from '../wire/grouped.ts';
import { DAY_SECONDS, SECOND_MS, utcDay } from '../wire/time.ts';
import { bonusFigures } from './bonus-points.ts';
import { sidesOf } from './meetings.ts';
import {
  type PointsDecision,
  type SeasonRow,
  seasonDecisions,
  type TableMatchRow,
  type TableSeason,
} from './queries.ts';
import type { Grouping } from './rules.ts';
import type { StandingType, standingsHistory } from './schema.ts';
import { leagueMatches } from './season-tables.ts';
import {
  readTableSource,
  type SeasonTables,
  type SortedSeason,
  type StandingsRow,
  sortSeason,
  type TableOptions,
  type TableSource,
  tablesFrom,
  tablesThen,
  toTableRules,
} from './standings.ts';

/** Everything from which a season's tables at any time are made. */
export interface SeasonRecord extends TableSource {
  decisions: readonly PointsDecision[];
  /** Seconds since 1970. */
  now: number;
}

/** A state of the season. */
interface Moment {
  /** Seconds since 1970. Decisions from earlier days count. */
  time: number;
  /** Whether a match with a result counts. */
  counts(match: TableMatchRow): boolean;
}

/** The matches of a round, a week or a day. */
interface Step {
  round_num: number | null;
  round_name: string | null;
  matches: readonly TableMatchRow[];
  moment: Moment;
}

/** Least share of a season's matches that belong to rounds. With a lower share, the season is divided into weeks or days. */
const LEAST_SHARE = 0.5;
/** Highest number of matches in a round for each side. Half a match is what a round has in which each side plays once. */
const MOST_PER_SIDE = 0.75;
const WEEK_SECONDS = 7 * DAY_SECONDS;
/** A season that is shorter than this is divided into days, since most cups have played their groups by then. */
const SHORT_SECONDS = 8 * WEEK_SECONDS;
/** 1970 began on a Thursday, and weeks begin on Monday. */
const FIRST_MONDAY = -3 * DAY_SECONDS;

/**
 * Reads everything from which the tables of a season at any time are made.
 * @param now ms since 1970
 * @returns null for a season without tables
 */
export async function readSeason(db: Queryable, season: SeasonRow, now: number): Promise<SeasonRecord | null> {
  const found = await readTableSource(db, season, now);
  return found && { ...found, decisions: await seasonDecisions(db, season.season_id!), now: now / SECOND_MS };
}

interface Options {
  type: StandingType;
  grouping?: Grouping | undefined;
}

/**
 * Returns the tables at a moment, with the decisions from before it.
 * @param sorted the record's matches
 */
function tablesAt(
  { decisions, teams, now }: SeasonRecord,
  sorted: SortedSeason,
  moment: Moment,
  options: Options,
): SeasonTables {
  const decided = grouped(
    decisions.filter(({ day }) => day < utcDay(moment.time * SECOND_MS)),
    ({ participant_id }) => participant_id,
  );
  const teamsThen = [...teams].map(([id, team]) => {
    const own = decided.get(id) ?? [];
    const adjustment = own.reduce((sum, { points }) => sum + points, 0);
    const placed = own.findLast(({ position }) => position !== null)?.position ?? null;
    return [id, { ...team, adjustment, placed }] as const;
  });
  const time = Math.min(moment.time, now) * SECOND_MS;
  return begunTables(sorted, { ...options, now: time, teams: new Map(teamsThen), counts: moment.counts });
}

/** Returns the tables with the matches that count at a moment. A group is left out until one of its matches counts. */
function begunTables(sorted: SortedSeason, options: TableOptions): SeasonTables {
  const tables = tablesThen(sorted, options);
  const begun = new Set(tables.table.filter(hasPlayed).map(({ group }) => group));
  return { ...tables, table: tables.table.filter(({ group }) => begun.has(group)) };
}

export interface StandingsThen {
  /** Empty if no match had been played. */
  table: StandingsRow[];
  /** League and group matches that had been played. */
  matches: TableMatchRow[];
}

/**
 * Computes the tables as they were at an earlier time, without the results of later matches.
 * @param before seconds since 1970
 */
export async function tablesBefore(db: Queryable, season: SeasonRow, before: number): Promise<StandingsThen> {
  const found = await readTableSource(db, season, before * SECOND_MS);
  if (found === null) return { table: [], matches: [] };
  const { teams } = found;
  const { counts } = startedBefore(before);
  const { table } = begunTables(sortSeason(found), { type: 'total', now: before * SECOND_MS, teams, counts });
  return { table, matches: leagueMatches(found.matches).filter(({ counted, start }) => counted && start < before) };
}

const middleStart = (matches: readonly TableMatchRow[]): number => {
  const starts = matches.map(({ start }) => start).sort((a, b) => a - b);
  return starts[Math.floor((starts.length - 1) / 2)]!;
};

const hasRound = ({ matchday, round }: TableMatchRow) => matchday !== null || round !== '';
/** Whether the matches are a round, in which a side seldom plays twice, and not a whole stage. */
const isRound = ({ round_num, round_name, matches }: Step) =>
  (round_num !== null || round_name !== null) && matches.length <= sidesOf(matches).size * MOST_PER_SIDE;
const isPlayed = ({ matches }: Step) => matches.some(({ counted }) => counted);

/**
 * Divides the matches that count in tables into the season's rounds, in the order in which most of their matches are played. A
 * round counts with all its matches, whenever they were played, so that all sides have equally many. A match without a round
 * counts by its start.
 */
function roundSteps(league: readonly TableMatchRow[], now: number): Step[] {
  const rounds = [...grouped(league.filter(hasRound), ({ matchday, round }) => `${matchday} ${round}`).values()]
    .map((matches) => ({ matches, middle: middleStart(matches) }))
    .sort((a, b) => a.middle - b.middle || (a.matches[0]!.matchday ?? 0) - (b.matches[0]!.matchday ?? 0));
  const indexes = new Map(rounds.flatMap(({ matches }, index) => matches.map(({ id }) => [id, index] as const)));
  const lastPlayed = rounds.findLastIndex(({ matches }) => matches.some(({ counted }) => counted));
  return rounds.map(({ matches, middle }, index) => {
    // After the last round, the table is that of today.
    const time = index >= lastPlayed ? now : middle;
    const counts = (match: TableMatchRow) => {
      const own = indexes.get(match.id);
      return own === undefined ? match.start < time : own <= index;
    };
    const [{ matchday, round }] = matches as [TableMatchRow];
    return { round_num: matchday, round_name: round === '' ? null : round, matches, moment: { time, counts } };
  });
}

/** Divides the matches that count in tables into weeks in UTC, which begin on Monday. A short season is divided into days. */
function calendarSteps(league: readonly TableMatchRow[]): Step[] {
  const first = league[0]?.start ?? 0;
  const isShort = (league.at(-1)?.start ?? 0) - first < SHORT_SECONDS;
  const length = isShort ? DAY_SECONDS : WEEK_SECONDS;
  const periods = grouped(league, ({ start }) => Math.floor((start - FIRST_MONDAY) / length));
  return [...periods].map(([period, matches]) => {
    const time = FIRST_MONDAY + (period + 1) * length;
    return { round_num: null, round_name: null, matches, moment: startedBefore(time) };
  });
}

const startedBefore = (time: number): Moment => ({ time, counts: ({ start }) => start < time });

function seasonSteps({ matches, now }: SeasonRecord): Step[] {
  const league = leagueMatches(matches);
  const rounds = roundSteps(league, now);
  const inRounds = rounds.filter(isRound).reduce((sum, round) => sum + round.matches.length, 0);
  return inRounds >= league.length * LEAST_SHARE ? rounds : calendarSteps(league);
}

/** A table with each row's change since an earlier table. */
export interface MovedTables extends SeasonTables {
  table: (StandingsRow & { movement: number | null })[];
}

const hasPlayed = ({ played }: StandingsRow) => played > 0;
const rowKey = ({ participant_id, group }: StandingsRow) => `${participant_id} ${group}`;

function withMovement(tables: SeasonTables, before: readonly StandingsRow[]): MovedTables {
  const places = new Map(before.filter(hasPlayed).map((row) => [rowKey(row), row.position]));
  const table = tables.table.map((row) => {
    const place = places.get(rowKey(row));
    return { ...row, movement: place === undefined ? null : place - row.position };
  });
  return { ...tables, table };
}

/**
 * Returns the tables after a round.
 * @param round number, or name in any case
 * @returns null if the season has no such round
 */
export function tablesAfterRound(record: SeasonRecord, round: string, options: Options): MovedTables | null {
  const steps = roundSteps(leagueMatches(record.matches), record.now);
  const index = steps.findLastIndex(
    ({ round_num, round_name }) => String(round_num) === round || round_name?.toLowerCase() === round.toLowerCase(),
  );
  const step = steps[index];
  if (step === undefined) return null;
  const previous = steps.slice(0, index).findLast(isPlayed);
  const sorted = sortSeason(record);
  return withMovement(
    tablesAt(record, sorted, step.moment, options),
    previous === undefined ? [] : tablesAt(record, sorted, previous.moment, options).table,
  );
}

const DAY_END = `SELECT extract(epoch FROM ($1::date + 1)::timestamp AT TIME ZONE $2)::float8 AS time`;
const DAY_START = `SELECT extract(epoch FROM date_trunc('day', to_timestamp($1::float8), $2))::float8 AS time`;

/**
 * Returns the tables at the end of a day, with the matches that began by then.
 * @param date YYYY-MM-DD
 * @param tz name of the day's time zone
 */
export async function tablesAfterDay(
  db: Queryable,
  record: SeasonRecord,
  { date, tz }: { date: string; tz: string },
  options: Options,
): Promise<MovedTables> {
  const readTime = async (sql: string, value: string | number) =>
    firstRow((await db.query<{ time: number }>(sql, [value, tz])).rows).time;
  const end = await readTime(DAY_END, date);
  const last = leagueMatches(record.matches).findLast(({ counted, start }) => counted && start < end);
  const sorted = sortSeason(record);
  const tablesBy = (time: number) => tablesAt(record, sorted, startedBefore(time), options);
  const before = last === undefined ? [] : tablesBy(await readTime(DAY_START, last.start)).table;
  return withMovement(tablesBy(end), before);
}

export type TableHistory = Pick<z.infer<typeof standingsHistory>, 'steps' | 'rows'>;

/**
 * Returns each row's place and points after each round, or after each week or day if the season has no rounds.
 * @param record from `readSeason`
 */
export async function tableHistory(record: SeasonRecord, grouping: Grouping | undefined): Promise<TableHistory> {
  const steps = seasonSteps(record).filter(isPlayed);
  const sorted = sortSeason(record);
  const tables: StandingsRow[][] = [];
  for (const { moment } of steps) {
    // A long season takes 20 ms, in which other requests must be answered.
    await turn();
    tables.push(tablesAt(record, sorted, moment, { type: 'total', grouping }).table.filter(hasPlayed));
  }
  const byKey = tables.map((table) => new Map(table.map((row) => [rowKey(row), row])));
  // The keys of the newest table come first, so that the rows have its order.
  const keys = new Set(byKey.toReversed().flatMap((table) => [...table.keys()]));
  const lastDay = ({ matches }: Step) =>
    utcDay(Math.max(...matches.filter(({ counted }) => counted).map(({ start }) => start)) * SECOND_MS);
  return {
    steps: steps.map((step) => ({ round_num: step.round_num, round_name: step.round_name, last_day: lastDay(step) })),
    rows: [...keys].map((key) => {
      const { participant_id, name, name_ru, group } = byKey.findLast((table) => table.has(key))!.get(key)!;
      const figures = byKey.map((table) => table.get(key));
      return {
        participant_id,
        name,
        name_ru,
        group,
        positions: figures.map((row) => row?.position ?? null),
        points: figures.map((row) => row?.points ?? null),
      };
    }),
  };
}

export type EmptyReason = 'no_table' | 'not_begun';

/**
 * Returns the history of a season that a page has read, in its first grouping. Null for a season without tables.
 * @param now ms since 1970
 */
export async function buildTableHistory(db: Queryable, found: TableSeason, now: number): Promise<TableHistory | null> {
  const { season, matches, teams, decisions } = found;
  const rules = toTableRules(season);
  if (season.season_id === null || !rules.table) return null;
  const byId = new Map(teams.map((team) => [team.id, team]));
  // The page has not read the statistics for bonus points.
  const record =
    bonusFigures(rules).length > 0
      ? await readSeason(db, season, now)
      : { season, matches, teams: byId, decisions, now: now / SECOND_MS };
  return record && tableHistory(record, undefined);
}

/** Returns why a season's tables of the past are empty. */
export function reasonWithoutRows(record: SeasonRecord | null): EmptyReason {
  const hasTable =
    record !== null && tablesFrom(record, { type: 'total', now: record.now * SECOND_MS }).table.length > 0;
  return hasTable ? 'not_begun' : 'no_table';
}
