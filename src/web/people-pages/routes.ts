/** Routes for the pages of venues, referees and coaches. */
import { z } from 'zod';
import { countryNames, russianTournamentNames } from '../../catalogue/index.ts';
import { idParams, lang, type Reply, type RouteValue } from '../../http/index.ts';
import { findVenue, readCoach, readReferee, staffVersion, venueVersion } from '../../people/index.ts';
import type { MatchItem } from '../../wire/match.ts';
import { cacheTags } from '../cache-tags.ts';
import { route, type WebDeps } from '../deps.ts';
import type { Listed } from '../match-rows.ts';
import type { PageOptions } from '../page-options.ts';
import { type Asked, notFound, page, slugParams } from '../page-route.ts';
import { turnedAway } from '../site-access.ts';
import { coachPage } from './coach-page.ts';
import { refereePage } from './referee-page.ts';
import { venuePage } from './venue-page.ts';

interface Subject {
  /** The person that the requested id stands for. */
  id: number;
  version: string;
}

interface SubjectPage {
  kind: 'venue' | 'referee' | 'coach';
  summary: string;
  /** Returns null for an unknown id. */
  find: (deps: WebDeps, id: number) => Promise<Subject | null>;
  make: (deps: WebDeps, id: number, options: PageOptions) => Promise<{ body: string; etag: string }>;
}

async function readCountry({ reads }: WebDeps, code: string | null) {
  return code === null ? null : ((await countryNames(reads, [code])).get(code) ?? null);
}

/** Adds the Russian names of tournaments, which a list item of the API does not have. */
async function withTournamentNames<S extends Record<'last_events' | 'next_events', MatchItem[]>>(
  { reads }: WebDeps,
  subject: S,
): Promise<S> {
  const { last_events, next_events } = subject;
  const ids = [...last_events, ...next_events].map(({ tournament_id }) => tournament_id);
  const names = await russianTournamentNames(reads, [...new Set(ids)]);
  const named = (matches: MatchItem[]): Listed[] =>
    matches.map((match) => ({ ...match, tournament_name_ru: names.get(match.tournament_id) ?? null }));
  return { ...subject, last_events: named(last_events), next_events: named(next_events) };
}

const query = z.object({ lang });

/** Returns the routes for a page, with and without a name in the address. */
function subjectRoutes({ kind, summary, find, make }: SubjectPage): RouteValue<WebDeps>[] {
  const answer = async (
    { params: { id, slug }, lang: language, ...input }: Asked<{ id: number; slug?: string }>,
    deps: WebDeps,
  ): Promise<Reply> => {
    const root = slug === undefined ? '../' : '../../';
    const missing = () => notFound(language, root);
    const away = turnedAway(deps.config, input, `/${kind}/${id}`, missing);
    if (away !== null) return away;
    const found = await find(deps, id);
    if (found === null) return missing();
    if (found.id !== id)
      return { status: 301, body: '', headers: { Location: `${input.baseUrl}/${kind}/${found.id}` } };
    const options = { lang: language, root, baseUrl: input.baseUrl };
    return deps.caches.pages.get({
      key: `${kind} ${id} ${JSON.stringify(options)}`,
      match: null,
      make: async (cached) => {
        if (cached?.version === found.version) return cached;
        const made = await make(deps, id, { ...options, now: deps.clock.now() });
        return { ...made, version: found.version, ...cacheTags(deps.config) };
      },
    });
  };
  const paths = [
    { path: `/${kind}/{id}` as const, params: idParams },
    { path: `/${kind}/{id}/{slug}` as const, params: slugParams },
  ];
  return paths.map(({ path, params }) => route({ ...page, path, summary, params, query, handler: answer }));
}

export const peoplePages: RouteValue<WebDeps>[] = [
  ...subjectRoutes({
    kind: 'venue',
    summary: 'A venue as a page',
    find: async ({ reads }, id) => {
      const version = await venueVersion(reads, id);
      return version === null ? null : { id, version };
    },
    make: async (deps, id, options) => {
      const venue = await withTournamentNames(deps, (await findVenue(deps.reads, id, null))!);
      return venuePage(venue, await readCountry(deps, venue.country), options);
    },
  }),
  ...subjectRoutes({
    kind: 'referee',
    summary: 'A referee as a page',
    find: ({ reads }, id) => staffVersion(reads, 'referee', id),
    make: async (deps, id, options) => {
      const referee = await withTournamentNames(deps, await readReferee(deps.reads, id, null));
      return refereePage(referee, await readCountry(deps, referee.country), options);
    },
  }),
  ...subjectRoutes({
    kind: 'coach',
    summary: 'A coach as a page',
    find: ({ reads }, id) => staffVersion(reads, 'coach', id),
    make: async (deps, id, options) => {
      const coach = await withTournamentNames(deps, await readCoach(deps.reads, id, null));
      return coachPage(coach, await readCountry(deps, coach.country), options);
    },
  }),
];
