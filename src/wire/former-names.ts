/** The former names of a team in an update, and the check of such a list. */
import { z } from 'zod';
import { date, name } from './feed-values.ts';

/** A name that a team had at another time. Days are inclusive; null is an open end. */
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

/** Returns each name that shares a day with one that starts before it or is listed before it: positions in the list. */
export function overlappingNames(
  names: readonly Pick<FormerName, 'from' | 'to'>[],
): { index: number; other: number }[] {
  const found: { index: number; other: number }[] = [];
  const start = (index: number) => names[index]!.from ?? '';
  const isOpen = (index: number) => names[index]!.to === null;
  let last: number | undefined;
  for (const index of [...names.keys()].sort((a, b) => (start(a) < start(b) ? -1 : start(a) > start(b) ? 1 : a - b))) {
    if (last !== undefined && (isOpen(last) || start(index) <= names[last]!.to!)) found.push({ index, other: last });
    if (last === undefined || (!isOpen(last) && (isOpen(index) || names[index]!.to! > names[last]!.to!))) last = index;
  }
  return found;
}

export const formerNames = z
  .array(formerName)
  .max(100)
  .superRefine((names, ctx) => {
    for (const { index, other } of overlappingNames(names))
      ctx.addIssue({ code: 'custom', path: [index], message: `overlaps the period of ${names[other]!.name}` });
  });
