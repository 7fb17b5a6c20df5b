/** Divides a league's matches into the regular season and the groups that follow. Pure. */
import { pairKey, sidesOf } from './meetings.ts';
import type { TableMatchRow } from './queries.ts';
import type { SplitGroup, SplitRules } from './rules.ts';
import type { Carried } from './side-totals.ts';

/** A side at the end of the regular season. */
export interface Regular {
  team: number;
  /** Points, including adjustments. */
  points: number;
  /** The points that the organizer added; negative if deducted. */
  adjustment: number;
}

export interface Part {
  rules: SplitGroup;
  /** The group's matches, including the sides' regular season matches if those results stay in the table. */
  matches: TableMatchRow[];
  carried: Map<number, Carried>;
}

export interface Division {
  parts: Part[];
  /** False if matches are missing, or if matches after the regular season do not fit these groups. */
  complete: boolean;
}

/**
 * Separates the regular season from later matches. Each side's first matches form the regular season.
 * @param matches league matches, oldest first; groups from the sources are ignored
 */
export function regularSeason(matches: readonly TableMatchRow[], { after }: SplitRules) {
  const played = new Map<number, number>();
  const regular: TableMatchRow[] = [];
  const later: TableMatchRow[] = [];
  for (const match of matches) {
    const sides = [match.home_id, match.away_id];
    const whole = sides.some((side) => (played.get(side) ?? 0) >= after);
    (whole ? later : regular).push(match);
    if (!whole) for (const side of sides) played.set(side, (played.get(side) ?? 0) + 1);
  }
  const ended = [...played.values()].every((count) => count === after) && regular.every(({ counted }) => counted);
  return { regular, later, ended };
}

/**
 * Returns the groups according to the places in the regular season. Returns none before the groups have fixtures, or if the
 * fixtures contradict them.
 * @param ranking best first
 */
export function divide(
  { regular, later, ended }: ReturnType<typeof regularSeason>,
  { groups }: SplitRules,
  ranking: readonly Regular[],
  {
    over,
    lacksResult,
  }: {
    /** True if missing matches can no longer appear. */
    over: boolean;
    lacksResult: (match: TableMatchRow) => boolean;
  },
): Division {
  if (later.length === 0) return { parts: [], complete: !over };
  const parts = groups.map((rules) => {
    const sides = new Set(rules.places.flatMap((place) => ranking[place - 1]?.team ?? []));
    return { rules, sides, matches: meetingsWithin(sides, later, rules) };
  });
  if (!ended || parts.some(({ rules, sides }) => sides.size < rules.places.length || !plays(sides, later)))
    return { parts: [], complete: false };
  const lacking = parts.some(({ rules, matches }) => matches.some(lacksResult) || (over && !isWhole(matches, rules)));
  return {
    parts: parts.map(({ rules, sides, matches }) => ({
      rules,
      matches: rules.results
        ? [...regular.filter((match) => sides.has(match.home_id) || sides.has(match.away_id)), ...matches]
        : matches,
      carried: carriedBy(sides, ranking, rules),
    })),
    complete: !lacking,
  };
}

/**
 * Returns the group's matches after the regular season: as many for each pair as the rules say, because later meetings are
 * ties.
 */
export function meetingsWithin(sides: ReadonlySet<number>, later: readonly TableMatchRow[], { meetings }: SplitGroup) {
  const met = new Map<string, number>();
  return later.filter((match) => {
    if (!sides.has(match.home_id) || !sides.has(match.away_id)) return false;
    const pair = pairKey(match);
    const count = (met.get(pair) ?? 0) + 1;
    met.set(pair, count);
    return count <= meetings;
  });
}

/** Returns true if each side's first match after the regular season is against a side in the same group. */
function plays(sides: ReadonlySet<number>, later: readonly TableMatchRow[]): boolean {
  return [...sides].every((side) => {
    const first = later.find(({ home_id, away_id }) => home_id === side || away_id === side);
    return first === undefined || (sides.has(first.home_id) && sides.has(first.away_id));
  });
}

function isWhole(matches: readonly TableMatchRow[], { places, meetings }: SplitGroup): boolean {
  const sides = places.length;
  return sidesOf(matches).size === sides && matches.length === (sides * (sides - 1) * meetings) / 2;
}

/** Returns the points and places that a group's sides carry over from the regular season. @param ranking best first */
export function carriedBy(sides: ReadonlySet<number>, ranking: readonly Regular[], rules: SplitGroup) {
  const carried = new Map<number, Carried>();
  for (const [index, { team, points, adjustment }] of ranking.entries()) {
    if (!sides.has(team)) continue;
    const half = points / 2;
    const kept = { keep: points, halve_up: Math.ceil(half), halve_down: Math.floor(half) }[rules.points];
    const rounding = rules.points === 'keep' ? 0 : kept - half;
    carried.set(team, { points: rules.results ? kept - (points - adjustment) : kept, rounding, place: index + 1 });
  }
  return carried;
}
