/** Public exports: rules, tables, results, and fixtures to come. */
export { roundMatchesRead, seasonSidesRead } from './bracket/queries.ts';
export { isAside } from './bracket/round-names.ts';
export {
  type Bracket,
  findRounds,
  mayBeInTie,
  type RoundOfMatch,
  seasonRounds,
  toBracket,
} from './bracket/season-bracket.ts';
export { carriedBy, meetingsWithin } from './league-split.ts';
export {
  COUNTED,
  findSeason,
  OVERTIME,
  type SeasonRow,
  seasonMatches,
  seasonTeams,
  type TableMatchRow,
  type TableSeason,
  type TeamRow,
  tableSeasonRead,
} from './queries.ts';
export { requireSeason } from './requested-season.ts';
export { missingFixtures, type Pairing, wholeRounds } from './round-robin.ts';
export { GROUPINGS, type Grouping, ZONE_KINDS, type ZoneRule } from './rules.ts';
export { type PlannedTable, type SeasonPlan, seasonPlan } from './season-plan.ts';
export { type Round, roundsRead } from './season-rounds.ts';
export { leagueMatches } from './season-tables.ts';
export { toResults } from './side-results.ts';
export { pointsFor, type Result } from './side-totals.ts';
export {
  buildSeasonTables,
  type FormMatch,
  type SeasonTables,
  type StandingsRow,
  seasonTables,
  sideConferences,
  tableDaySql,
  toTableRules,
} from './standings.ts';
export { computeTable, createRanking, type Ranked } from './table.ts';
export {
  buildTableHistory,
  readSeason,
  type StandingsThen,
  type TableHistory,
  tablesAfterDay,
  tablesBefore,
} from './table-history.ts';
export { zoneAt } from './zones.ts';
