/** The odds and the channels of all matches on a day, over REST. */
import { z } from 'zod';
import { firstRow, prepared } from '../db/postgres.ts';
import { type Deps, type Route, route } from '../deps.ts';
import { date, idList, limit, offset, type Reply, sportSlug, text } from '../http/index.ts';
import type { MatchAccess } from '../wire/access.ts';
import { countryCode, listedMatch } from '../wire/match.ts';
import { eventFilters, inKnownZone, isWithinSql } from './filters.ts';
import { onDaySql } from './local-day.ts';
import { listCost, MOST_WITH_BLOCKS } from './wanted-blocks.ts';

const SECONDS = 30;

const dayQuery = {
  date: date.meta({ description: 'Start day, as in `/v1/events`' }),
  tz: eventFilters.tz,
  sport: sportSlug.optional(),
  tournament: idList.optional().meta({ description: 'One tournament or several' }),
  limit: limit(50, MOST_WITH_BLOCKS),
  offset,
};
type DayQuery = z.infer<z.ZodObject<typeof dayQuery>>;

const response = z.strictObject({
  date: z.string(),
  count: z.int().min(0).meta({ description: 'Items in this page' }),
  total: z.int().min(0),
  events: z.array(listedMatch),
});

/**
 * Returns a statement that reads a page of a day's matches, each with a part of one block.
 * @param block the name of the block
 * @param part SQL for the part of the block `b` as JSON text. A match for which it is null is left out.
 */
const dayBlocks = (block: string, part: string) =>
  prepared(
    `${block} of a day`,
    `WITH own AS MATERIALIZED (
       SELECT m.id, m.scheduled_start, ${part} AS part FROM match m JOIN match_block b ON b.match_id = m.id AND b.block = '${block}'
       WHERE ${onDaySql('$1::date', '$2')}
         AND ($3::text IS NULL OR m.sport = $3) AND ($4::bigint[] IS NULL OR m.tournament_id = ANY ($4))
         AND ($5::text[] IS NULL OR ${isWithinSql('m', '$5', '$6')})
     ), page AS (
       SELECT * FROM own WHERE part IS NOT NULL ORDER BY scheduled_start, id LIMIT $7 OFFSET $8)
     SELECT (SELECT count(*)::int FROM own WHERE part IS NOT NULL) AS total, count(*)::int AS count,
       coalesce(string_agg(left(c.item, -1) || ',"${block}":' || p.part || '}', ',' ORDER BY p.scheduled_start, p.id), '') AS events
     FROM page p JOIN match_card c ON c.match_id = p.id`,
  );

async function readDay(
  { pool }: Deps,
  statement: ReturnType<typeof dayBlocks>,
  { date, tz = 'UTC', sport, tournament, limit, offset }: DayQuery,
  access: MatchAccess | null,
  more: readonly unknown[],
): Promise<Reply> {
  const within = [access?.sports ?? null, access?.tournaments ?? null];
  const values = [date, tz, sport ?? null, tournament ?? null, ...within, limit, offset, ...more];
  const { rows } = await inKnownZone(pool.query<{ total: number; count: number; events: string }>(statement(values)));
  const { total, count, events } = firstRow(rows);
  return {
    body: `{"date":${JSON.stringify(date)},"count":${count},"total":${total},"events":[${events}]}`,
    cost: listCost([], count),
  };
}

const common = { method: 'GET', tag: 'Matches', access: 'key', cost: 1, cache: { maxAge: SECONDS }, response } as const;
const mostCost = ({ limit }: DayQuery) => listCost([], limit);

const ODDS = dayBlocks(
  'odds',
  `CASE WHEN b.json = '[]' THEN NULL WHEN $9::text IS NULL AND $10::text IS NULL THEN b.json ELSE (
     SELECT '[' || string_agg(e.entry::text, ',' ORDER BY e.nth) || ']' FROM json_array_elements(b.json::json) WITH ORDINALITY e (entry, nth)
     WHERE ($9 IS NULL OR lower($9) IN (lower(e.entry ->> 'market_name'), lower(e.entry ->> 'market_group')))
       AND ($10 IS NULL OR lower($10) = lower(e.entry ->> 'bookmaker'))) END`,
);

const odds = route({
  ...common,
  path: '/v1/odds',
  example: { date: '2026-11-07', market: '1x2', limit: '1' },
  summary: "The odds of a day's matches",
  description:
    'Matches with odds, by start, then id, with the latest and the opening price of each choice. Costs 1, and 1 more for each 10 matches or part of them.',
  mostCost,
  query: z.object({
    ...dayQuery,
    market: text(1, 80)
      .optional()
      .meta({ description: 'Name or group of a market, in any case', examples: ['1x2'] }),
    bookmaker: text(1, 80).optional().meta({ description: 'Name of a bookmaker, in any case' }),
  }),
  handler: ({ query: { market = null, bookmaker = null, ...query }, access }, deps) =>
    readDay(deps, ODDS, query, access, [market, bookmaker]),
});

const CHANNELS = dayBlocks(
  'tv_channels',
  `CASE WHEN b.json = '{}' THEN NULL WHEN $9::text IS NULL THEN b.json
     ELSE '{' || to_json($9)::text || ':' || (b.json::json -> $9)::text || '}' END`,
);

const channels = route({
  ...common,
  path: '/v1/tv',
  example: { date: '2026-11-07' },
  summary: "The television channels of a day's matches",
  description:
    'Matches with known channels, by start, then id. Costs 1, and 1 more for each 10 matches or part of them.',
  mostCost,
  query: z.object({
    ...dayQuery,
    country: countryCode
      .optional()
      .meta({ description: 'Only matches that are shown there, with the channels of that country' }),
  }),
  handler: ({ query: { country = null, ...query }, access }, deps) => readDay(deps, CHANNELS, query, access, [country]),
});

export const dayBlockRoutes: Route[] = [odds, channels];
