/**
 * Derives moves that no source lists. Line-ups show a move if a player appears for one club and later for another. They can mislead,
 * because a source may confuse two people or clubs. Two cases are therefore ignored: a player who is back at the same club after less than
 * four weeks, and a player who has more clubs in a year than the rules allow. After an absence longer than a season, the former club and
 * the time are unknown. Pure.
 */
import { foldName } from '../db/fold-name.ts';
import { DAY_MS } from '../wire/time.ts';

/** Consecutive appearances for one club. Days are YYYY-MM-DD. */
export interface Stint {
  club_id: number;
  club: string;
  first: string;
  last: string;
  /** Season of the first appearance. */
  season: string;
  /**
   * True if the match of the first appearance has line-ups. Without line-ups, only the scorers are known, so the first appearance may be
   * months after the move.
   */
  isDated: boolean;
}

/** A move that a source lists. */
export interface ListedMove {
  date: string;
  from_id: number | null;
  to_id: number | null;
  to_name: string | null;
}

/**
 * How exactly the day of a move is known. For a derived move, it is never known exactly. With `unknown`, the move may have been years
 * before the first appearance.
 */
export const DATE_PRECISIONS = ['day', 'window', 'season', 'unknown'] as const;

export interface DerivedMove {
  /** Day of the first appearance for the new club. The player moved on this day or earlier. */
  date: string;
  date_precision: Exclude<(typeof DATE_PRECISIONS)[number], 'day'>;
  /** Season of the first appearance. */
  season: string;
  from_id: number | null;
  /** Name of a club that is not in the catalogue. */
  from_name: string | null;
  to_id: number;
}

/** A player cannot return to a club in fewer days than this, because loans last from one transfer window to the next. */
const SHORTEST_STAY_DAYS = 28;
/**
 * How many days after the first appearance for the new club, or before the last one for the old club, a source may date a move. Sources use
 * the day of the registration, work permit or announcement.
 */
const TOLERANCE_DAYS = 30;
/**
 * A player's maximum number of clubs in one season (FIFA Regulations on the Status and Transfer of Players, article
 * 5.4).
 */
const MOST_CLUBS_A_YEAR = 3;
const YEAR_DAYS = 365;
/**
 * An absence from line-ups that is longer than this lasts more than a season. The player may have been at a third club in between, and may
 * have moved long before the first appearance.
 */
const LONGEST_ABSENCE_DAYS = 400;

const dayNumber = (day: string): number => Date.parse(day) / DAY_MS;
const daysBetween = (from: string, to: string): number => dayNumber(to) - dayNumber(from);

/**
 * @param stints one player's stints, oldest first
 * @param listed all of the player's moves that sources list, in any order
 * @returns the moves, oldest first
 */
export function derivedMoves(stints: readonly Stint[], listed: readonly ListedMove[]): DerivedMove[] {
  const stays = withoutShortStays(stints);
  if (isDoubtful(stays)) return [];
  const moves: DerivedMove[] = [];
  for (const [index, stay] of stays.entries()) {
    const before = stays[index - 1];
    if (before === undefined) continue;
    const between = movesBetween(before, stay, listed);
    if (between.some((move) => leadsTo(move, stay))) continue;
    // Moves dated after the first appearance are left out. Late-dated moves to this club were matched above, so these lead away from it.
    const last = between.findLast(({ date }) => date < stay.first);
    const lastSeen = last && last.date > before.last ? last.date : before.last;
    const known = { date: stay.first, season: stay.season, to_id: stay.club_id };
    if (daysBetween(lastSeen, stay.first) > LONGEST_ABSENCE_DAYS) {
      // If the player appears for the same club again, the catalogue lacks matches, and this is no move.
      if (before.club_id !== stay.club_id)
        moves.push({ ...known, date_precision: 'unknown', from_id: null, from_name: null });
      continue;
    }
    const from = last ? { from_id: last.to_id, from_name: last.to_name } : { from_id: before.club_id, from_name: null };
    moves.push({ ...known, date_precision: stay.isDated ? 'window' : 'season', ...from });
  }
  return moves;
}

/** Returns the listed moves between two stints, oldest first. */
const movesBetween = (before: Stint, after: Stint, listed: readonly ListedMove[]): ListedMove[] =>
  listed
    .filter(
      ({ date }) =>
        daysBetween(before.last, date) >= -TOLERANCE_DAYS &&
        date >= before.first &&
        daysBetween(date, after.first) >= -TOLERANCE_DAYS,
    )
    .toSorted((a, b) => dayNumber(a.date) - dayNumber(b.date));

const leadsTo = ({ to_id, to_name }: ListedMove, { club_id, club }: Stint): boolean =>
  to_id === null ? to_name !== null && foldName(to_name) === foldName(club) : to_id === club_id;

/**
 * Joins two stays at the same club that are less than four weeks apart, and removes the stint between them. The shortest gap comes first.
 */
function withoutShortStays(stints: readonly Stint[]): Stint[] {
  const stays = [...stints];
  for (;;) {
    let shortest: { at: number; days: number; joined: Stint } | undefined;
    for (const [at, before] of stays.entries()) {
      const after = stays[at + 2];
      if (after === undefined) break;
      const days = daysBetween(before.last, after.first);
      if (
        before.club_id === after.club_id &&
        days < Math.min(SHORTEST_STAY_DAYS, shortest?.days ?? Number.POSITIVE_INFINITY)
      )
        shortest = { at, days, joined: { ...before, last: after.last } };
    }
    if (shortest === undefined) return stays;
    stays.splice(shortest.at, 3, shortest.joined);
  }
}

function isDoubtful(stays: readonly Stint[]): boolean {
  return stays.some(({ first }, index) => {
    const inYear = stays.slice(index).filter((stay) => daysBetween(first, stay.first) < YEAR_DAYS);
    return new Set(inYear.map(({ club_id }) => club_id)).size > MOST_CLUBS_A_YEAR;
  });
}
