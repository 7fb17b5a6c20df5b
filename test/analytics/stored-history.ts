/**
 * Recomputes from Postgres what ClickHouse has to contain, without the loader's query, and reads what it does contain.
 */
import assert from 'node:assert/strict';
import type { Analytics } from '../support/analytics.ts';

interface Stored {
  match_id: number;
  tournament_id: number;
  season_id: number;
  start: number;
  home_id: number;
  away_id: number;
  home_score: number;
  away_score: number;
  home_goals: number;
  away_goals: number;
}

const COLUMNS =
  'match_id, tournament_id, season_id, start, home_id, away_id, home_score, away_score, home_goals, away_goals';

/** Formats a match as a line. */
const shown = (match: Stored) =>
  `${match.match_id} ${match.tournament_id}/${match.season_id} ${match.start} ${match.home_id}-${match.away_id} ${match.home_score}:${match.away_score} ${match.home_goals}:${match.away_goals}`;

async function expected({ db }: Analytics): Promise<string[]> {
  const { rows } = await db.pool.query<Stored & { status: string; status_detail: string; at: Date }>(
    `SELECT id AS match_id, tournament_id, season_id, scheduled_start AS at, home_id, away_id, home_score, away_score,
       home_score AS home_goals, away_score AS away_goals, status, status_detail
     FROM match ORDER BY id`,
  );
  const unplayed = ['abandoned', 'cancelled', 'awarded', 'walkover'];
  return rows
    .filter(({ status, status_detail }) => status === 'finished' && !unplayed.includes(status_detail))
    .filter(({ home_score, away_score, home_id, away_id }) => {
      const hasScore = home_score !== null && away_score !== null;
      return hasScore && home_id !== away_id;
    })
    .map((row) => shown({ ...row, start: Math.floor(row.at.getTime() / 1000) }));
}

/** Returns the matches in the served era from both tables, as lines. */
async function stored(service: Analytics) {
  const { rows } = await service.db.pool.query<{ era: number }>('SELECT era FROM analytics_loader');
  const { era } = rows[0]!;
  const played = await service.rows<Stored>(
    `SELECT ${COLUMNS} FROM played_match FINAL WHERE era = ${era} ORDER BY match_id`,
  );
  const sides = await service.rows<Stored & { side_id: number }>(
    `SELECT side_id, ${COLUMNS} FROM side_match FINAL WHERE era = ${era} ORDER BY match_id, side_id`,
  );
  return { played: played.map(shown), sides: sides.map((row) => `${row.side_id}: ${shown(row)}`) };
}

/**
 * Asserts that every counted match is stored exactly once, and once for each side, and that nothing else is stored.
 * @returns the number of matches
 */
export async function assertLoaded(service: Analytics): Promise<number> {
  const wanted = await expected(service);
  const { played, sides } = await stored(service);
  assert.deepEqual(played, wanted);
  const ofSides = wanted.flatMap((line) => {
    const [home, away] = line.split(' ')[3]!.split('-').map(Number) as [number, number];
    return [home, away].sort((a, b) => a - b).map((side) => `${side}: ${line}`);
  });
  assert.deepEqual(sides, ofSides);
  return wanted.length;
}
