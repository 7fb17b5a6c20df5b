/** The favourites of a member, for the stars on pages. The script of the pages reads and changes them (favourites.js). */
import { z } from 'zod';
import { changeFavourites, type FavouriteIds, MAX_CHANGES } from '../accounts/members/index.ts';
import { idParam, invalidParameter, Problem, type Reply, type RouteValue } from '../http/index.ts';
import { CALENDAR_KINDS } from '../wire/calendar.ts';
import { type PortalDeps, route } from './deps.ts';

const ids = z.strictObject({ team: z.array(z.int()), tournament: z.array(z.int()) });

const common = {
  path: '/account/favourites',
  tag: 'Pages',
  undocumented: true,
  access: 'member',
  permission: 'personal',
  cost: 0,
  cache: 'no-store',
  perAddress: { requests: 120, seconds: 60 },
  response: z.strictObject({
    /** A script that finds another member here merges the browser's stars again. */
    member: z.int(),
    chosen: ids,
    left_out: ids,
  }),
} as const;

type Changes = Parameters<typeof changeFavourites>[2];

/**
 * Reads entries such as `team 12`.
 * @throws {Problem} invalid_parameter
 */
function readEntries(form: URLSearchParams | null, name: 'add' | 'remove'): Changes['add'] {
  const given = form?.getAll(name) ?? [];
  if (given.length > MAX_CHANGES)
    throw invalidParameter(name, 'too_many', `must be given at most ${MAX_CHANGES} times`);
  return given.map((text) => {
    const [kind, id, ...rest] = text.split(' ');
    const known = CALENDAR_KINDS.find((one) => one === kind);
    const number = idParam.safeParse(id);
    if (known === undefined || !number.success || rest.length > 0)
      throw invalidParameter(name, 'invalid_value', 'must be team or tournament, a space, and an id');
    return { kind: known, id: number.data };
  });
}

const answer = (memberId: number, found: { chosen: FavouriteIds; left_out: FavouriteIds }): Reply => ({
  body: { member: memberId, ...found },
});

const read = route({
  ...common,
  method: 'GET',
  summary: 'The favourites of the member',
  handler: async ({ principal }, deps) => {
    const { memberId } = principal as { memberId: number };
    return answer(memberId, await changeFavourites(deps, memberId, { add: [], remove: [] }));
  },
});

const change = route({
  ...common,
  method: 'POST',
  summary: 'Add and remove favourites of the member',
  form: true,
  handler: async ({ principal, form }, deps) => {
    const { memberId } = principal as { memberId: number };
    const meant = form?.get('member');
    if (meant != null && meant !== String(memberId))
      throw new Problem('conflict', 'Another member has signed in since: read the favourites again.');
    const changes = { add: readEntries(form, 'add'), remove: readEntries(form, 'remove') };
    return answer(memberId, await changeFavourites(deps, memberId, changes));
  },
});

export const favouriteRoutes: RouteValue<PortalDeps>[] = [read, change];
