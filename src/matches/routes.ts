/** Matches over REST: the schedule, live matches, one match with its blocks, and sync. */

import { z } from 'zod';
import { type Deps, type Route, route } from '../deps.ts';
import {
  commaList,
  externalIdsParam,
  format,
  idParam,
  idParams,
  integer,
  invalidParameter,
  limit,
  offset,
  Problem,
  type Reply,
  sportSlug,
  type VersionedReply,
} from '../http/index.ts';
import { externalIdsOf } from '../identity/external-ids.ts';
import { type BlockName, id, listedMatch, matchDetail, matchItem } from '../wire/match.ts';
import { timestamp } from '../wire/time.ts';
import { cardMaxAge, LIVE_SECONDS, SCHEDULED_SECONDS } from './cache-control.ts';
import { dayBlockRoutes } from './day-blocks.ts';
import { type EventFilters, eventFilters, inKnownZone } from './filters.ts';
import { readHeadToHead } from './head-to-head.ts';
import { joinItems, type ListStatement } from './list-items.ts';
import {
  countEvents,
  type EventRange,
  hasFilters,
  isPosition,
  listEvents,
  listLive,
  pageStatement,
  settledState,
} from './queries.ts';
import { readCard } from './read-card.ts';
import { sync } from './sync.ts';
import {
  blocksQuery,
  type ListedBlocks,
  listBlocksQuery,
  listCost,
  listedBlocks,
  MOST_WITH_BLOCKS,
  wantedBlocks,
} from './wanted-blocks.ts';

const common = { method: 'GET', tag: 'Matches', access: 'key', cost: 1 } as const;

const events = route({
  ...common,
  path: '/v1/events',
  example: { sport: 'football', status: 'finished', limit: '1' },
  summary: 'Matches by id, date, status, tournament, season, round or participant',
  description:
    'Ordered by start, then id. A list in ascending order with `date` and `top` is ordered by importance first; with `status=scheduled`, matches that await data come last. `from` and `updated_since` are inclusive, `to` is exclusive. A match has to pass all filters; of a filter with several values it has to meet at least one.',
  cache: { maxAge: SCHEDULED_SECONDS },
  mostCost: ({ blocks, limit }) => listCost(blocks, limit),
  query: z.object({
    format,
    ...eventFilters,
    blocks: listBlocksQuery,
    limit: limit(100, 1_000),
    offset,
    after: z.string().optional().meta({
      description:
        "The previous page's `next_after`, instead of `offset`, so that inserted matches do not make pages repeat or skip matches",
    }),
  }),
  csv: 'events',
  csvItem: matchItem,
  response: z.strictObject({
    count: z.int().min(0),
    total: z.int().min(0),
    events: z.array(listedMatch),
    next_after: z.string().nullable().meta({ description: 'Null on the last page' }),
  }),
  errors: ['invalid_cursor'],
  handler: ({ query, access }, deps) => {
    const list = access === null ? knownList(query) : toList(query, access);
    return deps.caches.replies.get(list.name, null, (cached) => inKnownZone(eventsReply(deps, list, cached)));
  },
});

type EventsQuery = Omit<EventFilters, 'access'> & {
  format: string;
  blocks?: string[] | undefined;
  limit: number;
  offset: number;
  after?: string | undefined;
};

interface EventList {
  /** The list's name in the reply cache. */
  name: string;
  filters: EventFilters;
  range: EventRange;
  page: ListStatement;
  /** The name of the number of matches on all pages. */
  totalName: string;
}

/** @throws {Problem} invalid_parameter, invalid_cursor */
function toList(query: EventsQuery, access: EventFilters['access'] | null): EventList {
  const { format, limit, offset, after: given, blocks: named, ...asked } = query;
  const blocks = listedBlocks(named, limit);
  if (blocks !== null && format === 'csv')
    throw invalidParameter('blocks', 'conflict', 'cannot be combined with format=csv');
  const filters: EventFilters = { ...asked, ...(access !== null && { access }) };
  if (filters.from !== undefined && filters.to !== undefined && filters.from >= filters.to)
    throw invalidParameter('to', 'invalid_range', 'must be later than from');
  const after = given === '' ? undefined : given;
  if (after !== undefined && offset > 0) throw invalidParameter('offset', 'conflict', 'cannot be combined with after');
  if (after !== undefined && !isPosition(after, filters))
    throw new Problem('invalid_cursor', 'after must be the next_after of a list in the same order.');
  const range = { limit, offset, after };
  const all = JSON.stringify(filters);
  return {
    name: `events ${all} ${JSON.stringify(range)} ${JSON.stringify(blocks)}`,
    filters,
    range,
    page: pageStatement(filters, range, blocks),
    totalName: `events total ${all}`,
  };
}

/** The list for each parsed query. Requests with the same text share a parsed query. */
const knownLists = new WeakMap<EventsQuery, EventList>();

function knownList(query: EventsQuery): EventList {
  const known = knownLists.get(query);
  if (known !== undefined) return known;
  const list = toList(query, null);
  knownLists.set(query, list);
  return list;
}

async function eventsReply(deps: Deps, list: EventList, cached?: VersionedReply): Promise<VersionedReply> {
  const { filters, range } = list;
  const [cachedTotal, cachedVersion] = String(cached?.version ?? '').split('.');
  const [total, changed] = await Promise.all([
    countTotal(deps, list),
    listEvents(deps, filters, list.page, cachedVersion),
  ]);
  if (cached !== undefined && changed === null && cachedTotal === total) return cached;
  const page = changed ?? (await listEvents(deps, filters, list.page))!;
  const { items, position } = page;
  const count = items.length;
  const isLast = count < range.limit || (range.after === undefined && range.offset + count >= Number(total));
  const next = JSON.stringify(isLast ? null : position);
  const version = `${total}.${page.version}`;
  return {
    body: joinItems(`{"count":${count},"total":${total},"events":[`, items, `],"next_after":${next}}`),
    version,
    etag: withBlocks(version, list.page.blocks),
    ...(list.page.blocks !== null && { cost: listCost([], count) }),
    maxAge: items.some(({ isLive }) => isLive) ? LIVE_SECONDS : SCHEDULED_SECONDS,
  };
}

/** Returns an entity tag that names the blocks as well. */
const withBlocks = (version: string, blocks: ListedBlocks | null): string =>
  blocks === null ? version : [version, ...blocks.stored, ...blocks.fields].join('-');

/** Counts a list's matches once for all pages. In a long list, counting takes longer than reading a page. */
async function countTotal(deps: Deps, { totalName, filters }: EventList): Promise<string> {
  const reply = await deps.caches.replies.get(totalName, null, async (cached) => {
    // Counting all matches takes 20 to 30 ms, and looking whether any match has changed takes 0.1 ms.
    const state = hasFilters(filters) ? null : await settledState(deps.pool);
    if (cached !== undefined && cached.version === state) return cached;
    const total = String(await countEvents(deps.pool, filters));
    return { body: total, version: state ?? `${total} matches` };
  });
  return String(reply.body);
}

const MOST_LIVE = 1_000;

const live = route({
  ...common,
  path: '/v1/events/live',
  example: { sport: 'football' },
  summary: 'Live matches',
  description:
    'Matches in progress, without those that await data. `as_of` is the time of the newest change in the list, null when no match is live.',
  cache: { maxAge: LIVE_SECONDS },
  mostCost: ({ blocks, limit }) => listCost(blocks, limit ?? MOST_WITH_BLOCKS),
  query: z.object({
    sport: sportSlug.optional(),
    tournament: idParam.optional(),
    blocks: listBlocksQuery,
    limit: integer(1, MOST_LIVE)
      .optional()
      .meta({ default: MOST_LIVE, description: `With \`blocks\` the default is ${MOST_WITH_BLOCKS}` }),
  }),
  response: z.strictObject({ count: z.int().min(0), events: z.array(listedMatch), as_of: timestamp.nullable() }),
  handler: ({ query: asked, access }, deps) => {
    const limit = asked.limit ?? (asked.blocks === undefined ? MOST_LIVE : MOST_WITH_BLOCKS);
    const blocks = listedBlocks(asked.blocks, limit);
    const query = { ...asked, limit, blocks, ...(access !== null && { access }) };
    return deps.caches.replies.get(`live ${JSON.stringify(query)}`, null, async (cached) => {
      const list = await listLive(deps, query, cached?.version as string | undefined);
      if (list === null) return cached!;
      const { version, items, as_of } = list;
      const body = joinItems(`{"count":${items.length},"events":[`, items, `],"as_of":${JSON.stringify(as_of)}}`);
      const cost = blocks !== null && { cost: listCost([], items.length) };
      return { body, version, etag: withBlocks(version, blocks), ...cost };
    });
  },
});

const event = route({
  ...common,
  path: '/v1/event/{id}',
  example: { blocks: 'incidents,coaches' },
  summary: 'Match detail',
  description: 'A block is absent if no data is stored, and empty if it is known to be empty.',
  cache: { maxAge: SCHEDULED_SECONDS },
  params: idParams,
  query: z.object({
    blocks: blocksQuery,
    external_ids: externalIdsParam,
  }),
  response: matchDetail,
  errors: ['not_found'],
  handler: ({ params, query }, deps) => {
    const blocks = wantedBlocks(query.blocks);
    if (query.external_ids) return cardWithExternalIds(deps, params.id, blocks);
    return deps.caches.replies.get(`card ${params.id} ${blocks?.join() ?? '*'}`, params.id, (cached) =>
      cardReply(deps, params.id, blocks, cached),
    );
  },
});

async function cardReply(
  deps: Deps,
  id: number,
  blocks: BlockName[] | null,
  cached?: VersionedReply,
): Promise<VersionedReply> {
  const known = typeof cached?.version === 'number' ? cached.version : undefined;
  const stored = await readCard(deps.pool, id, blocks, known);
  if (stored === null) throw new Problem('not_found', `There is no match ${id}.`);
  const { version, card } = stored;
  if (card === null) return cached!;
  return {
    body: card,
    version,
    etag: `${id}-${version}${blocks === null ? '' : `-${blocks.join('.')}`}`,
    maxAge: cardMaxAge(stored),
  };
}

const tally = z.int().min(0);
const sideOfMeetings = z.strictObject({ id, name: z.string(), name_ru: z.string().nullable() });

const headToHead = route({
  ...common,
  path: '/v1/h2h',
  example: { participants: '1,2', limit: '1' },
  summary: 'Meetings of two teams, or of two players of a sport without teams',
  description:
    '`team_a` is the first of the two ids, whatever the venues. Wins, draws and goals are counted over matches with a result, without awarded ones; in football a match that a shoot-out decided is a draw. `events` lists all meetings, newest first, including matches to come.',
  cache: { maxAge: SCHEDULED_SECONDS },
  query: z.object({
    participants: commaList(idParam, 2, 2).meta({ description: 'Two ids, comma-separated' }),
    blocks: listBlocksQuery,
    limit: limit(10, MOST_WITH_BLOCKS),
    offset,
  }),
  mostCost: ({ blocks, limit }) => listCost(blocks, limit),
  response: z
    .strictObject({
      team_a: sideOfMeetings,
      team_b: sideOfMeetings,
      total: tally.meta({ description: 'All meetings' }),
      matches: tally.meta({ description: 'Meetings that count' }),
      team_a_wins: tally,
      draws: tally,
      team_b_wins: tally,
      team_a_goals: tally,
      team_b_goals: tally,
      count: tally.meta({ description: 'Items in this page' }),
      events: z.array(listedMatch),
    })
    .meta({ id: 'HeadToHead' }),
  errors: ['not_found'],
  handler: async ({ query, access }, { pool, clock }) => {
    const blocks = listedBlocks(query.blocks, query.limit);
    const { body, count } = await readHeadToHead(pool, { ...query, blocks, access }, new Date(clock.now()));
    return { body, cost: listCost(query.blocks, count) };
  },
});

async function cardWithExternalIds(deps: Deps, id: number, blocks: BlockName[] | null): Promise<Reply> {
  const [{ body, maxAge }, ids] = await Promise.all([
    cardReply(deps, id, blocks),
    externalIdsOf(deps.pool, 'match', id),
  ]);
  const card = String(body);
  return {
    body: `${card.slice(0, -1)},"external_ids":${JSON.stringify(ids)}}`,
    ...(maxAge !== undefined && { maxAge }),
  };
}

export const routes: Route[] = [events, live, event, sync, headToHead, ...dayBlockRoutes];
