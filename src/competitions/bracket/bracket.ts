/** Builds a season's bracket: each knock-out round's ties, the sides that go on, and gaps for unknown sides. Pure. */

import { compareRounds, knockoutRounds, type Round, type RoundMatch, type RoundRules } from './knockout-rounds.ts';
import { orientScore, type Sides } from './pairings.ts';
import { type KnockoutRound, toKnockoutRound } from './round-names.ts';
import { countWins, decideTie, type Tie, type TieResult } from './tie-result.ts';

export interface BracketRules extends RoundRules {
  awayGoals: boolean;
  /** Maximum number of games in a series; null if unknown. */
  bestOf: number | null;
}

export interface Leg {
  /** Null if the match for this leg is unknown. */
  event_id: number | null;
  score: Sides | null;
}

export interface Matchup extends TieResult {
  /** Null for a side that is not known yet. */
  sides: readonly [number | null, number | null];
  /** For each side, true if it did not play in the previous round although some sides in this round did. */
  byes: readonly [boolean, boolean];
  legs: Leg[];
}

export interface BracketRound {
  round: KnockoutRound;
  matchups: Matchup[];
}

/**
 * @param over true if no more matches are expected
 * @returns rounds in playing order; matchups in the order of a drawn bracket
 */
export function buildBracket(matches: readonly RoundMatch[], rules: BracketRules, over: boolean): BracketRound[] {
  const found = knockoutRounds(matches, rules);
  const rounds = over ? found : found.map((one) => withExpectedLegs(one, found));
  const shown = rounds.map((one) => ({
    round: one.round,
    matchups: one.ties.map((tie) => toMatchup(tie, one, rounds, rules, over)),
  }));
  const ordered = inTreeOrder(shown);
  return over || isWon(ordered) ? ordered : withUnknownSides(ordered);
}

/** True if winners can play the later round next. It must be in the same part, or in the main part, which leads to the cup. */
const follows = (later: KnockoutRound, { part, order }: KnockoutRound) =>
  !later.aside &&
  (later.part === part || later.part === null) &&
  (later.order[0] - order[0] || later.order[1] - order[1] || (later.part === part ? 0 : 1)) > 0;

const sidesOf = (ties: readonly { sides: readonly (number | null)[] }[]) => new Set(ties.flatMap(({ sides }) => sides));

const laterSides = (round: KnockoutRound, rounds: readonly Round[]) =>
  sidesOf(rounds.filter((other) => follows(other.round, round)).flatMap(({ ties }) => ties));

const precedingRound = ({ round }: { round: KnockoutRound }, rounds: readonly Round[]): Round | undefined =>
  rounds
    .filter((other) => !other.round.aside && other.round.part === round.part && compareRounds(other.round, round) < 0)
    .at(-1);

/**
 * If the previous round had two legs, a second leg is expected in this round, too, unless a side already plays in a later
 * round.
 */
function withExpectedLegs(one: Round, rounds: readonly Round[]): Round {
  const { round, ties } = one;
  const before = precedingRound(one, rounds);
  const isLast = round.aside || round.sides === 2;
  const single = ties.every(({ format, matches }) => format === 'single' && matches.length === 1);
  if (isLast || !single || !before?.ties.some(({ format }) => format === 'legs')) return one;
  const later = laterSides(round, rounds);
  if (ties.some(({ sides }) => sides.some((side) => later.has(side)))) return one;
  return { round, ties: ties.map((tie) => ({ ...tie, format: 'legs' })) };
}

function toMatchup(tie: Tie, one: Round, rounds: readonly Round[], rules: BracketRules, over: boolean): Matchup {
  const later = laterSides(one.round, rounds);
  const bestOf = rules.rounds?.[one.round.name]?.best_of ?? rules.bestOf;
  const wins = bestOf === null ? winsNeeded(tie, one, later, over) : Math.ceil(bestOf / 2);
  const outcome = decideTie(tie, { awayGoals: rules.awayGoals, wins, over });
  const known = tie.matches.map((match) => ({ event_id: match.id, score: orientScore(match, tie.sides) }));
  const missing = Array.from({ length: outcome.missing }, () => ({ event_id: null, score: null }));
  const before = one.round.aside ? undefined : precedingRound(one, rounds);
  return {
    ...byAdvance(outcome, tie, later),
    sides: tie.sides,
    byes: findByes(tie.sides, one, before),
    legs: [...known, ...missing],
  };
}

/**
 * Returns how many wins decide a series. This is the highest number of wins by a side that plays a later round, or by
 * any side if the season is over.
 */
function winsNeeded(tie: Tie, { ties }: Round, later: ReadonlySet<number | null>, over: boolean): number | null {
  // Series in a round may differ in length, as in the first decades of the NHL.
  const own = countWins(tie);
  if (own[0] !== own[1] && later.has(own[0] > own[1] ? tie.sides[0] : tie.sides[1])) return Math.max(...own);
  const decided = ties.flatMap((tie) => {
    const wins = countWins(tie);
    const leader = wins[0] > wins[1] ? tie.sides[0] : tie.sides[1];
    return over || later.has(leader) ? [Math.max(...wins)] : [];
  });
  return decided.length > 0 ? Math.max(...decided) : null;
}

/** Adds the winner if the tie's matches do not show it. The side that plays a later round has won. */
function byAdvance(outcome: TieResult, { sides, matches }: Tie, later: ReadonlySet<number | null>): TieResult {
  if (outcome.winner !== null || matches.some(({ status }) => status !== 'finished')) return outcome;
  const [winner, another] = sides.filter((side) => later.has(side));
  return winner !== undefined && another === undefined ? { ...outcome, finished: true, winner } : outcome;
}

/** A play-in fills the last places of a round. The sides that have their places already do not have a bye. */
const PLAY_IN = /^play-in\b/i;

function findByes(sides: Sides, { ties }: Round, before: Round | undefined): readonly [boolean, boolean] {
  if (before !== undefined && PLAY_IN.test(before.round.name)) return [false, false];
  const played = sidesOf(before?.ties ?? []);
  const others = [...sidesOf(ties)].some((side) => played.has(side));
  return [others && !played.has(sides[0]), others && !played.has(sides[1])];
}

/**
 * Orders ties as in a drawn bracket, in which two ties are neighbours if their winners meet. The rest follow, ordered
 * by first match.
 */
function inTreeOrder(rounds: readonly BracketRound[]): BracketRound[] {
  const places = new Map<string, Map<number | null, number>>();
  const placed = rounds.toReversed().map(({ round, matchups }) => {
    const next = places.get(String(round.part));
    const bracketPosition = ({ sides }: Matchup) =>
      Math.min(...sides.map((side) => next?.get(side) ?? Number.MAX_SAFE_INTEGER));
    const ordered = matchups.toSorted((a, b) => bracketPosition(a) - bracketPosition(b));
    if (!round.aside)
      places.set(
        String(round.part),
        new Map(ordered.flatMap(({ sides }) => sides).map((side, place) => [side, place])),
      );
    return { round, matchups: ordered };
  });
  return placed.reverse();
}

const isWon = (rounds: readonly BracketRound[]) =>
  rounds.some(
    ({ round, matchups }) => round.sides === 2 && round.part === null && matchups.every(({ finished }) => finished),
  );

const UNKNOWN: Matchup = {
  finished: false,
  score: null,
  result: null,
  winner: null,
  missing: 0,
  sides: [null, null],
  byes: [false, false],
  legs: [],
};

/**
 * Adds ties that follow from the names of rounds, for example two semi-finals and a final after quarter-finals. None is added
 * to the first round, since sides may have a bye there.
 */
function withUnknownSides(rounds: readonly BracketRound[]): BracketRound[] {
  const main = rounds.filter(({ round }) => round.part === null && !round.aside);
  const whole = [...rounds];
  for (let sides = main.find(({ round }) => round.sides !== null)?.round.sides ?? 0; sides >= 2; sides /= 2) {
    const stored = main.find(({ round }) => round.sides === sides);
    const round = stored?.round ?? toKnockoutRound(sides, null);
    const isFirst = !main.some((other) => compareRounds(other.round, round) < 0);
    const missing = isFirst ? 0 : Math.max(0, sides / 2 - (stored?.matchups.length ?? 0));
    const matchups = [...(stored?.matchups ?? []), ...Array.from({ length: missing }, () => UNKNOWN)];
    if (stored) whole[whole.indexOf(stored)] = { round, matchups };
    else whole.push({ round, matchups });
  }
  return whole.sort((a, b) => compareRounds(a.round, b.round));
}
