/** The matches between two sides in a round, each with score and winner from these sides' view. Pure. */
import { type Meeting, pairKey } from '../meetings.ts';

export interface BracketMatch extends Meeting {
  id: number;
  /** Seconds since 1970. */
  start: number;
  status: 'scheduled' | 'live' | 'finished';
  status_detail: string;
  home_score: number | null;
  away_score: number | null;
  period_scores: readonly { period: string; home: number; away: number }[];
  /** From a source that may lack the score. */
  shootout_winner?: 'home' | 'away' | null;
}

/** Scores and results have the same order as these sides. */
export type Sides = readonly [number, number];
export type Format = 'single' | 'legs' | 'series';

/** Two sides with all their matches in a round. */
export interface Pairing<M extends BracketMatch = BracketMatch> {
  /** The side at home in the first match comes first. */
  sides: Sides;
  /** Oldest first. */
  matches: readonly [M, ...M[]];
}

const SHOOT_OUTS = ['PEN', 'SO'];
export const OVERTIMES = ['OT', 'ET'];

/** Returns the pairings, ordered by first match. */
export function listPairings<M extends BracketMatch>(matches: readonly M[]): Pairing<M>[] {
  const pairings = new Map<string, { sides: Sides; matches: [M, ...M[]] }>();
  for (const match of [...matches].sort((a, b) => a.start - b.start || a.id - b.id)) {
    const key = pairKey(match);
    const known = pairings.get(key);
    if (known === undefined) pairings.set(key, { sides: [match.home_id, match.away_id], matches: [match] });
    else known.matches.push(match);
  }
  return [...pairings.values()];
}

/** Counted matches have both scores and were played to the end, or decided by the organizer. */
export const isCounted = (match: BracketMatch): boolean =>
  match.status === 'finished' &&
  match.home_score !== null &&
  match.away_score !== null &&
  match.status_detail !== 'abandoned';
/** Returns a match score from the first side's point of view. */
export function orientScore({ home_id, home_score, away_score }: BracketMatch, [first]: Sides): Sides | null {
  if (home_score === null || away_score === null) return null;
  return home_id === first ? [home_score, away_score] : [away_score, home_score];
}

export const periodScore = (match: BracketMatch, names: readonly string[]) =>
  match.period_scores.find(({ period }) => names.includes(period));

export function orientShootOut(match: BracketMatch, [first]: Sides): Sides | null {
  const kicks = periodScore(match, SHOOT_OUTS);
  if (kicks === undefined) return null;
  return match.home_id === first ? [kicks.home, kicks.away] : [kicks.away, kicks.home];
}

/** Whether it continued after regular time, which the first leg never does. */
export const wentOn = (match: BracketMatch): boolean =>
  ['after_extra_time', 'after_penalties'].includes(match.status_detail) ||
  periodScore(match, [...OVERTIMES, ...SHOOT_OUTS]) !== undefined;

export const leader = (score: Sides | null, [first, second]: Sides): number | null => {
  if (score === null || score[0] === score[1]) return null;
  return score[0] > score[1] ? first : second;
};

/** Null without a shoot-out, and if nobody knows the winner. */
export function shootOutWinner(match: BracketMatch, sides: Sides): number | null {
  const { home_id, away_id, shootout_winner = null } = match;
  const named = shootout_winner === null ? null : shootout_winner === 'home' ? home_id : away_id;
  return leader(orientShootOut(match, sides), sides) ?? named;
}

/** Null for a draw. */
export const winnerOf = (match: BracketMatch, sides: Sides): number | null =>
  leader(orientScore(match, sides), sides) ?? shootOutWinner(match, sides);
