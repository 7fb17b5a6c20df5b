/** Groups a round's matches by pairs of sides, and reads scores and winners in the order of the pair. Pure. */
import { type Meeting, pairKey } from '../meetings.ts';

export interface BracketMatch extends Meeting {
  id: number;
  /** Says how overtime is called; if absent, the code does. */
  sport?: string;
  /** Seconds since 1970. */
  start: number;
  status: 'scheduled' | 'live' | 'finished';
  status_detail: string;
  home_score: number | null;
  away_score: number | null;
  period_scores: readonly { period: string; home: number; away: number }[];
  /** The shoot-out's winner, from a source that may lack the shoot-out's score. */
  shootout_winner?: 'home' | 'away' | null;
  /** The result, if the score does not show it. */
  given_winner?: 'home' | 'away' | 'draw' | null;
}

/** Two values for two sides, such as ids or scores, always in the same order. */
export type Sides = readonly [number, number];
export type Format = 'single' | 'legs' | 'series';

/** Two sides with all matches between them in a round. */
export interface Pairing<M extends BracketMatch = BracketMatch> {
  /** The first side is the one at home in the first match. */
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

/** Returns true if a match has both scores, and was played to the end or decided by the organizer. */
export const isCounted = (match: BracketMatch): boolean =>
  match.status === 'finished' &&
  match.home_score !== null &&
  match.away_score !== null &&
  match.status_detail !== 'abandoned';
/** Returns a match's score from the first side's point of view. */
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

/** Returns true if a match had extra time or a shoot-out. A first leg never has either. */
export const wentOn = (match: BracketMatch): boolean =>
  ['after_extra_time', 'after_penalties'].includes(match.status_detail) ||
  periodScore(match, [...OVERTIMES, ...SHOOT_OUTS]) !== undefined;

export const leader = (score: Sides | null, [first, second]: Sides): number | null => {
  if (score === null || score[0] === score[1]) return null;
  return score[0] > score[1] ? first : second;
};

/** Returns null if there was no shoot-out, or if the winner is unknown. */
export function shootOutWinner(match: BracketMatch, sides: Sides): number | null {
  const { home_id, away_id, shootout_winner = null } = match;
  const named = shootout_winner === null ? null : shootout_winner === 'home' ? home_id : away_id;
  return leader(orientShootOut(match, sides), sides) ?? named;
}

/** Returns the winner of a match, including a shoot-out; null for a draw. */
export function winnerOf(match: BracketMatch, sides: Sides): number | null {
  const { home_id, away_id, given_winner = null } = match;
  if (given_winner !== null) return given_winner === 'draw' ? null : given_winner === 'home' ? home_id : away_id;
  return leader(orientScore(match, sides), sides) ?? shootOutWinner(match, sides);
}
