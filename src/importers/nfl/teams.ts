/** Teams in FiveThirtyEight's nfl_games.csv, from data/identity/nfl-teams.csv. */
import { dataRows } from '../../wire/data-file.ts';

/** Leagues in the file, as tournaments.yaml names them. */
const LEAGUES = ['NFL', 'American Football League', 'All-America Football Conference'] as const;
export type League = (typeof LEAGUES)[number];

const TEAMS = new Map(
  dataRows('identity/nfl-teams.csv', ['code', 'name', 'league', 'from', 'until']).map((row) => [row.code, row]),
);

/** Returns undefined for an unknown code. */
export const teamName = (code: string): string | undefined => TEAMS.get(code)?.name;

/** Returns the league in which a franchise played a season. */
export function leagueIn(code: string, season: number): League {
  const team = TEAMS.get(code);
  if (team === undefined || season < Number(team.from) || season > Number(team.until)) return 'NFL';
  return LEAGUES.find((league) => league === team.league) ?? 'NFL';
}
