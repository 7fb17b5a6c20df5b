/** Matches from football-datasets' five leagues, without odds. Shots on target begin in about 2005. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { HistoryMatch, HistoryTournament, MatchSource } from '../../src/analytics/history/match-source.ts';

/** Folder with the data sets: DATA, or the folder beside the repository. */
const DATA = process.env.DATA ?? fileURLToPath(new URL('../../../shared/datasets/', import.meta.url));
const FOLDER = join(DATA, 'football-datasets');

const LEAGUES = [
  ['premier-league', 'Premier League'],
  ['la-liga', 'La Liga'],
  ['bundesliga', 'Bundesliga'],
  ['serie-a', 'Serie A'],
  ['ligue-1', 'Ligue 1'],
] as const;
/** Distance between the match ids of two leagues. */
const MATCHES_OF_A_LEAGUE = 1_000_000;

/** Returns null if the data files are missing. */
export function footballHistory(): MatchSource | null {
  if (!existsSync(FOLDER)) return null;
  return {
    tournaments: async () =>
      LEAGUES.map(([, name], index): HistoryTournament => ({ id: index + 1, name, sport: 'football' })),
    matches: async (tournament) => matchesOf(join(FOLDER, LEAGUES[tournament - 1]![0]), tournament),
  };
}

function matchesOf(folder: string, tournament: number): HistoryMatch[] {
  const ids = new Map<string, number>();
  const idOf = (team: string) => {
    const id = ids.get(team) ?? ids.size + 1;
    ids.set(team, id);
    return id;
  };
  const seasons = readdirSync(folder)
    .filter((name) => name.endsWith('.csv.gz'))
    .map((name) => {
      const digits = /^season-(\d\d)(\d\d)/.exec(name)!;
      const year = Number(digits[1]) + (Number(digits[1]) > 90 ? 1900 : 2000);
      return { name, year, label: `${year}/${digits[2]}` };
    })
    .sort((a, b) => a.year - b.year);
  const matches: HistoryMatch[] = [];
  for (const { name, label } of seasons) {
    const [head, ...rows] = gunzipSync(readFileSync(join(folder, name)))
      .toString('utf8')
      .trim()
      .split(/\r?\n/)
      .map((row) => row.split(','));
    const column = (title: string) => head!.indexOf(title);
    const columns = ['Date', 'HomeTeam', 'AwayTeam', 'FTHG', 'FTAG', 'HST', 'AST'].map(column);
    for (const row of rows) {
      const [date, home, away, homeGoals, awayGoals, homeShots, awayShots] = columns.map((index) => row[index]);
      if (!homeGoals || !awayGoals) continue;
      matches.push({
        id: tournament * MATCHES_OF_A_LEAGUE + matches.length,
        season: label,
        start: Date.parse(`${date}T12:00:00Z`) / 1000,
        home_id: idOf(home!),
        away_id: idOf(away!),
        home_score: Number(homeGoals),
        away_score: Number(awayGoals),
        neutral: false,
        home_shots_on_target: homeShots ? Number(homeShots) : null,
        away_shots_on_target: awayShots ? Number(awayShots) : null,
      });
    }
  }
  return matches;
}
