/** The table of a season, from its matches and its rules. */
import type { z } from 'zod';
import type { Queryable } from '../db/postgres.ts';
import { type SeasonRow, seasonTeams, type TableMatchRow, type TeamRow, tableMatches } from './queries.ts';
import { type TableRules, tableRules } from './rules.ts';
import type { StandingType, standingsRow } from './schema.ts';
import { computeTable, lastResults, type Result } from './table.ts';

export type StandingsRow = z.infer<typeof standingsRow>;

/** Empty for a season without a table. A table without a group precedes the groups, earlier stages precede later ones. */
export async function seasonTable(db: Queryable, season: SeasonRow, type: StandingType): Promise<StandingsRow[]> {
  const rules = tableRules(season.sport, [season.tournament_rules, season.season_rules]);
  if (season.season_id === null || !rules.table) return [];
  const all = await tableMatches(db, season.season_id);
  const matches = all.filter((match) => !match.play_off);
  const teams = await seasonTeams(db, season.season_id, [...new Set(matches.flatMap(sidesOf))]);
  const playOffs = all.filter((match) => match.play_off && match.counted).flatMap(resultsOf);
  const adjusted = new Set<number>();
  return groupsOf(matches).flatMap((group) => groupTable(group, { teams, rules, type, playOffs, adjusted }));
}

const sidesOf = ({ home_id, away_id }: TableMatchRow) => [home_id, away_id];

interface Group {
  name: string | null;
  stage: number;
  matches: TableMatchRow[];
}

/** Groups of two stages may have the same name: then the name includes the stage. */
function groupsOf(matches: readonly TableMatchRow[]): Group[] {
  const stages = [...new Set(matches.map(({ stage }) => stage))];
  const stagesOf = new Map<string | null, Set<string>>();
  for (const { group, stage } of matches) stagesOf.set(group, (stagesOf.get(group) ?? new Set()).add(stage));
  const groups = new Map<string | null, Group>();
  for (const match of matches) {
    const shared = match.group !== null && match.stage !== '' && stagesOf.get(match.group)!.size > 1;
    const name = shared ? `${match.stage}, ${match.group}` : match.group;
    if (!groups.has(name)) groups.set(name, { name, stage: stages.indexOf(match.stage), matches: [] });
    groups.get(name)!.matches.push(match);
  }
  return [...groups.values()].sort(
    (a, b) => a.stage - b.stage || (a.name ?? '').localeCompare(b.name ?? '', 'en', { numeric: true }),
  );
}

interface TableContext {
  teams: ReadonlyMap<number, TeamRow>;
  rules: TableRules;
  type: StandingType;
  playOffs: readonly Result[];
  /** Sides whose points are adjusted already: a side that is in several groups is adjusted in the first. */
  adjusted: Set<number>;
}

function groupTable({ name: group, matches }: Group, context: TableContext): StandingsRow[] {
  const { rules, type, playOffs, adjusted } = context;
  const teams = [...new Set(matches.flatMap(sidesOf))].map((id) => context.teams.get(id)!);
  const adjustments = new Map<number, number>();
  for (const { id, adjustment } of teams) {
    if (type !== 'total' || adjustment === 0 || adjusted.has(id)) continue;
    adjustments.set(id, adjustment);
    adjusted.add(id);
  }
  const results = selected(matches.filter(({ counted }) => counted).flatMap(resultsOf), type);
  return computeTable(teams, results, rules, { adjustments, playOffs }).map((row, index) => {
    const { name, name_ru } = context.teams.get(row.team)!;
    return {
      position: index + 1,
      participant_id: row.team,
      name,
      name_ru,
      group,
      played: row.played,
      wins: row.wins,
      draws: row.draws,
      losses: row.losses,
      scores_for: row.scored,
      scores_against: row.conceded,
      goal_difference: row.scored - row.conceded,
      points: row.points,
      points_deducted: 0 - (adjustments.get(row.team) ?? 0),
      form: row.form,
    };
  });
}

function selected(results: Result[], type: StandingType): Result[] {
  if (type === 'form') return lastResults(results);
  return type === 'total' ? results : results.filter(({ away }) => away === (type === 'away'));
}

function resultsOf({ home_id, away_id, home_score, away_score, winner, overtime }: TableMatchRow): Result[] {
  const outcome = (side: 'home' | 'away') => (winner === 'draw' ? 'D' : winner === side ? 'W' : 'L');
  return [
    {
      team: home_id,
      opponent: away_id,
      away: false,
      scored: home_score,
      conceded: away_score,
      outcome: outcome('home'),
      overtime,
    },
    {
      team: away_id,
      opponent: home_id,
      away: true,
      scored: away_score,
      conceded: home_score,
      outcome: outcome('away'),
      overtime,
    },
  ];
}
