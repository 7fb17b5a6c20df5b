/** A tie's result, and the side that advances, from one match, replays, two legs, or a series. Pure. */
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
  /** Score in the deciding match, in both legs together, or in games won. Null if nothing is known yet. */
  score: Sides | null;
  /** Null until the tie is finished, and if the result is unknown. */
  result: string | null;
  /** The side that advances; null if the scores do not tell. */
  winner: number | null;
  /** Legs that must exist but are unknown. */
  missing: number;
}

export interface TieRules {
  /** Two legs level on aggregate are decided by away goals, if they did not need extra time. */
  awayGoals: boolean;
  /** Games that win a series; null if unknown, so that another game may follow. */
  wins: number | null;
  /** True if no match is expected any more. */
  over: boolean;
}

const LEGS = 2;

const isPending = ({ status }: BracketMatch) => status !== 'finished';

const sum = (scores: readonly Sides[]): Sides =>
  scores.reduce<Sides>(([a, b], [first, second]) => [a + first, b + second], [0, 0]);

/** @returns what the matches say; the sides in a later round may tell more, see bracket.ts */
export function decideTie(tie: Tie, rules: TieRules): TieResult {
  const counted = tie.matches.filter(isCounted);
  if (tie.format === 'series') return series(tie, counted, rules);
  const [first, second] = counted;
  const replayed = first !== undefined && second !== undefined && wentOn(first);
  return tie.format === 'legs' && !replayed ? legs(tie, counted, rules) : single(tie, counted);
}

/** Handles one match, or the last replay. */
function single({ sides, matches }: Tie, counted: readonly BracketMatch[]): TieResult {
  const live = matches.find(({ status }) => status === 'live');
  if (matches.some(isPending)) return open(live ? orientScore(live, sides) : null);
  const last = counted.at(-1);
  if (last === undefined) return withoutScore(matches);
  const before = counted.slice(0, -1);
  // A match with a winner needs no replay, so it is unknown which match decides.
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

/** A walkover without a score is over; an abandoned match is not. */
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
 * Handles more than two matches. The last one decides if all before it leave the sides level. Otherwise the deciding
 * match is unknown.
 */
function playOff(counted: readonly BracketMatch[], sides: Sides): TieResult {
  const before = sum(counted.slice(0, -1).map((match) => orientScore(match, sides)!));
  const last = counted.at(-1)!;
  if (before[0] !== before[1]) return unclear(counted, sides);
  return { ...decided(orientScore(last, sides), winnerOf(last, sides)), result: playOffText(before, last, sides) };
}

/** Games won by each side. */
export function countWins({ sides, matches }: { sides: Sides; matches: readonly BracketMatch[] }): Sides {
  const winners = matches.filter(isCounted).map((match) => winnerOf(match, sides));
  return [winners.filter((one) => one === sides[0]).length, winners.filter((one) => one === sides[1]).length];
}

function series({ sides, matches }: Tie, counted: readonly BracketMatch[], { wins, over }: TieRules): TieResult {
  const score = countWins({ sides, matches });
  if (counted.length === 0) return matches.some(isPending) ? open(null) : withoutScore(matches);
  const winner = leader(score, sides);
  const enough = wins === null ? over : Math.max(...score) >= wins;
  // Some sources keep games in the schedule that are no longer needed.
  if (winner === null || !enough || (wins === null && matches.some(isPending))) return open(score);
  return { ...decided(score, winner), result: seriesText(score) };
}
