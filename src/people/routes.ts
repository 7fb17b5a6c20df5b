/** Venues, referees and coaches over REST. */
import { z } from 'zod';
import { type Deps, type Route, route } from '../deps.ts';
import { idParams, limit, offset, Problem, type Reply, sportSlug, text } from '../http/index.ts';
import type { StaffRole } from '../identity/index.ts';
import type { MatchAccess } from '../wire/access.ts';
import { countryCode } from '../wire/match.ts';
import { readCoach } from './coaches.ts';
import { readReferee } from './referees.ts';
import * as schema from './schema.ts';
import { listStaff, staffVersion } from './staff.ts';
import { findVenue, listVenues, venueVersion } from './venues.ts';

const MAX_AGE_SECONDS = 60;
const common = {
  method: 'GET',
  tag: 'Catalogue',
  access: 'key',
  cost: 1,
  cache: { maxAge: MAX_AGE_SECONDS },
} as const;

const country = countryCode.optional();
const sport = sportSlug.optional();
const q = text(2, 80).optional().meta({
  description: 'The beginnings of words of the name, in any order. Accents, alphabet and transliteration do not matter',
});
const page = { limit: limit(100, 1000), offset };
const unknown = (what: string, id: number) => new Problem('not_found', `There is no ${what} ${id}.`);

const venues = route({
  ...common,
  path: '/v1/venues',
  example: { q: 'stadium', limit: '2' },
  summary: 'Venues, most matches first',
  query: z.object({
    q: q.meta({ description: 'The beginnings of words of the name, of another name, or of the city, in any order' }),
    country,
    ...page,
  }),
  response: schema.venueList,
  handler: async ({ query }, { pool }) => {
    const { total, venues } = await listVenues(pool, query);
    return { body: { count: venues.length, total, venues } };
  },
});

const venue = route({
  ...common,
  path: '/v1/venue/{id}',
  summary: 'A venue: names, city, capacity, coordinates, teams and matches',
  params: idParams,
  response: schema.venueDetail,
  handler: async ({ params: { id }, access }, { pool, caches }) => {
    const version = await venueVersion(pool, id);
    if (version === null) throw unknown('venue', id);
    return caches.versioned.get(`venue ${id} ${JSON.stringify(access)}`, version, async () =>
      JSON.stringify(await findVenue(pool, id, access)),
    );
  },
});

const staffQuery = z.object({ q, sport, country, ...page });

const referees = route({
  ...common,
  path: '/v1/referees',
  example: { limit: '2' },
  summary: 'Referees and umpires, most matches first',
  query: staffQuery,
  response: schema.refereeList,
  handler: async ({ query }, { pool }) => {
    const { total, people } = await listStaff(pool, { role: 'referee', ...query });
    return { body: { count: people.length, total, referees: people } };
  },
});

const coaches = route({
  ...common,
  path: '/v1/coaches',
  example: { limit: '2' },
  summary: 'Coaches, most matches first',
  query: staffQuery,
  response: schema.coachList,
  handler: async ({ query }, { pool }) => {
    const { total, people } = await listStaff(pool, { role: 'coach', ...query });
    return { body: { count: people.length, total, coaches: people } };
  },
});

/** Answers with what `read` returns, or with what it has returned for the same version. */
async function answerStaff(
  { pool, caches }: Deps,
  { role, id, access }: { role: StaffRole; id: number; access: MatchAccess | null },
  read: typeof readReferee | typeof readCoach,
): Promise<Reply> {
  const found = await staffVersion(pool, role, id);
  if (found === null) throw unknown(role, id);
  return caches.versioned.get(`${role} ${found.id} ${JSON.stringify(access)}`, found.version, async () =>
    JSON.stringify(await read(pool, found.id, access)),
  );
}

const referee = route({
  ...common,
  path: '/v1/referee/{id}',
  summary: 'A referee: matches, and cards and penalties per match, by season and tournament',
  description:
    'Several spellings of a name are one referee if an operator or the reviewed list has joined them; each of their ids gives this referee. A figure counts only the matches in which a source reports it.',
  params: idParams,
  response: schema.refereeDetail,
  handler: ({ params: { id }, access }, deps) => answerStaff(deps, { role: 'referee', id, access }, readReferee),
});

const coach = route({
  ...common,
  path: '/v1/coach/{id}',
  summary: 'A coach: clubs by season, with the record',
  description:
    'A coach who has played for a team that he has coached is the same person as the player, with one id and both roles. The former id stays valid.',
  params: idParams,
  response: schema.coachDetail,
  handler: ({ params: { id }, access }, deps) => answerStaff(deps, { role: 'coach', id, access }, readCoach),
});

export const routes: Route[] = [venues, venue, referees, referee, coaches, coach];
