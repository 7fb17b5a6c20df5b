/** Rankings over REST. */
import { z } from 'zod';
import { type Route, route } from '../deps.ts';
import { date, format, idParams, limit, offset, oneValue, Problem } from '../http/index.ts';
import { utcDay } from '../wire/time.ts';
import { KIND_NAMES, RANKING_KINDS } from './kinds.ts';
import { findRanking } from './ranking-movement.ts';
import { ratingHistory } from './rating-history.ts';
import * as schema from './schema.ts';

const RANKING_SECONDS = 60;

const kinds = Object.entries(RANKING_KINDS)
  .map(([kind, { title }]) => `\`${kind}\` ${title}`)
  .join('; ');

export const rankings = route({
  method: 'GET',
  path: '/v1/rankings',
  example: { kind: 'fifa', limit: '2' },
  summary: 'A ranking of teams or players',
  description: `The newest ranking that was published on or before the day \`date\`. Kinds: ${kinds}. Kinds that begin with elo_ are computed from the stored results. An empty list comes with its \`reason\`.`,
  tag: 'Competitions',
  access: 'key',
  cost: 1,
  cache: { maxAge: RANKING_SECONDS },
  query: z.object({
    format,
    kind: oneValue(KIND_NAMES),
    date: date.optional().meta({ description: 'Default: today' }),
    limit: limit(100, 1000),
    offset,
  }),
  csv: 'rankings',
  response: schema.rankings,
  handler: async ({ query }, { pool, clock }) => ({
    body: await findRanking(pool, { ...query, date: query.date ?? utcDay(clock.now()) }),
  }),
});

const rating = route({
  method: 'GET',
  path: '/v1/participant/{id}/rating',
  example: {},
  summary: "A team's Elo rating over time",
  description:
    'Oldest first: at the end of each month of the last ten years and of each year before, and after the last match. Empty for players, and for teams that are not rated; see `/v1/rankings`.',
  tag: 'Competitions',
  access: 'key',
  cost: 1,
  cache: { maxAge: RANKING_SECONDS },
  params: idParams,
  query: z.object({
    from: date.optional().meta({ description: 'First day' }),
    to: date.optional().meta({ description: 'Last day' }),
  }),
  response: schema.ratings,
  handler: async ({ params: { id }, query }, { pool }) => {
    const found = await ratingHistory(pool, id, query);
    if (found === null) throw new Problem('not_found', `There is no participant ${id}.`);
    return { body: { participant_id: id, kind: found.kind, count: found.ratings.length, ratings: found.ratings } };
  },
});

export const routes: Route[] = [rankings, rating];
