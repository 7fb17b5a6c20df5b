import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { PlayedMatch } from '../../src/analytics/samples/match-samples.ts';

const PREMIER_LEAGUE = fileURLToPath(
  new URL('../../../shared/datasets/football-datasets/premier-league/', import.meta.url),
);

export const at = (time: string): number => Date.parse(time) / 1000;

/** Makes a match between sides 1, 2 … on a day in 2024. The score decides the winner. */
export function played(day: number, home_id: number, score: string, away_id: number): PlayedMatch {
  const [home_score, away_score] = score.split(':').map(Number) as [number, number];
  const winner = home_score === away_score ? 'draw' : home_score > away_score ? 'home' : 'away';
  return {
    id: day,
    start: at('2024-01-01T15:00:00Z') + day * 86_400,
    home_id,
    away_id,
    home_score,
    away_score,
    winner,
  };
}

/**
 * Returns a season's matches and its teams, which have the ids 1, 2 … If the file is missing, skips the test with a
 * message.
 */
export function premierLeague(
  test: Mocha.Context,
  season: string,
): { matches: PlayedMatch[]; teams: string[]; idOf: (team: string) => number } {
  const file = `${PREMIER_LEAGUE}season-${season}.csv.gz`;
  if (!existsSync(file)) {
    console.warn(`      SKIPPED: ${file} is not there`);
    test.skip();
  }
  const [, ...rows] = gunzipSync(readFileSync(file)).toString('utf8').trim().split(/\r?\n/);
  const teams = [...new Set(rows.map((row) => row.split(',')[1]!))];
  const idOf = (team: string) => teams.indexOf(team) + 1;
  const winners = { H: 'home', D: 'draw', A: 'away' } as const;
  const matches = rows.map((row, index) => {
    const [date, home, away, homeGoals, awayGoals, result] = row.split(',') as [
      string,
      string,
      string,
      string,
      string,
      'H' | 'D' | 'A',
    ];
    return {
      id: index + 1,
      start: at(`${date}T15:00:00Z`),
      home_id: idOf(home),
      away_id: idOf(away),
      home_score: Number(homeGoals),
      away_score: Number(awayGoals),
      winner: winners[result],
    };
  });
  return { matches, teams, idOf };
}
