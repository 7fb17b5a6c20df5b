/** Transfers over REST. */
import { z } from 'zod';
import { type Route, route } from '../deps.ts';
import { idParams, limit, offset, Problem } from '../http/index.ts';
import { findTransfers } from './queries.ts';
import * as schema from './schema.ts';

const TRANSFERS_SECONDS = 60;

const transfers = route({
  method: 'GET',
  path: '/v1/participant/{id}/transfers',
  example: { limit: '2' },
  summary: "A player's or a team's transfers",
  description:
    "The player's moves, or the moves to and from the team; newest first. If a player appears for one club and later for a different one, but no source lists the move, it has the type `other` and `derived: true`.",
  tag: 'Catalogue',
  access: 'key',
  cost: 1,
  cache: { maxAge: TRANSFERS_SECONDS },
  params: idParams,
  query: z.object({ limit: limit(100, 1000), offset }),
  response: schema.transfers,
  handler: async ({ params: { id }, query }, { reads }) => {
    const found = await findTransfers(reads, id, query);
    if (found === null) throw new Problem('not_found', `There is no participant ${id}.`);
    return { body: found };
  },
});

export const routes: Route[] = [transfers];
