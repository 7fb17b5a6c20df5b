/** Finds a season's knock-out rounds by the names that sources give to rounds. Pure. */

import type { TIE_FORMATS } from '../rules.ts';
import {
  type BracketMatch,
  type Format,
  isCounted,
  listPairings,
  type Pairing,
  type Sides,
  wentOn,
  winnerOf,
} from './pairings.ts';
import {
  hasDraws,
  inPart,
  type KnockoutRound,
  knockoutRound,
  type Suffix,
  thirdPlace,
  toKnockoutRound,
} from './round-names.ts';
import { countWins, type Tie } from './tie-result.ts';

export interface RoundMatch extends BracketMatch {
  round_name: string | null;
  group: string | null;
}

export interface Round {
  round: KnockoutRound;
  ties: Tie[];
}

export interface RoundRules {
  sport: string;
  /** True if the competition is known to have a table. Numbered rounds are then matchdays. */
  isLeague: boolean;
  /** True if the competition is known to be a cup. Numbered rounds are then knock-outs. */
  isCup: boolean;
  /** Format according to the competition rules; null if they do not give one. */
  format: RuleFormat | null;
  /** Formats of rounds that differ, by name. */
  rounds?: Readonly<Record<string, { format?: RuleFormat | undefined; best_of?: number | undefined }>>;
}

type RuleFormat = (typeof TIE_FORMATS)[number];

interface Named {
  round: KnockoutRound;
  matches: RoundMatch[];
  suffixes: Set<Suffix>;
}

/** @returns rounds in playing order */
export function knockoutRounds(matches: readonly RoundMatch[], rules: RoundRules): Round[] {
  const rounds = namedRounds(matches).map((one) => withTies(one, rules));
  const sure = withoutMatchdays(rounds, matches, rules);
  return joinSimultaneous(separateFinals(sure)).sort((a, b) => compareRounds(a.round, b.round));
}

/** Makes one round of two that are played at the same time, such as the elimination and the qualifying finals of a final eight. */
function joinSimultaneous(rounds: readonly Round[]): Round[] {
  const partner = ({ round: { beside, part } }: Round) =>
    beside === null
      ? undefined
      : rounds.find(({ round }) => round.part === part && round.name === inPart(beside.round, part));
  return rounds
    .filter((one) => partner(one) === undefined)
    .map((one) => {
      const other = rounds.find((another) => partner(another) === one);
      if (!other?.round.beside) return one;
      const name = inPart(other.round.beside.name, one.round.part);
      return { round: { ...one.round, name }, ties: [...one.ties, ...other.ties] };
    });
}

/**
 * Compares rounds by playing order. Parts that lead to the main part come first, such as conference finals before the final.
 */
export function compareRounds(a: KnockoutRound, b: KnockoutRound): number {
  const order = a.order[0] - b.order[0] || a.order[1] - b.order[1];
  if (order !== 0 || a.part === b.part) return order;
  if (a.part === null || b.part === null) return a.part === null ? 1 : -1;
  return a.part.localeCompare(b.part, 'en', { numeric: true });
}

function namedRounds(matches: readonly RoundMatch[]): Named[] {
  const found = new Map<string, Named>();
  for (const match of matches) {
    // A cancelled match makes no tie, since its sides have a bye or play another match.
    const { round_name, group, status_detail } = match;
    const round = round_name === null || status_detail === 'cancelled' ? null : knockoutRound(round_name, group);
    if (round === null) continue;
    const one = found.get(round.name) ?? { round, matches: [], suffixes: new Set() };
    one.matches.push(match);
    if (round.suffix !== null) one.suffixes.add(round.suffix);
    found.set(round.name, one);
  }
  return [...found.values()];
}

function withTies({ round, matches, suffixes }: Named, rules: RoundRules): Round {
  const ties = listPairings(matches);
  const format = rules.rounds?.[round.name]?.format ?? rules.format ?? detectFormat(ties, suffixes, rules.sport);
  const findFormat = ({ matches: { length } }: Pairing): Format => {
    if (format !== 'legs_or_series') return format;
    return length > 2 ? 'series' : 'legs';
  };
  return { round, ties: ties.map((tie) => ({ ...tie, format: findFormat(tie) })) };
}

function detectFormat(ties: readonly Pairing[], suffixes: ReadonlySet<Suffix>, sport: string): Format {
  if (suffixes.has('game')) return 'series';
  if (suffixes.has('leg')) return 'legs';
  if (suffixes.has('replay')) return 'single';
  const held = ties.map(({ sides, matches }) => ({
    sides,
    matches: matches.filter(({ status_detail }) => status_detail !== 'abandoned'),
  }));
  const repeated = held.filter(({ matches }) => matches.length > 1);
  if (repeated.length === 0) return 'single';
  if (!hasDraws(sport)) return isSeries(repeated) ? 'series' : 'legs';
  // A replay follows a draw. First legs may also be drawn, but rarely all of them.
  const ended = repeated.flatMap(({ sides, matches: [first] }) =>
    first === undefined || wentOn(first) ? [] : [{ sides, first }],
  );
  const isDraw = ({ sides, first }: (typeof ended)[number]) => isCounted(first) && winnerOf(first, sides) === null;
  const replays = ended.every(isDraw) && repeated.length * 2 < held.length;
  return ended.length === 0 || replays ? 'single' : 'legs';
}

/** Returns false if all ties have at most two matches, and in one of them each side has won one. These are legs. */
function isSeries(repeated: readonly { sides: Sides; matches: readonly BracketMatch[] }[]): boolean {
  if (repeated.some(({ matches }) => matches.length > 2)) return true;
  return !repeated.some((tie) => tie.matches.every(isCounted) && countWins(tie)[0] === countWins(tie)[1]);
}

/**
 * Removes numbered rounds that are matchdays. They are knock-outs instead if no loser plays on and each side meets only one
 * opponent.
 */
function withoutMatchdays(rounds: readonly Round[], matches: readonly RoundMatch[], rules: RoundRules): Round[] {
  const sure = rounds.filter(({ round }) => !round.numbered);
  if (rules.isCup) return [...rounds];
  const numbered = rounds.filter(({ round }) => round.numbered);
  const isKnockout = rounds.length > 1 && numbered.every((one) => eliminates(one, matches));
  return rules.isLeague || !isKnockout ? sure : [...rounds];
}

function eliminates({ round, ties }: Round, matches: readonly RoundMatch[]): boolean {
  const sides = ties.flatMap((tie) => tie.sides);
  if (new Set(sides).size < sides.length) return false;
  const lastStart = new Map<number, number>();
  for (const { home_id, away_id, start, round_name, group } of matches) {
    if (round_name !== null && knockoutRound(round_name, group)?.aside) continue;
    for (const side of [home_id, away_id]) lastStart.set(side, Math.max(lastStart.get(side) ?? start, start));
  }
  return ties.every((tie) => {
    const loser = findLoser(tie);
    return loser === null || round.aside || lastStart.get(loser)! <= tie.matches.at(-1)!.start;
  });
}

/** Returns the losing side if exactly one of the tie's matches counts. Only used to tell rounds apart. */
function findLoser({ sides, matches }: Tie): number | null {
  const [only, another] = matches.filter(isCounted);
  if (only === undefined || another !== undefined) return null;
  const winner = winnerOf(only, sides);
  return winner === null ? null : sides.find((side) => side !== winner)!;
}

/**
 * Splits a round with several finals into semi-finals, match for third place and final, because some sources call all matches
 * on the last days finals.
 */
function separateFinals(rounds: readonly Round[]): Round[] {
  return rounds.flatMap((one) => {
    if (one.round.sides !== 2 || one.ties.length < 2) return [one];
    const { part } = one.round;
    const sibling = (name: string) => rounds.find(({ round }) => round.name === name);
    const semis = sibling(toKnockoutRound(4, part).name);
    const [first, later] = semis ? [semis.ties, one.ties] : firstMeetings(one.ties);
    if (later.length === 0) return [one];
    const losers = new Set(first.map(findLoser));
    const isThird = ({ sides }: Tie) => sides.every((side) => losers.has(side));
    const third = sibling(thirdPlace(part).name) ? [] : later.filter(isThird);
    const finals = { ...one, ties: later.filter((tie) => !third.includes(tie)) };
    return [
      ...(semis ? [] : [{ round: toKnockoutRound(4, part), ties: first }]),
      ...(third.length > 0 ? [{ round: thirdPlace(part), ties: third }] : []),
      ...(finals.ties.length > 0 ? [finals] : []),
    ];
  });
}

/** Returns four sides' first two ties, and the later ties between these sides; empty lists if there are not exactly four sides. */
function firstMeetings(ties: readonly Tie[]): [first: Tie[], later: Tie[]] {
  const seen = new Set<number>();
  const first: Tie[] = [];
  for (const tie of [...ties].sort((a, b) => a.matches[0].start - b.matches[0].start)) {
    if (tie.sides.every((side) => !seen.has(side))) first.push(tie);
    for (const side of tie.sides) seen.add(side);
  }
  return first.length === 2 && seen.size === 4 ? [first, ties.filter((tie) => !first.includes(tie))] : [[], []];
}
