/** The table of a season: its matches, by its rules. */
import type { z } from 'zod';
import type { Queryable } from '../db/postgres.ts';
import { type NamedTeam, type SeasonOfTournament, seasonTeams, type TableMatch, tableMatches } from './queries.ts';
import { type TableRules, tableRules } from './rules.ts';
import type { StandingType, standingsRow } from './schema.ts';
import { computeTable, lastResults, type Result } from './table.ts';

export type StandingsRow = z.infer<typeof standingsRow>;

/** Empty for a season that has no table. Groups by name, and a table without a group before them. */
export async function seasonTable(
  db: Queryable,
  season: SeasonOfTournament,
  type: StandingType,
): Promise<StandingsRow[]> {
  const rules = tableRules(season.sport, [season.tournament_rules, season.season_rules]);
  if (season.season_id === null || !rules.table) return [];
  const matches = await tableMatches(db, season.season_id);
  const ids = new Set(matches.flatMap(({ home_id, away_id }) => [home_id, away_id]));
  const teams = await seasonTeams(db, season.season_id, [...ids]);
  const adjusted = new Set<number>();
  return groupsOf(matches).flatMap(([group, list]) => groupTable(group, list, teams, rules, type, adjusted));
}

function groupsOf(matches: readonly TableMatch[]): [string | null, TableMatch[]][] {
  const groups = new Map<string | null, TableMatch[]>();
  for (const match of matches) groups.set(match.group, [...(groups.get(match.group) ?? []), match]);
  return [...groups].sort(([a], [b]) => (a ?? '').localeCompare(b ?? '', 'en', { numeric: true }));
}

/** @param adjusted teams whose points have been adjusted in another group; the first one that a team is in takes it. */
function groupTable(
  group: string | null,
  matches: readonly TableMatch[],
  named: ReadonlyMap<number, NamedTeam>,
  rules: TableRules,
  type: StandingType,
  adjusted: Set<number>,
): StandingsRow[] {
  const ids = [...new Set(matches.flatMap(({ home_id, away_id }) => [home_id, away_id]))];
  const teams = ids.map((id) => named.get(id)!);
  const adjustments = new Map<number, number>();
  for (const { id, adjustment } of teams) {
    if (type !== 'total' || adjustment === 0 || adjusted.has(id)) continue;
    adjustments.set(id, adjustment);
    adjusted.add(id);
  }
  const results = matches.filter(({ counted }) => counted).flatMap(resultsOf);
  return computeTable(teams, selected(results, type), rules, adjustments).map((row, index) => {
    const { name, name_ru } = named.get(row.team)!;
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

function resultsOf({ home_id, away_id, home_score, away_score, winner, overtime }: TableMatch): Result[] {
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
