/** Finds our ids for many rows over REST. */
import { type Route, route } from '../deps.ts';
import { invalidParameter } from '../http/index.ts';
import { utcDay } from '../wire/time.ts';
import { resolveRows } from './resolve-rows.ts';
import * as schema from './schema.ts';

const resolve = route({
  method: 'POST',
  path: '/v1/resolve',
  tag: 'Catalogue',
  access: 'key',
  cost: 1,
  mostCost: (_, body) => body.rows.length,
  cache: 'no-store',
  summary: "Our ids by any provider's ids, or by names",
  description:
    'Up to 500 rows, each of which is charged as a request. A row has a provider and an id, or a name and all else that is known. An answer says how sure it is, and why. `/v1/map` only maps ids.',
  body: schema.request,
  exampleBody: {
    rows: [
      { type: 'tournament', name: 'FIFA World Cup', country: 'INT' },
      { type: 'team', name: 'Argentina', country: 'AR' },
      { type: 'team', name: 'Nobody FC' },
    ],
  },
  response: schema.reply,
  handler: async ({ body: { rows }, access }, { pool, clock }) => {
    const today = utcDay(clock.now());
    const future = rows.findIndex(({ birth_date }) => birth_date !== undefined && birth_date > today);
    if (future >= 0) throw invalidParameter(`rows.${future}.birth_date`, 'too_big', 'must not be in the future');
    const resolved = await resolveRows(pool, rows, access);
    return {
      body: { count: rows.length, resolved: resolved.filter(({ id }) => id !== null).length, rows: resolved },
    };
  },
});

export const routes: Route[] = [resolve];
