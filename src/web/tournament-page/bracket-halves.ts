/** Splits a bracket into the trees that lead to each side of the final, as leagues with two conferences play it. */
import type { z } from 'zod';
import type { bracket } from '../../competitions/bracket/schema.ts';

type Round = z.infer<typeof bracket>['rounds'][number];
type Matchup = Round['matchups'][number];

export interface Half {
  /** The conference, as the names of its rounds tell; null if they do not. */
  name: string | null;
  rounds: Round[];
}

/** A round of both halves, with the conference of each pairing. */
interface SharedRound {
  name: string;
  pairings: { matchup: Matchup; conference: string | null }[];
}

const WITH_CONFERENCE = /^(.+), (.+)$/u;

/**
 * Returns the two halves, and the final between them. The final is null if it is not known yet.
 * @param rounds in playing order, without a match for third place
 * @returns null if a pairing belongs to neither half, or to both
 */
export function toHalves(rounds: readonly Round[]): { halves: readonly Half[]; final: Round | null } | null {
  const shared = joinConferences(rounds);
  const conferences = [...new Set(shared.flatMap(({ pairings }) => pairings.flatMap((one) => one.conference ?? [])))];
  const last = shared.at(-1);
  const [final, ...more] = last?.pairings ?? [];
  const isFinal = final !== undefined && more.length === 0 && final.conference === null;
  if (last === undefined || (!isFinal && conferences.length !== 2)) return null;
  const before = isFinal ? shared.slice(0, -1) : shared;
  if (before.length === 0) return null;
  const halfNumber = conferences.length === 2 ? byConference(conferences) : byWayToFinal(before, final?.matchup);
  const halves = [0, 1].map((half) => ({
    name: conferences[half] ?? null,
    rounds: before.flatMap(({ name, pairings }) => {
      const matchups = pairings.filter((one) => halfNumber(one) === half).map(({ matchup }) => matchup);
      return matchups.length === 0 ? [] : [{ name, matchups }];
    }),
  }));
  const isSplit = before.every(({ pairings }) => pairings.every((one) => halfNumber(one) !== null));
  if (!isSplit || halves.some((half) => half.rounds.length === 0)) return null;
  return { halves, final: isFinal ? { name: last.name, matchups: [final.matchup] } : null };
}

/** Joins rounds that differ only in the conference, such as `American League, Division Series`. */
function joinConferences(rounds: readonly Round[]): SharedRound[] {
  const parts = rounds.map(({ name }) => WITH_CONFERENCE.exec(name));
  const isShared = (name: string) =>
    new Set(parts.filter((part) => part?.[2] === name).map((part) => part?.[1])).size > 1;
  const joined: SharedRound[] = [];
  for (const [index, { name, matchups }] of rounds.entries()) {
    const [, conference = null, shared = name] = parts[index] ?? [];
    const isOfConference = conference !== null && isShared(shared);
    const pairings = matchups.map((matchup) => ({ matchup, conference: isOfConference ? conference : null }));
    const same = isOfConference ? joined.find((round) => round.name === shared) : undefined;
    if (same === undefined) joined.push({ name: isOfConference ? shared : name, pairings });
    else same.pairings.push(...pairings);
  }
  return joined;
}

type Pairing = SharedRound['pairings'][number];
/** Returns the half of a pairing, 0 or 1; null if it belongs to none. */
type HalfOf = (pairing: Pairing) => number | null;

const byConference =
  (conferences: readonly string[]): HalfOf =>
  ({ conference }) => {
    const half = conferences.indexOf(conference ?? '');
    return half === -1 ? null : half;
  };

const sideIds = ({ teams }: Matchup): number[] => teams.flatMap(({ participant_id: id }) => id ?? []);

/** Follows the sides of the final back to the first round. */
function byWayToFinal(rounds: readonly SharedRound[], final: Matchup | undefined): HalfOf {
  const found = new Map<Matchup, number>();
  const halves = (final?.teams ?? []).map(({ participant_id: id }) => new Set(id === null ? [] : [id]));
  for (const { pairings } of rounds.toReversed()) {
    for (const { matchup } of pairings) {
      const led = halves.flatMap((half, index) => (sideIds(matchup).some((side) => half.has(side)) ? [index] : []));
      const [half] = led;
      if (half === undefined || led.length > 1) continue;
      found.set(matchup, half);
      for (const side of sideIds(matchup)) halves[half]!.add(side);
    }
  }
  return ({ matchup }) => found.get(matchup) ?? null;
}

/**
 * Returns the name of each half: from its rounds, or the conference of all its sides.
 * @param conferences the conference of each side
 * @returns null for both if the halves have no names, or the same one
 */
export function halfNames(halves: readonly Half[], conferences: ReadonlyMap<number, string>): (string | null)[] {
  const names = halves.map(({ name, rounds }) => {
    const sides = rounds.flatMap(({ matchups }) => matchups.flatMap(sideIds));
    const [conference, ...more] = new Set(sides.map((side) => conferences.get(side) ?? null));
    return name ?? (more.length === 0 ? (conference ?? null) : null);
  });
  return names.includes(null) || new Set(names).size < names.length ? names.map(() => null) : names;
}
