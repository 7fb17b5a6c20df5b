/** Figures of a leg of darts and a frame of snooker that follow from the course of its points. */

type Side = 'home' | 'away';
type Points = readonly Readonly<Record<Side, string>>[];

/** Lowest break that is worth telling. */
const NOTED_BREAK = 50;

/**
 * Returns the points of the last visit to the board, with which the winner finished the leg.
 * @param points remaining points after each visit
 * @returns null if the winner's points do not end with 0
 */
export function checkout(points: Points, winner: Side | null): number | null {
  if (winner === null) return null;
  const remaining = points.map((one) => Number(one[winner]));
  const before = remaining.findLast((value) => value > 0);
  return remaining.at(-1) === 0 && before !== undefined ? before : null;
}

/**
 * Returns the most points that a side scored without the other side scoring in between.
 * @param points both sides' points after each visit or shot
 * @returns null if no break is worth telling
 */
export function highestBreak(points: Points): number | null {
  let highest = 0;
  let run = { side: 'home' as Side, points: 0 };
  let before = { home: 0, away: 0 };
  for (const one of points) {
    const now = { home: Number(one.home), away: Number(one.away) };
    for (const side of ['home', 'away'] as const) {
      const gained = now[side] - before[side];
      if (!(gained > 0)) continue;
      run = { side, points: (run.side === side ? run.points : 0) + gained };
      highest = Math.max(highest, run.points);
    }
    before = now;
  }
  return highest >= NOTED_BREAK ? highest : null;
}
