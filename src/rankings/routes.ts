/** Rankings over REST. */
import { z } from 'zod';
import { type Route, route } from '../deps.ts';
import { date, limit, offset, oneValue } from '../http/query.ts';
import { KIND_NAMES, RANKING_KINDS } from './kinds.ts';
import { findRanking } from './queries.ts';
import * as schema from './schema.ts';

const RANKING_SECONDS = 60;

const kinds = Object.entries(RANKING_KINDS)
  .map(([kind, { title }]) => `\`${kind}\` ${title}`)
  .join('; ');

const rankings = route({
  method: 'GET',
  path: '/v1/rankings',
  example: { kind: 'fifa', limit: '2' },
  summary: 'A ranking of teams or players',
  description: `The newest ranking that was published by the day \`date\`. Kinds: ${kinds}. The last two are computed from the stored results.`,
  tag: 'Competitions',
  access: 'key',
  cost: 1,
  cache: { maxAge: RANKING_SECONDS },
  query: z.object({
    kind: oneValue(KIND_NAMES),
    date: date.optional().meta({ description: 'Default: today' }),
    limit: limit(100, 1000),
    offset,
  }),
  response: schema.rankings,
  handler: async ({ query }, { pool, clock }) => ({
    body: await findRanking(pool, { ...query, date: query.date ?? new Date(clock.now()).toISOString().slice(0, 10) }),
  }),
});

export const routes: Route[] = [rankings];
