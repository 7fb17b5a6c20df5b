/**
 * The matches of two sides in a round, and the side that advances: one match, replays, two legs, or a series of games.
 * Pure.
 */
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

/** Scores and results have the order of these sides. */
export type Sides = readonly [number, number];
export type Format = 'single' | 'legs' | 'series';

/** Two sides with all their matches in a round. */
export interface Pairing<M extends BracketMatch = BracketMatch> {
  /** The side at home in the first match comes first. */
  sides: Sides;
  /** Oldest first. */
  matches: readonly [M, ...M[]];
}

export interface Tie extends Pairing {
  format: Format;
}

export interface TieResult {
  finished: boolean;
  /** Score of the deciding match, of both legs together, or the games won; null if nothing is known yet. */
  score: Sides | null;
  /** Null until it is finished, and if it is unknown. */
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
  /** No match is expected any more. */
  over: boolean;
}

const LEGS = 2;
const SHOOT_OUTS = ['PEN', 'SO'];
const OVERTIMES = ['OT', 'ET'];

/** Returns the pairings of matches, in the order of their first matches. */
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

/** Counted matches have both scores and were played to their end, or decided by the organizer. */
export const isCounted = (match: BracketMatch): boolean =>
  match.status === 'finished' &&
  match.home_score !== null &&
  match.away_score !== null &&
  match.status_detail !== 'abandoned';
const isPending = ({ status }: BracketMatch) => status !== 'finished';

/** The score of a match from the first side's point of view. */
export function orientScore({ home_id, home_score, away_score }: BracketMatch, [first]: Sides): Sides | null {
  if (home_score === null || away_score === null) return null;
  return home_id === first ? [home_score, away_score] : [away_score, home_score];
}

const periodScore = (match: BracketMatch, names: readonly string[]) =>
  match.period_scores.find(({ period }) => names.includes(period));

function orientShootOut(match: BracketMatch, [first]: Sides): Sides | null {
  const kicks = periodScore(match, SHOOT_OUTS);
  if (kicks === undefined) return null;
  return match.home_id === first ? [kicks.home, kicks.away] : [kicks.away, kicks.home];
}

/** Whether it continued after its regular time: the first of two legs never does. */
export const wentOn = (match: BracketMatch): boolean =>
  ['after_extra_time', 'after_penalties'].includes(match.status_detail) ||
  periodScore(match, [...OVERTIMES, ...SHOOT_OUTS]) !== undefined;

const leader = (score: Sides | null, [first, second]: Sides): number | null => {
  if (score === null || score[0] === score[1]) return null;
  return score[0] > score[1] ? first : second;
};

/** Null without a shoot-out, and if nobody knows the winner. */
function shootOutWinner(match: BracketMatch, sides: Sides): number | null {
  const { home_id, away_id, shootout_winner = null } = match;
  const named = shootout_winner === null ? null : shootout_winner === 'home' ? home_id : away_id;
  return leader(orientShootOut(match, sides), sides) ?? named;
}

/** Null for a draw. */
export const winnerOf = (match: BracketMatch, sides: Sides): number | null =>
  leader(orientScore(match, sides), sides) ?? shootOutWinner(match, sides);

const text = ([first, second]: Sides) => `${first}:${second}`;
const sum = (scores: readonly Sides[]): Sides =>
  scores.reduce<Sides>(([a, b], [first, second]) => [a + first, b + second], [0, 0]);

/** Returns " after extra time, 4:2 on penalties", as far as it is known. */
function howItEnded(match: BracketMatch, sides: Sides): string {
  const overtime =
    periodScore(match, OVERTIMES)?.period ?? (match.status_detail === 'after_extra_time' ? 'ET' : undefined);
  const went = overtime === undefined ? '' : overtime === 'OT' ? ' after overtime' : ' after extra time';
  const kicks = orientShootOut(match, sides);
  const how = match.period_scores.some(({ period }) => period === 'SO') ? 'after a shoot-out' : 'on penalties';
  if (kicks !== null) return `${went}, ${text(kicks)} ${how}`;
  return match.status_detail === 'after_penalties' ? `${went}, ${how}` : went;
}

const DECISIONS: Record<string, string> = { awarded: ', awarded', walkover: ', walkover', retired: ', retired' };

function matchText(match: BracketMatch, sides: Sides): string {
  return `${text(orientScore(match, sides)!)}${howItEnded(match, sides)}${DECISIONS[match.status_detail] ?? ''}`;
}

/** @returns what the matches say; who plays in a later round may say more, see bracket.ts */
export function decideTie(tie: Tie, rules: TieRules): TieResult {
  const counted = tie.matches.filter(isCounted);
  if (tie.format === 'series') return series(tie, counted, rules);
  const [first, second] = counted;
  const replayed = first !== undefined && second !== undefined && wentOn(first);
  return tie.format === 'legs' && !replayed ? legs(tie, counted, rules) : single(tie, counted);
}

/** Handles one match, or the last of its replays. */
function single({ sides, matches }: Tie, counted: readonly BracketMatch[]): TieResult {
  const live = matches.find(({ status }) => status === 'live');
  if (matches.some(isPending)) return open(live ? orientScore(live, sides) : null);
  const last = counted.at(-1);
  if (last === undefined) return withoutScore(matches);
  const before = counted.slice(0, -1);
  // A match with a winner needs no replay, so it is unknown which of the matches decides.
  if (before.some((match) => winnerOf(match, sides) !== null)) return unclear(counted, sides);
  const replay = before.length > 0 ? ' in the replay' : '';
  const texts = before.map((match) => matchText(match, sides));
  return {
    ...decided(orientScore(last, sides), winnerOf(last, sides)),
    result: [...texts, `${matchText(last, sides)}${replay}`].join('; '),
  };
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
  return { ...decided(null, null), result: counted.map((match) => matchText(match, sides)).join('; ') };
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
  const how = winner === null && away !== null ? ' on away goals' : '';
  const awarded = counted.some(({ status_detail }) => status_detail in DECISIONS) ? ', a leg was awarded' : '';
  return {
    ...decided(score, winner ?? away),
    result: `${text(score)} on aggregate${howItEnded(last, sides)}${how}${awarded}`,
  };
}

const countAwayGoals = (counted: readonly BracketMatch[], sides: Sides): Sides =>
  sum(
    counted.map((match) => {
      const [first, second] = orientScore(match, sides)!;
      return match.home_id === sides[0] ? [0, second] : [first, 0];
    }),
  );

/**
 * Handles more than two matches: the last one decides if all before it leave the sides level; otherwise the deciding
 * match is unknown.
 */
function playOff(counted: readonly BracketMatch[], sides: Sides): TieResult {
  const before = sum(counted.slice(0, -1).map((match) => orientScore(match, sides)!));
  const last = counted.at(-1)!;
  if (before[0] !== before[1]) return unclear(counted, sides);
  return {
    ...decided(orientScore(last, sides), winnerOf(last, sides)),
    result: `${text(before)} on aggregate; ${matchText(last, sides)} in the play-off`,
  };
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
  return { ...decided(score, winner), result: `${text(score)} in the series` };
}
