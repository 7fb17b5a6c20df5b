/**
 * Infers knock-out rounds for a finished season whose sources name no rounds. The search starts from the final and goes back
 * round by round, to the start of the season or to its groups. If any tie does not fit, no round is inferred. Pure.
 */
import { inferStages } from '../inferred-groups.ts';
import type { RoundMatch } from './knockout-rounds.ts';
import { isCounted, listPairings, type Pairing, winnerOf } from './pairings.ts';
import { thirdPlace, toKnockoutRound } from './round-names.ts';

type RoundPairing = Pairing<RoundMatch>;

/** Maximum number of matches in a tie, for two legs and a play-off, or for a match and two replays. */
const MOST_MATCHES = 3;
/** Maximum number of matches in the season. Seasons with more are leagues and qualifications. */
const MOST_FIXTURES = 400;
/**
 * Minimum number of ties from which rounds are inferred. Fewer ties are a final, and perhaps a match for third place. These
 * are recognized only after exactly two groups. Otherwise they could be, for example, a play-off between the runners-up of
 * two qualifying groups.
 */
const FEWEST_TIES = 3;

/** @returns the knock-out matches with round names; an empty list if the matches are ambiguous */
export function inferRounds(season: readonly RoundMatch[]): RoundMatch[] {
  const matches = season.filter(({ status_detail }) => status_detail !== 'cancelled' && status_detail !== 'abandoned');
  if (matches.length > MOST_FIXTURES || !matches.every(isCounted)) return [];
  const stages = inferStages(matches);
  const grouped = new Set(stages.flat(2));
  const lastOfGroups = Math.max(...[...grouped].map(({ start }) => start));
  const ties = listTies(grouped.size === 0 ? matches : matches.filter((match) => match.start > lastOfGroups));
  if (ties === null) return [];
  if (ties.length >= FEWEST_TIES) return roundsBackwards(ties);
  return stages.at(-1)?.length === 2 ? finalsOfGroups(ties, stages.at(-1)!) : [];
}

/** @returns null if two sides meet too often for one tie */
function listTies(matches: readonly RoundMatch[]): RoundPairing[] | null {
  const found = listPairings(matches);
  return found.every((tie) => tie.matches.length <= MOST_MATCHES) ? found : null;
}

const begins = ({ matches: [first] }: RoundPairing) => first.start;
const ends = ({ matches }: RoundPairing) => matches.at(-1)!.start;
const overlaps = (tie: RoundPairing, previous: RoundPairing | undefined) =>
  previous !== undefined && begins(tie) <= ends(previous);

function roundsBackwards(ties: readonly RoundPairing[]): RoundMatch[] {
  const bySide = new Map<number, RoundPairing[]>();
  for (const tie of ties)
    for (const side of tie.sides)
      bySide.set(
        side,
        [...(bySide.get(side) ?? []), tie].sort((a, b) => begins(a) - begins(b)),
      );
  // A side's tie must not begin before its previous tie has ended.
  for (const own of bySide.values()) if (own.some((tie, index) => overlaps(tie, own[index - 1]))) return [];
  const before = (side: number, tie: RoundPairing) => bySide.get(side)![bySide.get(side)!.indexOf(tie) - 1];
  const previous = (tie: RoundPairing) => tie.sides.map((side) => before(side, tie));

  const last = ties.filter((tie) => tie.sides.every((side) => bySide.get(side)!.at(-1) === tie));
  const finals = separateFinals(last, previous);
  if (finals === null) return [];
  const named = new Map<RoundPairing, string>();
  if (finals.third !== null) named.set(finals.third, thirdPlace(null).name);
  for (let round = [finals.final], sides = 2; round.length > 0; sides *= 2) {
    for (const tie of round) named.set(tie, toKnockoutRound(sides, null).name);
    const earlier = new Set(round.flatMap(previous));
    // Either all sides in a round come from the previous round, or this is the first round.
    if (earlier.has(undefined)) {
      if (earlier.size > 1) return [];
      break;
    }
    const next = [...earlier].filter((tie) => tie !== undefined);
    if (next.length !== sides || !next.every((tie) => sendsOne(tie, round))) return [];
    round = next;
  }
  if (named.size !== ties.length) return [];
  return ties.flatMap((tie) => withName(tie, named.get(tie)!));
}

/** Names a tie's matches. If the same side is at home in the second match, too, that match is a replay, not a second leg. */
const withName = ({ matches }: RoundPairing, name: string): RoundMatch[] =>
  matches.map((match, index) => {
    const repeats = matches.slice(0, index).some(({ home_id }) => home_id === match.home_id);
    const isReplay = repeats && matches.length === 2;
    return { ...match, round_name: isReplay ? `${name} replay` : name };
  });

/** Names the final between two groups' winners, and the match for third place between their runners-up. */
function finalsOfGroups(ties: readonly RoundPairing[], groups: readonly (readonly RoundMatch[])[]): RoundMatch[] {
  const ranks = new Map(groups.flatMap(rankSides));
  const namesByRank = ['Final', thirdPlace(null).name];
  const found = ties.map((tie) => ({ tie, rank: new Set(tie.sides.map((side) => ranks.get(side))) }));
  if (!found.some(({ rank }) => rank.has(0)) || found.some(({ rank }) => rank.size > 1)) return [];
  const named = found.map(({ tie, rank: [rank] }) => ({ tie, name: namesByRank[rank ?? -1] }));
  if (new Set(named.map(({ name }) => name)).size < named.length || named.some(({ name }) => name === undefined))
    return [];
  return named.flatMap(({ tie, name }) => withName(tie, name!));
}

/** Returns each side's place in the group by points and goal difference, starting with 0. */
function rankSides(group: readonly RoundMatch[]): [side: number, rank: number][] {
  const points = new Map<number, number>();
  const add = (side: number, scored: number, conceded: number) => {
    const won = scored > conceded ? 3 : scored === conceded ? 1 : 0;
    // Goal difference decides only between sides with equal points.
    points.set(side, (points.get(side) ?? 0) + won + (scored - conceded) / 1_000);
  };
  for (const { home_id, away_id, home_score, away_score } of group) {
    add(home_id, home_score!, away_score!);
    add(away_id, away_score!, home_score!);
  }
  return [...points].sort(([, a], [, b]) => b - a).map(([side], index) => [side, index]);
}

/** Returns true if exactly one side plays the next round, and the scores do not say that the opponent won. */
function sendsOne(tie: RoundPairing, next: readonly RoundPairing[]): boolean {
  const sent = tie.sides.filter((side) => next.some(({ sides }) => sides.includes(side)));
  const winner = findWinner(tie);
  return sent.length === 1 && (winner === null || winner === sent[0]);
}

/** @returns the final, and the match for third place after the same semi-finals; null if they cannot be told apart */
function separateFinals(
  last: readonly RoundPairing[],
  previous: (tie: RoundPairing) => (RoundPairing | undefined)[],
): { final: RoundPairing; third: RoundPairing | null } | null {
  const [one, other] = [...last].sort((a, b) => ends(b) - ends(a));
  if (one === undefined || last.length > 2) return null;
  if (other === undefined) return { final: one, third: null };
  const semis = new Set([...previous(one), ...previous(other)]);
  if (semis.has(undefined) || semis.size !== 2 || [one, other].some((tie) => new Set(previous(tie)).size !== 2))
    return null;
  const winners = [...semis].map((tie) => findWinner(tie!)).filter((side) => side !== null);
  const final = [one, other].find(({ sides }) => winners.length > 0 && winners.every((side) => sides.includes(side)));
  if (final !== undefined) return { final, third: final === one ? other : one };
  return winners.length === 0 && ends(other) < ends(one) ? { final: one, third: other } : null;
}

/**
 * Returns the winner of a single match or a replay, or the side with more goals in two legs; null if the scores do not tell.
 */
function findWinner({ sides, matches }: RoundPairing): number | null {
  const last = winnerOf(matches.at(-1)!, sides);
  if (matches.length === 1) return last;
  if (winnerOf(matches[0], sides) === null && matches.length !== 2) return last;
  const goals = (side: number) =>
    matches.reduce(
      (sum, { home_id, home_score, away_score }) => sum + (home_id === side ? home_score! : away_score!),
      0,
    );
  const [first, second] = [goals(sides[0]), goals(sides[1])];
  return first === second ? null : first > second ? sides[0] : sides[1];
}
