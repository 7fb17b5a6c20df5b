/** The catalogue over REST: sports, countries, tournaments, seasons, participants, search, images, reference lists. */
import { z } from 'zod';
import type { Queryable } from '../db/postgres.ts';
import { type Route, route } from '../deps.ts';
import {
  externalIdsParam,
  idList,
  idParams,
  limit,
  offset,
  oneValue,
  Problem,
  sportSlug,
  text,
} from '../http/index.ts';
import { externalIdsOf } from '../identity/external-ids.ts';
import { listBlocksQuery, listCost, listedBlocks } from '../matches/index.ts';
import { countryCode, PARTICIPANT_TYPES } from '../wire/match.ts';
import { DAY_SECONDS, utcDay } from '../wire/time.ts';
import { externalIdRoutes } from './external-id-routes.ts';
import { participantEvents, WHEN } from './participant-events.ts';
import { participantImage } from './participant-image.ts';
import {
  findParticipant,
  findTournament,
  listCountries,
  listParticipants,
  listSeasons,
  listSports,
  listTournaments,
  tournamentsVersion,
} from './queries.ts';
import { eventTypes, incidentKinds, statuses } from './reference-lists.ts';
import * as schema from './schema.ts';
import { searchEverything, searchParticipants, searchTournaments } from './search/search.ts';
import type { Subject } from './shown-names.ts';

/** Cache lifetime for lists that change with the catalogue. */
const LIST_SECONDS = 60;
const IMAGE_SECONDS = 7 * DAY_SECONDS;

const common = {
  method: 'GET',
  tag: 'Catalogue',
  access: 'key',
  cost: 1,
  cache: { maxAge: LIST_SECONDS },
} as const;

const tournamentsPage = limit(100, 1000);
const searchPage = limit(20, 100);
const participantEventsPage = limit(50, 200);

const sport = sportSlug.optional();
const unknown = (what: string, id: number) => new Problem('not_found', `There is no ${what} ${id}.`);

const sports = route({
  ...common,
  path: '/v1/sports',
  summary: 'All sports',
  cache: { maxAge: DAY_SECONDS },
  response: schema.sportList,
  handler: async (_, { pool }) => ({ body: { sports: await listSports(pool) } }),
});

const countries = route({
  ...common,
  path: '/v1/countries',
  example: { sport: 'football' },
  summary: 'Countries with the number of leagues',
  description:
    'All countries, or with `sport` only countries with a league of that sport. INT stands for international tournaments.',
  cache: { maxAge: DAY_SECONDS },
  query: z.object({ sport }),
  response: schema.countryList,
  handler: async ({ query }, { pool }) => {
    const list = await listCountries(pool, query.sport);
    return { body: { count: list.length, countries: list } };
  },
});

const tournaments = route({
  ...common,
  path: '/v1/tournaments',
  example: { sport: 'football', limit: '2' },
  summary: 'Leagues and cups, most important first; with `q` the best match first',
  description:
    'Tournaments without a match (`events: 0`) come last, whatever their importance. With `ids` and without `q` the order is that of the ids.',
  query: z.object({
    ids: idList.optional().meta({ description: 'Up to 100 tournaments; unknown ids are left out' }),
    sport,
    country: countryCode.optional(),
    q: text(1, 80).optional().meta({
      description:
        'A name or abbreviation, in English or Russian; matched like participants, see /v1/participants/search',
    }),
    limit: tournamentsPage,
    offset,
  }),
  response: schema.tournamentList,
  handler: async ({ query: { q, ...asked }, access }, { pool, caches }) => {
    const filter = { ...asked, ...(access !== null && { access }) };
    const key = `tournaments ${JSON.stringify({ q, ...filter })}`;
    return caches.versioned.get(key, await tournamentsVersion(pool), async () => {
      const found = q === undefined ? undefined : await searchTournaments(pool, { q, ...filter });
      const { count, total, tournaments } = await listTournaments(pool, {
        ...filter,
        ...(found !== undefined && { ids: found.map(({ id }) => id).filter((id) => asked.ids?.includes(id) ?? true) }),
      });
      return `{"count":${count},"total":${total},"tournaments":[${tournaments}]}`;
    });
  },
});

const tournament = route({
  ...common,
  path: '/v1/tournament/{id}',
  summary: 'One tournament with the current season',
  params: idParams,
  query: z.object({ external_ids: externalIdsParam }),
  response: schema.tournamentDetail,
  handler: async ({ params: { id }, query }, { pool, clock }) => {
    const [found, list] = await Promise.all([findTournament(pool, id), listSeasons(pool, id, utcDay(clock.now()))]);
    if (found === null) throw unknown('tournament', id);
    const current_season = list.find(({ is_current }) => is_current) ?? null;
    const external = query.external_ids && { external_ids: await externalIdsOf(pool, 'tournament', id) };
    return { body: { ...found, current_season, ...external } };
  },
});

const seasons = route({
  ...common,
  path: '/v1/tournament/{id}/seasons',
  summary: "A tournament's seasons, newest first",
  params: idParams,
  response: schema.seasonList,
  handler: async ({ params: { id } }, { pool, clock }) => {
    const list = await listSeasons(pool, id, utcDay(clock.now()));
    if (list.length === 0 && (await findTournament(pool, id)) === null) throw unknown('tournament', id);
    return { body: { count: list.length, seasons: list } };
  },
});

const participants = route({
  ...common,
  path: '/v1/participants',
  example: { ids: '1,2' },
  summary: 'Teams and players by id',
  description:
    'In the order of the ids; unknown ids are left out. The former id of a player who was known only by name gives the identified player. `/v1/participant/{id}` has more: clubs by season, aliases and former names.',
  query: z.object({ ids: idList.meta({ description: 'Up to 100 participants' }) }),
  response: schema.participantList,
  handler: async ({ query }, { pool, clock }) => {
    const found = await listParticipants(pool, query.ids, new Date(clock.now()));
    return { body: { count: found.length, participants: found } };
  },
});

const search = route({
  ...common,
  path: '/v1/participants/search',
  example: { q: 'нортхейвен', limit: '1' },
  summary: 'Teams, players, referees and coaches by name, best first',
  description:
    'Ignores accents, alphabet and transliteration; finds aliases and former names; tolerates a wrong keyboard layout and one typo per five letters. The last word may be a prefix.',
  query: z.object({ q: text(2, 80), sport, type: oneValue(PARTICIPANT_TYPES).optional(), limit: searchPage }),
  response: schema.foundParticipantList,
  handler: async ({ query }, { pool, clock }) => {
    const participants = await searchParticipants(pool, query, new Date(clock.now()));
    return { body: { count: participants.length, participants } };
  },
});

/** No provider has ids of referees and coaches. */
const listIds = async (pool: Queryable, { type, id }: Subject) =>
  type === 'team' || type === 'player' ? externalIdsOf(pool, type, id) : {};

const participant = route({
  ...common,
  path: '/v1/participant/{id}',
  summary: 'A team, player, referee or coach',
  description: 'For a player, `extra.clubs` has the clubs by season, from line-ups and incidents.',
  params: idParams,
  query: z.object({ external_ids: externalIdsParam }),
  response: schema.participantDetail,
  handler: async ({ params: { id }, query }, { pool, clock }) => {
    const found = await findParticipant(pool, id, new Date(clock.now()));
    if (found === null) throw unknown('participant', id);
    const external = query.external_ids && { external_ids: await listIds(pool, found) };
    return { body: { ...found, ...external } };
  },
});

export const searchAll = route({
  ...common,
  path: '/v1/search',
  example: { q: 'northaven', limit: '2' },
  summary: 'Teams, players, referees, coaches and tournaments by name, best first',
  description:
    'Matched like `/v1/participants/search`, which has aliases and more about each participant. `/v1/venues` finds venues.',
  query: z.object({ q: text(2, 80), sport, limit: searchPage }),
  response: schema.searchHitList,
  handler: async ({ query, access }, { pool, clock }) => {
    const results = await searchEverything(pool, query, new Date(clock.now()), access);
    return { body: { count: results.length, results } };
  },
});

const image = route({
  ...common,
  path: '/v1/participant/{id}/image',
  summary: 'Logo or photo, 150x150',
  description:
    "A PNG. If no picture is stored, it is drawn: initials on a shield in the team's colours, which is grey if they are not known.",
  keyInQuery: true,
  cache: { maxAge: IMAGE_SECONDS },
  params: idParams,
  response: { contentType: 'image/png' },
  handler: async ({ params: { id } }, { pool }) => {
    const found = await participantImage(pool, id);
    if (found === null) throw unknown('participant', id);
    const { png, etag } = found;
    return { body: png, etag };
  },
});

const events = route({
  ...common,
  path: '/v1/participant/{id}/events',
  example: { when: 'past', limit: '1' },
  summary: "A team's or player's matches",
  description:
    'past: newest first. upcoming, including matches in progress: soonest first. all: newest first. For a player: the matches in which the player appeared, scored or was carded; `player` tells what the player did in the match.',
  params: idParams,
  mostCost: ({ blocks, limit }) => listCost(blocks, limit),
  query: z.object({
    when: oneValue(WHEN).default('all'),
    blocks: listBlocksQuery,
    limit: participantEventsPage,
    offset,
  }),
  response: schema.participantEventList,
  handler: async ({ params: { id }, query, access }, { pool, clock }) => {
    const blocks = listedBlocks(query.blocks, query.limit);
    const list = await participantEvents(pool, new Date(clock.now()), { ...query, participantId: id, blocks, access });
    if (list === null) throw unknown('participant', id);
    return { body: list.body, cost: listCost(query.blocks, list.count) };
  },
});

const reference = {
  ...common,
  tag: 'Reference',
  cache: { maxAge: DAY_SECONDS },
  query: z.object({ sport }),
} as const;

const eventTypeList = route({
  ...reference,
  path: '/v1/reference/event-types',
  summary: 'Event types of streams, replay and webhooks',
  response: schema.eventTypeList,
  handler: ({ query }) => ({ body: eventTypes(query.sport) }),
});

const incidentKindList = route({
  ...reference,
  path: '/v1/reference/incident-kinds',
  summary: 'Incident kinds',
  response: schema.incidentKindList,
  handler: ({ query }) => ({ body: incidentKinds(query.sport) }),
});

const statusList = route({
  ...reference,
  path: '/v1/reference/statuses',
  summary: 'Values of status and status_detail',
  response: schema.statusList,
  handler: () => ({ body: statuses() }),
});

export const routes: Route[] = [
  sports,
  countries,
  tournaments,
  tournament,
  seasons,
  participants,
  search,
  searchAll,
  ...externalIdRoutes,
  participant,
  image,
  events,
  eventTypeList,
  incidentKindList,
  statusList,
];
