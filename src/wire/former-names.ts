/** A team's former names in an update, and the check that their periods do not overlap. */
import { z } from 'zod';
import { date, name } from './feed-values.ts';

/** A name that a team had in the past. The days are inclusive. Null means that the period is open at that end. */
export const formerName = z
  .strictObject({
    name,
    name_ru: name.nullable().default(null),
    from: date.nullable().default(null),
    to: date.nullable().default(null),
  })
  .superRefine(({ from, to }, ctx) => {
    if (from === null && to === null)
      ctx.addIssue({ code: 'custom', path: ['from'], message: 'needs a first or a last day' });
    else if (from !== null && to !== null && to < from)
      ctx.addIssue({ code: 'custom', path: ['to'], message: `ends before it starts on ${from}` });
  });
export type FormerName = z.infer<typeof formerName>;

/**
 * Returns each name whose period overlaps that of an earlier name, together with the earlier name. Both are given as
 * positions in the list. If two names start on the same day, the one listed first counts as the earlier one.
 */
export function overlappingNames(
  names: readonly Pick<FormerName, 'from' | 'to'>[],
): { index: number; other: number }[] {
  const found: { index: number; other: number }[] = [];
  const periods = names.map(({ from, to }, index) => ({ index, from: from ?? '', to }));
  /** Of the names so far, the one whose period ends last. */
  let last: (typeof periods)[number] | undefined;
  for (const one of periods.sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : a.index - b.index))) {
    if (last !== undefined && (last.to === null || one.from <= last.to))
      found.push({ index: one.index, other: last.index });
    if (last === undefined || (last.to !== null && (one.to === null || one.to > last.to))) last = one;
  }
  return found;
}

export const formerNames = z
  .array(formerName)
  .max(100)
  .superRefine((names, ctx) => {
    for (const { index, other } of overlappingNames(names))
      ctx.addIssue({ code: 'custom', path: [index], message: `overlaps the period of ${names[other]?.name}` });
  });
