/** The input for simulating the rest of a season: the tables with the results so far, and the fixtures. */
import type { Queryable } from '../db/postgres.ts';
import { bonusFigures } from './bonus-points.ts';
import { decisionsFor } from './deductions.ts';
import { groupNames } from './group-names.ts';
import { regularSeason } from './league-split.ts';
import { sidesOf } from './meetings.ts';
import { isOver, lacksResults } from './missing-results.ts';
import { type SeasonRow, seasonMatches, seasonTeams, type TableMatchRow, type TeamRow } from './queries.ts';
import { missingFixtures, type Pairing, wholeRounds } from './round-robin.ts';
import type { SplitRules, TableRules } from './rules.ts';
import { buildTables, leagueMatches, selectPlayOffs, type Table } from './season-tables.ts';
import { toResults } from './side-results.ts';
import type { Result } from './side-totals.ts';
import { toTableRules } from './standings.ts';
import { computeTable, type TableExtras } from './table.ts';

/** A match that is still to be played. */
export interface PlannedFixture extends Pairing {
  /** Null for a match that no source has listed although the league's format requires it. */
  id: number | null;
}

export interface PlannedTable {
  group: string | null;
  /** Ordered by name. */
  sides: TeamRow[];
  results: Result[];
  fixtures: PlannedFixture[];
  extras: Required<Omit<TableExtras, 'carried' | 'alignment'>>;
}

export interface SeasonPlan {
  rules: TableRules;
  tables: [PlannedTable, ...PlannedTable[]];
  /** Set for a league that is divided. The only table is then the regular season. */
  division: { split: SplitRules; later: TableMatchRow[] } | null;
  /** True if the first side in the table is the champion, as in a round robin without play-offs for the title. */
  championLeads: boolean;
  /** Number of matches that the season must have although no source has listed them. `fixtures` may contain some of them. */
  unknown: number;
  /** True if matches without a result will no longer be played. */
  isEnded: boolean;
  /** True if past results are known to be missing. */
  lacksResults: boolean;
}

/**
 * Reads the plan at a given time. Matches after this time are still to be played.
 * @param now ms since 1970; later decisions by the organizer do not count
 * @returns null for a season without a table, or with conferences, because no conference's table alone decides the season
 */
export async function seasonPlan(db: Queryable, season: SeasonRow, now: number): Promise<SeasonPlan | null> {
  const { season_id } = season;
  const rules = toTableRules(season);
  if (season_id === null || !rules.table || rules.conferences) return null;
  const all = await seasonMatches(db, season_id, new Date(now).toISOString(), bonusFigures(rules));
  const matches = all.map((match) => (match.start < now / 1000 ? match : { ...match, counted: false as const }));
  const teams = await seasonTeams(db, season_id, [...sidesOf(matches)], now);
  const earlier = await previousMatches(db, season, now);
  return buildPlan({ season, rules, matches, teams, earlier, over: isOver(all, now) });
}

/** The input for a plan. */
interface Given {
  season: SeasonRow;
  rules: TableRules;
  matches: readonly TableMatchRow[];
  teams: ReadonlyMap<number, TeamRow>;
  /** Matches in the previous season, which shows the league's format. */
  earlier: readonly TableMatchRow[];
  over: boolean;
}

/** Pure. @returns null if no match belongs to a table */
function buildPlan({ season, rules, matches, teams, earlier, over }: Given): SeasonPlan | null {
  const isLeague = rules.league ?? season.tier !== null;
  const isEnded = over || rules.curtailed === true;
  const playOffs = selectPlayOffs(matches).flatMap((match) => toResults(match, rules));
  const regular = isLeague && rules.split ? regularSeason(leagueMatches(matches), rules.split) : undefined;
  const found: Table[] = regular
    ? [{ name: null, matches: regular.regular }]
    : buildTables(
        matches,
        isLeague,
        (side) => teams.get(side)!.name,
        (groups) => groupNames(season, groups),
      );
  const adjusted = new Set<number>();
  const plan = (table: Table) => planTable(table, teams, { rules, playOffs, adjusted, isEnded });
  const [first, ...others] = found.filter((table) => table.matches.length > 0);
  if (first === undefined) return null;
  const tables: SeasonPlan['tables'] = [plan(first), ...others.map(plan)];
  const isOnly = isLeague && others.length === 0;
  const rounds = isOnly ? findRounds(matches, earlier, rules) : null;
  let unknown = 0;
  if (isOnly && !isEnded) {
    const [only] = tables;
    const missing = missingFixtures(
      only.sides.map(({ id }) => id),
      first.matches.filter(isPlayable),
      rounds,
    );
    only.fixtures.push(...missing.fixtures.map((fixture) => ({ ...fixture, id: null })));
    unknown = missing.unknown;
  }
  return {
    rules,
    tables,
    division: regular ? { split: rules.split!, later: regular.later } : null,
    // A league that is not a round robin, as in North America, has play-offs for the title, even if no source lists
    // them.
    championLeads: rounds !== null && ![matches, earlier].some((played) => hasTitlePlayOffs(played, rules)),
    unknown,
    isEnded,
    lacksResults:
      rules.complete === false || found.some((table) => lacksResults(table.matches, over && !rules.curtailed)),
  };
}

const isPlayable = ({ counted, abandoned }: TableMatchRow) => counted || !abandoned;

function planTable(
  { name, matches }: Table,
  teams: ReadonlyMap<number, TeamRow>,
  {
    rules,
    playOffs,
    adjusted,
    isEnded,
  }: { rules: TableRules; playOffs: Result[]; adjusted: Set<number>; isEnded: boolean },
): PlannedTable {
  const sides = [...sidesOf(matches)]
    .map((id) => teams.get(id)!)
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id));
  const toPlay = isEnded ? [] : matches.filter((match) => !match.counted && !match.abandoned);
  return {
    group: name,
    sides,
    results: matches.flatMap((match) => toResults(match, rules)),
    fixtures: toPlay.map(({ id, home_id: home, away_id: away }) => ({ id, home, away, neutral: false })),
    extras: { ...decisionsFor(sides, name, adjusted), playOffs },
  };
}

/** Returns a season's league matches. For a divided league, returns only those in the regular season. */
function regularPart(matches: readonly TableMatchRow[], { split }: TableRules): TableMatchRow[] {
  const league = leagueMatches(matches).filter(isPlayable);
  return split ? regularSeason(league, split).regular : league;
}

/**
 * Returns how often each pair meets according to this season's or the previous season's fixtures. If only the first half is
 * listed so far, the previous season shows that there is a second half.
 */
function findRounds(matches: readonly TableMatchRow[], earlier: readonly TableMatchRow[], rules: TableRules) {
  const [own, before] = [regularPart(matches, rules), regularPart(earlier, rules)];
  const [listed, previous] = [wholeRounds(own), wholeRounds(before)];
  const isSameSize = listed === null || sidesOf(own).size === sidesOf(before).size;
  return previous !== null && isSameSize ? Math.max(previous, listed ?? 0) : listed;
}

/** Returns true if the first side in the table also played in a knock-out. Play-offs then decide the title. */
function hasTitlePlayOffs(matches: readonly TableMatchRow[], rules: TableRules): boolean {
  const league = new Set(leagueMatches(matches));
  const knockOuts = matches.filter((match) => !league.has(match));
  if (knockOuts.length === 0) return false;
  const results = regularPart(matches, rules).flatMap((match) => toResults(match, rules));
  const sides = [...new Set(results.map(({ team }) => team))].map((id) => ({ id, name: String(id) }));
  const first = computeTable(sides, results, rules)[0]?.team;
  return knockOuts.some(({ home_id, away_id }) => home_id === first || away_id === first);
}

async function previousMatches(
  db: Queryable,
  { tournament_id, season_label }: SeasonRow,
  now: number,
): Promise<TableMatchRow[]> {
  const { rows } = await db.query<{ id: number }>({
    name: 'previous season',
    text: `SELECT s.id FROM season s WHERE s.tournament_id = $1 AND s.season_label < $2 AND EXISTS (SELECT FROM match m WHERE m.season_id = s.id)
     ORDER BY s.season_label DESC LIMIT 1`,
    values: [tournament_id, season_label],
  });
  return rows[0] ? seasonMatches(db, rows[0].id, new Date(now).toISOString()) : [];
}
