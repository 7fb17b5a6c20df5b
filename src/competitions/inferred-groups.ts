/**
 * Infers groups for a season whose sources name none, from the pairings and their order. The sides of a group meet only each
 * other, all equally often, and groups come before knock-outs. If the fixtures are ambiguous, no groups are inferred. Pure.
 */
import { countMeetings, type Meeting, pairKey, sidesOf } from './meetings.ts';

export interface Fixture extends Meeting {
  /** Seconds since 1970. The order of matches with the same start is unknown. */
  start: number;
}

/** Minimum number of sides in a group. Two sides that meet form a tie. */
const SMALLEST_GROUP = 3;
/** Maximum difference between group sizes in a stage, in case the sides cannot be divided evenly. */
const SIZE_DIFFERENCE = 1;
/** Maximum number of matches in a tie, for two legs and a replay. */
const MATCHES_OF_A_TIE = 3;

/**
 * @param fixtures all but cancelled and abandoned matches, in any order
 * @returns the stages in order, each with the fixtures by group; an empty list if there are no groups, or if the
 * fixtures are ambiguous. Knock-out ties before the first stage and after the last stage are left out.
 */
export function inferStages<F extends Fixture>(fixtures: readonly F[]): F[][][] {
  const ordered = [...fixtures].sort((a, b) => a.start - b.start);
  for (const from of endsOfPreliminaries(ordered)) {
    const later = ordered.slice(from);
    const stages = splitStages(later);
    if (stages && joinGroups(ordered.slice(0, from), later, stages[0])) return stages;
  }
  return [];
}

/** Each stage's groups, for one or more stages. */
type Stages<F> = [F[][], ...F[][][]];

/** Splits fixtures into stages. The first stage gets as many fixtures as possible. More stages follow, and then knock-outs. */
function splitStages<F extends Fixture>(ordered: readonly F[]): Stages<F> | undefined {
  for (const to of cuts(ordered).toReversed()) {
    const groups = closedGroups(ordered.slice(0, to));
    if (!groups) continue;
    const rest = ordered.slice(to);
    if (rest.length === 0) return [groups];
    const later = splitStages(rest);
    if (later && !repeats(later[0], groups)) return [groups, ...later];
    if (knockOut(rest) && othersJoin(rest, groups) && !secondHalf(rest, groups)) return [groups];
  }
  return undefined;
}

/**
 * Returns the numbers of fixtures after which a stage can end. At these points, each side has met at least two opponents, and
 * all pairs that have met have done so equally often. Matches with the same start are not separated.
 */
function cuts(ordered: readonly Fixture[]): number[] {
  const opponents = new Map<number, number>();
  let few = 0;
  const meetAnother = (side: number) => {
    const met = (opponents.get(side) ?? 0) + 1;
    opponents.set(side, met);
    if (met === 1) few += 1;
    if (met === SMALLEST_GROUP - 1) few -= 1;
  };
  const meetings = new Map<string, number>();
  /** Counts the pairs that have met once, twice and so on. */
  const pairs = new Map<number, number>();
  const found: number[] = [];
  for (const [index, fixture] of ordered.entries()) {
    const pair = pairKey(fixture);
    const met = (meetings.get(pair) ?? 0) + 1;
    meetings.set(pair, met);
    pairs.set(met, (pairs.get(met) ?? 0) + 1);
    if (met === 1) for (const side of [fixture.home_id, fixture.away_id]) meetAnother(side);
    else if (pairs.get(met - 1) === 1) pairs.delete(met - 1);
    else pairs.set(met - 1, pairs.get(met - 1)! - 1);
    if (few === 0 && pairs.size === 1 && ordered[index + 1]?.start !== fixture.start) found.push(index + 1);
  }
  return found;
}

/** Returns the groups. Undefined if a fixture belongs to no group in which all pairs meet equally often. */
function closedGroups<F extends Fixture>(fixtures: readonly F[]): F[][] | undefined {
  const meetings = countMeetings(fixtures);
  const [rounds = 0] = meetings.values();
  if ([...meetings.values()].some((count) => count !== rounds)) return undefined;
  const groups = components(fixtures);
  const sized = groups.map((group) => ({ matches: group.length, sides: sidesOf(group).size }));
  const sizes = sized.map(({ sides }) => sides);
  if (Math.min(...sizes) < SMALLEST_GROUP || Math.max(...sizes) - Math.min(...sizes) > SIZE_DIFFERENCE)
    return undefined;
  const whole = sized.every(({ matches, sides }) => matches === (rounds * sides * (sides - 1)) / 2);
  return whole ? groups : undefined;
}

/** Returns 0, and each index before which all fixtures are knock-out ties with at most one side that plays on. */
function endsOfPreliminaries(ordered: readonly Fixture[]): number[] {
  const last = new Map<number, number>();
  for (const [index, { home_id, away_id }] of ordered.entries()) last.set(home_id, index).set(away_id, index);
  const ends = [0];
  const seen = new Set<number>();
  let out = 0;
  for (const [index, { home_id, away_id, start }] of ordered.entries()) {
    for (const side of [home_id, away_id]) {
      seen.add(side);
      if (last.get(side) === index) out += 1;
    }
    const end = index + 1;
    // After knock-out ties, at least half the sides are out. This rules out most indexes without examining the ties.
    if (out * 2 < seen.size || ordered[end] === undefined || ordered[end].start === start) continue;
    const decided = components(ordered.slice(0, end)).every((tie) => {
      const sides = [...sidesOf(tie)];
      const pairs = new Set(tie.map(pairKey));
      return pairs.size === sides.length - 1 && sides.filter((side) => last.get(side)! >= end).length <= 1;
    });
    if (decided) ends.push(end);
  }
  return ends;
}

/** Returns true if every side that plays on after a preliminary tie plays in a group. */
function joinGroups(
  preliminary: readonly Fixture[],
  later: readonly Fixture[],
  groups: readonly (readonly Fixture[])[],
) {
  const playing = sidesOf(later);
  const grouped = sidesOf(groups.flat());
  return [...sidesOf(preliminary)].every((side) => grouped.has(side) || !playing.has(side));
}

/**
 * Returns true if sides from outside the groups may play in the knock-outs, for example losers from another competition.
 * Three conditions must be met: all sides begin in the same round; the groups send equally many sides, or one more or less;
 * and no side has more ties than a knock-out has rounds. Otherwise these sides may belong to an incomplete group.
 */
function othersJoin(rest: readonly Fixture[], groups: readonly (readonly Fixture[])[]): boolean {
  const grouped = sidesOf(groups.flat());
  const sides = sidesOf(rest);
  if ([...sides].every((side) => grouped.has(side))) return true;
  if (groups.length === 1) return false;
  const sent = groups.map((group) => [...sidesOf(group)].filter((side) => sides.has(side)).length);
  const opponents = listOpponents(rest);
  const first = (side: number) => opponents.get(side)!.values().next().value!;
  const ties = [...opponents.values()].map((met) => met.size);
  return (
    Math.max(...sent) - Math.min(...sent) <= 1 &&
    Math.max(...ties) <= Math.ceil(Math.log2(sides.size)) &&
    [...sides].every((side) => first(first(side)) === side)
  );
}

/** Returns true if all pairs in a group have met in the earlier stage. The stage is then a second half, not a new stage. */
function repeats(stage: readonly (readonly Fixture[])[], earlier: readonly (readonly Fixture[])[]): boolean {
  const met = new Set(earlier.flat().map(pairKey));
  return stage.some((group) => group.every((fixture) => met.has(pairKey(fixture))));
}

/**
 * Returns true if the fixtures may be knock-outs. The two sides of a tie go separate ways after it, even in a knock-out for
 * places. They therefore never meet again in a later tie, and have no common opponent.
 */
function knockOut(fixtures: readonly Fixture[]): boolean {
  const meetings = countMeetings(fixtures);
  if ([...meetings.values()].some((count) => count > MATCHES_OF_A_TIE)) return false;
  const opponents = listOpponents(fixtures);
  return fixtures.every(({ home_id, away_id }) => {
    const others = opponents.get(away_id)!;
    return ![...opponents.get(home_id)!].some((side) => others.has(side));
  });
}

/** Returns each side's opponents, in the order in which they first met. */
function listOpponents(ordered: readonly Fixture[]): Map<number, Set<number>> {
  const opponents = new Map<number, Set<number>>();
  for (const { home_id, away_id } of ordered) {
    opponents.set(home_id, (opponents.get(home_id) ?? new Set()).add(away_id));
    opponents.set(away_id, (opponents.get(away_id) ?? new Set()).add(home_id));
  }
  return opponents;
}

/**
 * Returns true if the rest of the fixtures may be the known part of a second half. A second half is played within the groups,
 * whereas knock-outs are played between the groups' best sides.
 */
function secondHalf(rest: readonly Fixture[], groups: readonly (readonly Fixture[])[]): boolean {
  const groupIndex = new Map(
    groups.flatMap((group, index) => [...sidesOf(group)].map((side) => [side, index] as const)),
  );
  const ties = new Map(rest.map((fixture) => [pairKey(fixture), fixture]));
  const within = [...ties.values()].filter(({ home_id, away_id }) => {
    const group = groupIndex.get(home_id);
    return group !== undefined && group === groupIndex.get(away_id);
  });
  if (groups.length > 1) return within.length * 2 > ties.size;
  // After a single group, knock-outs are one tie for each side, such as a final or a match for third place.
  return within.length * 2 !== sidesOf(within).size;
}

/** Groups fixtures whose sides are connected by matches. The groups are ordered by first fixture. */
export function components<F extends Meeting>(fixtures: readonly F[]): F[][] {
  const parent = new Map<number, number>();
  const root = (side: number): number => {
    const above = parent.get(side) ?? side;
    if (above === side) return side;
    const top = root(above);
    parent.set(side, top);
    return top;
  };
  for (const { home_id, away_id } of fixtures) parent.set(root(home_id), root(away_id));
  const found = new Map<number, F[]>();
  for (const fixture of fixtures) {
    const group = root(fixture.home_id);
    if (!found.has(group)) found.set(group, []);
    found.get(group)!.push(fixture);
  }
  return [...found.values()];
}
