/**
 * Finds a tie's result and the side that advances. A tie is a single match, a match with replays, two legs, or a series.
 * Pure.
 */
import {
  type BracketMatch,
  type Format,
  isCounted,
  leader,
  orientScore,
  orientShootOut,
  type Pairing,
  type Sides,
  shootOutWinner,
  wentOn,
  winnerOf,
} from './pairings.ts';
import { aggregateText, matchTexts, playOffText, replayText, seriesText } from './tie-result-text.ts';

export interface Tie extends Pairing {
  format: Format;
}

export interface TieResult {
  finished: boolean;
  /** The score of the deciding match, the aggregate score, or the games won. Null if unknown. */
  score: Sides | null;
  /** The result as text; null while the tie is not finished, or if the result is unknown. */
  result: string | null;
  /** The side that advances; null if the scores do not tell. */
  winner: number | null;
  /** Number of legs that the tie must have but no source has listed. */
  missing: number;
}

export interface TieRules {
  /** True if away goals decide a tie that is level on aggregate after two legs without a shoot-out. */
  awayGoals: boolean;
  /** Number of games that a side has to win in a series; null if unknown, in which case more games may follow. */
  wins: number | null;
  /** True if no more matches are expected. */
  over: boolean;
}

const LEGS = 2;

const isPending = ({ status }: BracketMatch) => status !== 'finished';

const sum = (scores: readonly Sides[]): Sides =>
  scores.reduce<Sides>(([a, b], [first, second]) => [a + first, b + second], [0, 0]);

/** @returns the result according to the tie's matches alone; bracket.ts adds what a later round shows */
export function decideTie(tie: Tie, rules: TieRules): TieResult {
  const counted = tie.matches.filter(isCounted);
  if (tie.format === 'series') return series(tie, counted, rules);
  const [first, second] = counted;
  const replayed = first !== undefined && second !== undefined && wentOn(first);
  return tie.format === 'legs' && !replayed ? legs(tie, counted, rules) : single(tie, counted);
}

/** Decides a tie by its only match, or by the last replay. */
function single({ sides, matches }: Tie, counted: readonly BracketMatch[]): TieResult {
  const live = matches.find(({ status }) => status === 'live');
  if (matches.some(isPending)) return open(live ? orientScore(live, sides) : null);
  const last = counted.at(-1);
  if (last === undefined) return withoutScore(matches);
  const before = counted.slice(0, -1);
  // A match with a winner needs no replay. If more matches follow, it is unknown which match decides.
  if (before.some((match) => winnerOf(match, sides) !== null)) return unclear(counted, sides);
  return { ...decided(orientScore(last, sides), winnerOf(last, sides)), result: replayText(before, last, sides) };
}

const open = (score: Sides | null, missing = 0): TieResult => ({
  finished: false,
  score,
  result: null,
  winner: null,
  missing,
});
const decided = (score: Sides | null, winner: number | null) => ({ finished: true, score, winner, missing: 0 });

/** Decides a tie in which no match counts. After a walkover it is finished; after an abandoned match it is still open. */
function withoutScore(matches: readonly BracketMatch[]): TieResult {
  const walkover = matches.some(({ status_detail }) => status_detail === 'walkover' || status_detail === 'awarded');
  return walkover ? { ...decided(null, null), result: 'walkover' } : open(null);
}

function unclear(counted: readonly BracketMatch[], sides: Sides): TieResult {
  return { ...decided(null, null), result: matchTexts(counted, sides) };
}

function legs({ sides, matches }: Tie, counted: readonly BracketMatch[], { awayGoals }: TieRules): TieResult {
  const live = matches.filter((match) => match.status === 'live' && match.home_score !== null);
  const known = [...counted, ...live].map((match) => orientScore(match, sides)!);
  const score = known.length > 0 ? sum(known) : null;
  if (matches.some(isPending))
    return open(score, Math.max(0, LEGS - counted.length - matches.filter(isPending).length));
  const [only] = counted;
  if (only !== undefined && counted.length === 1 && (wentOn(only) || only.status_detail === 'walkover'))
    return single({ sides, matches, format: 'single' }, counted);
  if (counted.length < LEGS) return open(score, LEGS - counted.length);
  if (counted.length > LEGS) return playOff(counted, sides);
  return aggregate(counted, sides, awayGoals);
}

function aggregate(counted: readonly BracketMatch[], sides: Sides, awayGoals: boolean): TieResult {
  const score = sum(counted.map((match) => orientScore(match, sides)!));
  const last = counted.at(-1)!;
  const onKicks = shootOutWinner(last, sides);
  const away =
    awayGoals && !orientShootOut(last, sides) && onKicks === null
      ? leader(countAwayGoals(counted, sides), sides)
      : null;
  const winner = leader(score, sides) ?? onKicks;
  const onAwayGoals = winner === null && away !== null;
  return { ...decided(score, winner ?? away), result: aggregateText(score, counted, sides, onAwayGoals) };
}

const countAwayGoals = (counted: readonly BracketMatch[], sides: Sides): Sides =>
  sum(
    counted.map((match) => {
      const [first, second] = orientScore(match, sides)!;
      return match.home_id === sides[0] ? [0, second] : [first, 0];
    }),
  );

/**
 * Decides a tie with more than two matches. If the sides are level before the last match, that match decides. Otherwise it is
 * unknown which match decides.
 */
function playOff(counted: readonly BracketMatch[], sides: Sides): TieResult {
  const before = sum(counted.slice(0, -1).map((match) => orientScore(match, sides)!));
  const last = counted.at(-1)!;
  if (before[0] !== before[1]) return unclear(counted, sides);
  return { ...decided(orientScore(last, sides), winnerOf(last, sides)), result: playOffText(before, last, sides) };
}

/** Returns how many games each side has won. */
export function countWins({ sides, matches }: { sides: Sides; matches: readonly BracketMatch[] }): Sides {
  const winners = matches.filter(isCounted).map((match) => winnerOf(match, sides));
  return [winners.filter((one) => one === sides[0]).length, winners.filter((one) => one === sides[1]).length];
}

function series({ sides, matches }: Tie, counted: readonly BracketMatch[], { wins, over }: TieRules): TieResult {
  const score = countWins({ sides, matches });
  if (counted.length === 0) return matches.some(isPending) ? open(null) : withoutScore(matches);
  const winner = leader(score, sides);
  const enough = wins === null ? over : Math.max(...score) >= wins;
  // A series is finished after enough wins, even if games are still scheduled, since some sources do not remove these.
  if (winner === null || !enough || (wins === null && matches.some(isPending))) return open(score);
  return { ...decided(score, winner), result: seriesText(score) };
}
