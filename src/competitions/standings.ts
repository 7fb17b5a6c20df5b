/** A season's tables, from matches and rules. */
import type { z } from 'zod';
import { type Queryable, utcMidnightSql } from '../db/postgres.ts';
import { grouped } from '../wire/grouped.ts';
import { bonusFigures } from './bonus-points.ts';
import { groupByConference, listGroupings, teamConferences } from './conferences.ts';
import { decisionsFor } from './deductions.ts';
import { listedConferences } from './divisions.ts';
import { groupNames } from './group-names.ts';
import { divide, type Part, regularSeason } from './league-split.ts';
import { sidesOf } from './meetings.ts';
import { isOver, lacksMeetings, OVER_AFTER_DAYS } from './missing-results.ts';
import { netRunRate } from './net-run-rate.ts';
import {
  type SeasonRow,
  seasonMatches,
  seasonTeams,
  type TableMatchRow,
  type TableSeason,
  type TeamRow,
} from './queries.ts';
import { type Conference, type Grouping, type SplitRules, type TableRules, tableRules } from './rules.ts';
import type { StandingType, standingsRow } from './schema.ts';
import { buildTables, leagueMatches, selectPlayOffs, type Table } from './season-tables.ts';
import { toResults } from './side-results.ts';
import {
  type Carried,
  gamesBehind,
  lastResults,
  newest,
  type Result,
  type TableRow,
  winPercentage,
} from './side-totals.ts';
import { computeTable, type TableExtras } from './table.ts';
import { listedZones, zoneAt } from './zones.ts';

/** One of a side's last matches, from that side's perspective. */
export interface FormMatch {
  id: number;
  /** Seconds since 1970. */
  start: number;
  opponent: string;
  opponent_ru: string | null;
  scored: number;
  conceded: number;
}

export type StandingsRow = z.infer<typeof standingsRow> & {
  /** The matches whose outcomes are the letters of `form`, in the same order. Pages show them; the API does not. */
  form_matches: FormMatch[];
};

/** Returns a row as the API has it. */
export const withoutMatches = ({ form_matches: _, ...row }: StandingsRow): z.infer<typeof standingsRow> => row;

export interface SeasonTables {
  /** Empty for a season without a table. Rows without a group come first, then the groups, ordered by stage. */
  table: StandingsRow[];
  /** False if the table is known to lack results. */
  complete: boolean;
  /** Ways to group the sides, if the season has conferences; the usual one comes first. */
  groupings: Grouping[];
}

/** Returns the rules for a season's tables. */
export const toTableRules = (season: SeasonRow): TableRules => {
  const { sport, country, season_label: label, tournament_rules, season_rules } = season;
  const listed = { zones: listedZones(season), conferences: listedConferences(season) };
  const layers = [listed, tournament_rules, season_rules];
  return tableRules(sport, layers, { label, country });
};

/**
 * @param now ms since 1970; earlier matches should have results
 * @param grouping how to group the tables; by default, the season's usual grouping; the table is empty if the season does not
 * have the grouping
 */
export async function seasonTables(
  db: Queryable,
  season: SeasonRow,
  type: StandingType,
  now: number,
  grouping?: Grouping,
): Promise<SeasonTables> {
  const found = await readTableSource(db, season, now);
  return found === null ? { table: [], complete: true, groupings: [] } : tablesFrom(found, { type, now, grouping });
}

/**
 * Reads a season's matches and sides.
 * @param time ms since 1970; earlier matches should have results, and earlier decisions count
 * @returns null for a season without tables
 */
export async function readTableSource(db: Queryable, season: SeasonRow, time: number): Promise<TableSource | null> {
  const { season_id } = season;
  const rules = toTableRules(season);
  if (season_id === null || !rules.table) return null;
  const matches = await seasonMatches(db, season_id, new Date(time).toISOString(), bonusFigures(rules));
  const teams = await seasonTeams(db, season_id, [...sidesOf(matches)], time);
  return { season, matches, teams };
}

/** Returns the tables of a season that a page has read. `seasonTables` explains the options. */
export async function buildSeasonTables(
  db: Queryable,
  { season, matches, teams }: TableSeason,
  options: { type: StandingType; now: number; grouping?: Grouping | undefined },
): Promise<SeasonTables> {
  const rules = toTableRules(season);
  if (season.season_id === null || !rules.table) return { table: [], complete: true, groupings: [] };
  // Statistics for bonus points are large. Few leagues need them, so they are read only then.
  if (bonusFigures(rules).length > 0) return seasonTables(db, season, options.type, options.now, options.grouping);
  return tablesFrom({ season, matches, teams: new Map(teams.map((team) => [team.id, team])) }, options);
}

/** Returns the conference of each side in a season that has conferences. */
export const sideConferences = ({ season, teams }: Pick<TableSeason, 'season' | 'teams'>): Map<number, string> =>
  teamConferences(teams, toTableRules(season));

/**
 * SQL for a text that differs between two days if a season's tables, as they are at the end of each day, may differ although no match,
 * rule or decision has changed. That is the case if a match was played between the days, or now lacks its result, if a decision takes
 * effect, or if the season is now over.
 * @param season SQL for the season's id
 * @param day SQL for the day, of type date
 */
export const tableDaySql = (season: string, day: string): string => {
  const lastBefore = (end: string) =>
    `(SELECT extract(epoch FROM max(scheduled_start))::bigint FROM match WHERE season_id = ${season} AND scheduled_start < ${utcMidnightSql(end)})`;
  return `concat_ws('-', ${lastBefore(day)}, ${lastBefore(`${day} + 1`)},
    (SELECT count(*) FROM points_decision WHERE season_id = ${season} AND decided_on <= ${day}),
    EXISTS (SELECT FROM match WHERE season_id = ${season} AND status_detail <> 'cancelled'
      AND scheduled_start >= ${utcMidnightSql(`${day} + 1 - ${OVER_AFTER_DAYS}`)}))`;
};

export interface TableSource {
  season: SeasonRow;
  matches: readonly TableMatchRow[];
  /** All sides of the matches. */
  teams: ReadonlyMap<number, TeamRow>;
}

/** @param now ms since 1970 */
export const tablesFrom = (
  source: TableSource,
  options: { type: StandingType; now: number; grouping?: Grouping | undefined },
): SeasonTables => tablesThen(sortSeason(source), { ...options, teams: source.teams, counts: () => true });

/** A season's matches, sorted into tables. All that does not depend on which matches have been played. */
export interface SortedSeason {
  rules: TableRules;
  matches: readonly TableMatchRow[];
  playOffs: readonly TableMatchRow[];
  /** The results of each match that counts, for both sides. */
  results: ReadonlyMap<TableMatchRow, readonly MatchResult[]>;
  parts:
    | { conferences: readonly Conference[]; matches: readonly TableMatchRow[]; sides: readonly number[] }
    | { split: SplitRules; season: ReturnType<typeof regularSeason> }
    | { tables: readonly Table[]; league: boolean };
}

/** Sorts a season's matches into tables. */
export function sortSeason({ season, matches, teams }: TableSource): SortedSeason {
  const rules = toTableRules(season);
  const league = rules.league ?? season.tier !== null;
  const toMatchResults = (match: TableMatchRow) => toResults(match, rules).map((result) => ({ ...result, match }));
  const sort = (): SortedSeason['parts'] => {
    const { conferences, split } = rules;
    if (conferences) {
      const regular = leagueMatches(matches);
      return { conferences, matches: regular, sides: [...sidesOf(regular)] };
    }
    if (league && split) return { split, season: regularSeason(leagueMatches(matches), split) };
    const nameOf = (side: number) => teams.get(side)!.name;
    return { tables: buildTables(matches, league, nameOf, (groups) => groupNames(season, groups)), league };
  };
  return {
    rules,
    matches,
    playOffs: selectPlayOffs(matches),
    results: new Map(matches.map((match) => [match, toMatchResults(match)])),
    parts: sort(),
  };
}

export interface TableOptions {
  type: StandingType;
  /** ms since 1970. */
  now: number;
  grouping?: Grouping | undefined;
  teams: ReadonlyMap<number, TeamRow>;
  /** Returns false for a match that has not been played yet at the tables' moment. */
  counts: (match: TableMatchRow) => boolean;
}

/** Returns the tables of a season at a moment. */
export function tablesThen(sorted: SortedSeason, { type, now, grouping, teams, counts }: TableOptions): SeasonTables {
  const { rules, parts } = sorted;
  const resultsThen = (match: TableMatchRow) => (counts(match) ? sorted.results.get(match)! : []);
  const context: TableContext = {
    teams,
    rules,
    type,
    toResults: resultsThen,
    lacksResult: (match) => match.lacks_result && counts(match),
    playOffs: sorted.playOffs.flatMap(resultsThen),
    adjusted: new Set(),
    over: isOver(sorted.matches, now),
  };
  if ('conferences' in parts) return conferenceTables(parts, context, grouping);
  const isPlayed = (match: TableMatchRow) => match.counted && counts(match);
  const { table, complete } =
    'split' in parts ? splitTables(parts.season, parts.split, isPlayed, context) : plainTables(parts, context);
  return { table, complete: complete && rules.complete !== false, groupings: [] };
}

/** Returns division or conference tables. They count all regular season matches, whoever the opponent is. */
function conferenceTables(
  { matches, conferences, sides: ids }: Extract<SortedSeason['parts'], { conferences: readonly Conference[] }>,
  context: TableContext,
  grouping?: Grouping,
): SeasonTables {
  const { rules, type, teams } = context;
  const sides = ids.map((id) => teams.get(id)!);
  const results = selected(matches.flatMap(context.toResults), type);
  const { adjustments } = decisionsFor(type === 'total' ? sides : [], null, context.adjusted);
  const groupings = listGroupings(rules);
  const table = groupByConference(sides, results, {
    rules,
    conferences,
    adjustments,
    grouping: grouping ?? groupings[0] ?? 'conference',
  });
  const lastMatches = formMatches(results, context);
  return {
    table: table.flatMap(({ name, rows, reference, zones }) =>
      rows.map((row, index) =>
        toStandingsRow(row, {
          position: index + 1,
          group: name,
          team: teams.get(row.team)!,
          rules,
          deducted: 0 - (adjustments.get(row.team) ?? 0),
          leader: reference,
          zone: type === 'total' ? (zones.get(row.team) ?? null) : null,
          matches: lastMatches(row.team),
        }),
      ),
    ),
    complete: !lacks(matches, context) && rules.complete !== false,
    groupings,
  };
}

interface TableContext {
  teams: ReadonlyMap<number, TeamRow>;
  rules: TableRules;
  type: StandingType;
  /** Returns both sides' results; an empty list if the match does not count, or not yet. */
  toResults: (match: TableMatchRow) => readonly MatchResult[];
  lacksResult: (match: TableMatchRow) => boolean;
  playOffs: readonly Result[];
  /** Sides whose points have already been adjusted. A side in several groups is adjusted only in the first. */
  adjusted: Set<number>;
  /** True if missing matches can no longer appear. */
  over: boolean;
}

function plainTables(
  { tables, league }: { tables: readonly Table[]; league: boolean },
  context: TableContext,
): Omit<SeasonTables, 'groupings'> {
  // A league with both a table and groups was divided. Without rules, it is unknown which points the sides carried over, unless
  // the rules say that nothing is missing.
  const unknownSplit = league && tables.length > 1 && tables[0]?.name === null && context.rules.complete !== true;
  return {
    table: tables.flatMap((table) => buildRows(table, context)),
    complete: !unknownSplit && !tables.some(({ matches }) => lacks(matches, context)),
  };
}

const lacks = (matches: readonly TableMatchRow[], { rules, over, lacksResult }: TableContext) =>
  matches.some(lacksResult) || (over && !rules.curtailed && lacksMeetings(matches));

/** Returns the tables of the regular season and of the groups that follow, or the groups as one table if the rules say so. */
function splitTables(
  season: ReturnType<typeof regularSeason>,
  split: SplitRules,
  isPlayed: (match: TableMatchRow) => boolean,
  context: TableContext,
): Omit<SeasonTables, 'groupings'> {
  const ended = season.ended && season.regular.every(isPlayed);
  const regular = { name: null, matches: season.regular };
  const total: TableContext = { ...context, type: 'total', adjusted: new Set() };
  const ranking = buildRows(regular, total).map(({ participant_id, points, points_deducted }) => ({
    team: participant_id,
    points,
    adjustment: 0 - points_deducted,
  }));
  const { parts, complete } = divide({ ...season, ended }, split, ranking, {
    over: context.over && !context.rules.curtailed,
    lacksResult: context.lacksResult,
  });
  return { table: splitRows(regular, parts, split, context), complete: complete && !lacks(regular.matches, context) };
}

function splitRows(regular: Table, parts: readonly Part[], { one_table }: SplitRules, context: TableContext) {
  const whole = { name: null, matches: [...new Set([...regular.matches, ...parts.flatMap(({ matches }) => matches)])] };
  // Home, away and form tables are not divided.
  if (one_table && (parts.length === 0 || context.type !== 'total')) return buildRows(whole, context);
  const rows = buildRows(regular, context);
  const divided = parts.flatMap(({ rules: { name, tie_breaks }, matches, carried }) => {
    const rules = tie_breaks ? { ...context.rules, tie_breaks } : context.rules;
    return buildRows({ name: one_table ? null : name, matches }, { ...context, rules }, carried);
  });
  if (!one_table) return [...rows, ...divided];
  const deducted = new Map(rows.map((row) => [row.participant_id, row.points_deducted]));
  return divided.map((row, index) => ({
    ...row,
    position: index + 1,
    points_deducted: deducted.get(row.participant_id)!,
  }));
}

/** @param carried what each side carries over into a group after a split */
function buildRows(
  { name: group, matches }: Table,
  context: TableContext,
  carried?: Map<number, Carried>,
): StandingsRow[] {
  const { rules, type, playOffs, adjusted } = context;
  const teams = [...(carried?.keys() ?? sidesOf(matches))].map((id) => context.teams.get(id)!);
  const decisions = decisionsFor(type === 'total' && !carried ? teams : [], group, adjusted);
  const results = selected(matches.flatMap(context.toResults), type);
  const taken: TableExtras | undefined = carried && { carried: type === 'total' ? carried : withoutPoints(carried) };
  const table = computeTable(teams, results, rules, { ...decisions, playOffs, ...taken });
  // A divided league gets no zones here, because what a place leads to depends on the table.
  const zones = type === 'total' && rules.split === undefined ? rules.zones : [];
  const lastMatches = formMatches(results, context);
  return table.map((row, index) =>
    toStandingsRow(row, {
      position: index + 1,
      group,
      team: context.teams.get(row.team)!,
      rules,
      deducted: 0 - (decisions.adjustments.get(row.team) ?? 0),
      leader: table[0] ?? row,
      zone: zoneAt(zones, index + 1, table.length),
      matches: lastMatches(row.team),
    }),
  );
}

interface RowPlace {
  position: number;
  group: string | null;
  team: TeamRow;
  rules: TableRules;
  /** Points that the organizer deducted. */
  deducted: number;
  /** The side from which games behind are counted. */
  leader: TableRow;
  zone: StandingsRow['zone'];
  matches: FormMatch[];
}

interface MatchResult extends Result {
  match: TableMatchRow;
}

/**
 * Returns the function that tells a side's last matches, newest first.
 * @param results oldest first
 */
function formMatches(results: readonly MatchResult[], { teams }: TableContext): (team: number) => FormMatch[] {
  const bySide = grouped(results, ({ team }) => team);
  return (side) =>
    newest(bySide.get(side) ?? []).map(({ match, opponent, away }) => {
      const { name, name_ru } = teams.get(opponent)!;
      const [home, guest] = [match.home_score ?? 0, match.away_score ?? 0];
      const [scored, conceded] = away ? [guest, home] : [home, guest];
      return { id: match.id, start: match.start, opponent: name, opponent_ru: name_ru, scored, conceded };
    });
}

function toStandingsRow(
  row: TableRow,
  { position, group, team, rules, deducted, leader, zone, matches }: RowPlace,
): StandingsRow {
  const percentage = winPercentage(row, rules);
  const countsSets = rules.tie_breaks.includes('set_points_average');
  return {
    position,
    participant_id: row.team,
    name: team.name,
    name_ru: team.name_ru,
    group,
    played: row.played,
    wins: row.wins,
    draws: row.draws,
    losses: row.losses,
    overtime_wins: row.overtime_wins,
    overtime_losses: row.overtime_losses,
    win_percentage: percentage === null ? null : Math.round(percentage * 1000) / 1000,
    games_behind: rules.tie_breaks[0] === 'win_percentage' ? gamesBehind(leader, row) : null,
    scores_for: row.scored,
    scores_against: row.conceded,
    goal_difference: row.scored - row.conceded,
    set_points_for: countsSets ? row.setPointsWon : null,
    set_points_against: countsSets ? row.setPointsLost : null,
    bonus_points: rules.bonus.length > 0 ? row.bonus : null,
    no_results: rules.points.no_result === undefined ? null : row.no_results,
    net_run_rate: rules.tie_breaks.includes('net_run_rate') ? Math.round(netRunRate(row.rate) * 1000) / 1000 : null,
    points: row.points,
    points_deducted: deducted,
    form: row.form,
    zone,
    form_matches: matches,
  };
}

/** Used for home, away and form tables, into which no points from the regular season are carried over. */
const withoutPoints = (carried: Map<number, Carried>) =>
  new Map([...carried].map(([team, { place }]) => [team, { points: 0, rounding: 0, place }]));

function selected(results: MatchResult[], type: StandingType): MatchResult[] {
  if (type === 'form') return lastResults(results);
  return type === 'total' ? results : results.filter(({ away }) => away === (type === 'away'));
}
