/** Reads the points in a match's sets, and checks them against the rules of the game. */
import { integer, type Row, scorePair } from '../csv.ts';

interface Sets {
  score: { home: number; away: number };
  period_scores: { period: string; home: number; away: number }[];
}

const SETS_TO_WIN = 3;
const MOST_SETS = 5;
/** Points that win a set, with a lead of two. A set goes on until a side leads by two. */
const SET_POINTS = 25;
const DECIDING_SET_POINTS = 15;
const LEAD = 2;

/** Returns the reason if the sets are refused. */
export function readSets(row: Row): Sets | string {
  const score = scorePair(row.home_sets, row.away_sets);
  const written = `${row.home_sets}:${row.away_sets}`;
  if (score === undefined) return `${JSON.stringify(written)} is not a score`;
  if (Math.max(score.home, score.away) !== SETS_TO_WIN || Math.min(score.home, score.away) >= SETS_TO_WIN)
    return `a match cannot end ${written}`;
  const period_scores: Sets['period_scores'] = [];
  for (let set = 1; set <= MOST_SETS; set++) {
    const cells = [row[`home_s${set}`] ?? '', row[`away_s${set}`] ?? ''] as const;
    const isPlayed = set <= score.home + score.away;
    if (!isPlayed && cells.every((cell) => cell === '')) break;
    const [home, away] = cells.map((cell) => integer(cell) ?? -1) as [number, number];
    if (!isPlayed || !isSet(home, away, set)) return `set ${set} cannot end ${JSON.stringify(cells.join(':'))}`;
    period_scores.push({ period: `S${set}`, home, away });
  }
  const won = period_scores.filter(({ home, away }) => home > away).length;
  if (won !== score.home) return `the sets were won ${won}:${period_scores.length - won}, not ${written}`;
  return { score, period_scores };
}

function isSet(home: number, away: number, set: number): boolean {
  const [most, least] = [Math.max(home, away), Math.min(home, away)];
  const needed = set === MOST_SETS ? DECIDING_SET_POINTS : SET_POINTS;
  return least >= 0 && most >= needed && (most === needed ? most - least >= LEAD : most - least === LEAD);
}
