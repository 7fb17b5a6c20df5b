/** The order in which line-ups are stored and shown. Pure. */
import { LINE_OF_POSITION } from '../../db/shown-blocks.ts';

interface Entry {
  side: 'home' | 'away';
  is_substitute: boolean;
  position?: string | null | undefined;
  shirt_number?: string | null | undefined;
}

const GROUPS = (['home', 'away'] as const).flatMap((side) =>
  [false, true].map((is_substitute) => ({ side, is_substitute })),
);

/**
 * Returns home before away, starters before substitutes; within each by line and shirt number if the position of every
 * player is known, else in the order of the source, which may be that of the formation. Without any position all of it has
 * the order of the source. As shownBlockSql does it.
 */
export function orderLineups<E extends Entry>(entries: readonly E[]): E[] {
  if (!entries.some(({ position }) => position)) return [...entries];
  return GROUPS.flatMap(({ side, is_substitute }) => {
    const group = entries.filter((entry) => entry.side === side && entry.is_substitute === is_substitute);
    const lines = new Map(group.map((entry) => [entry, LINE_OF_POSITION.get((entry.position ?? '').toLowerCase())]));
    if ([...lines.values()].includes(undefined)) return group;
    return group.sort((a, b) => lines.get(a)! - lines.get(b)! || compareNumbers(a.shirt_number, b.shirt_number));
  });
}

/** Shirt numbers are texts: 9 comes before 10, and players without a number last. */
function compareNumbers(a: Entry['shirt_number'], b: Entry['shirt_number']): number {
  if (a == null || b == null) return Number(a == null) - Number(b == null);
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}
