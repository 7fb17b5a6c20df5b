/** Standings, top scorers and brackets over REST. */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { type Deps, type Route, route } from '../deps.ts';
import {
  date,
  format,
  idParam,
  idParams,
  invalidParameter,
  limit,
  oneValue,
  Problem,
  text,
  timeZone,
} from '../http/index.ts';
import * as bracketSchema from './bracket/schema.ts';
import { seasonBracket } from './bracket/season-bracket.ts';
import { listGroupings } from './conferences.ts';
import type { SeasonRow } from './queries.ts';
import { requireSeason } from './requested-season.ts';
import { GROUPINGS, type Grouping } from './rules.ts';
import * as schema from './schema.ts';
import { topScorers, withoutScorers } from './scorers.ts';
import { listRounds } from './season-rounds.ts';
import { type SeasonTables, seasonTables, toTableRules, withoutMatches } from './standings.ts';
import {
  type EmptyReason,
  readSeason,
  reasonWithoutRows,
  type SeasonRecord,
  tableHistory,
  tablesAfterDay,
  tablesAfterRound,
} from './table-history.ts';

const TABLE_SECONDS = 60;

const common = {
  method: 'GET',
  tag: 'Competitions',
  access: 'key',
  cost: 1,
  cache: { maxAge: TABLE_SECONDS },
  params: idParams,
} as const;

const noGrouping = (grouping: Grouping, groupings: readonly Grouping[]) =>
  new Problem(
    'not_found',
    `The season has no tables by ${grouping}; ${groupings.length === 0 ? 'it has no conferences' : `it has ${groupings.join(', ')}`}.`,
  );

const season = idParam.optional().meta({ description: 'Season id; default: the current season' });
const scorersPage = limit(50, 500);

const standings = route({
  ...common,
  path: '/v1/tournament/{id}/standings',
  example: { type: 'home' },
  summary: 'Season table',
  description:
    'The table of a league, or the tables of the groups of a cup; each group has its own positions. The list is empty, with `reason: "no_table"`, for a cup without groups. It is also empty if no source names the groups and the fixtures do not prove them; they do if the sides form closed groups before the knock-outs and all sides of a group meet equally often. After the split of a league, the regular season comes first, followed by its groups with the points that their sides carried over. `form` is the table of the last five matches of each side. A season with conferences has a table for each division. With `grouping` there is a table for each conference (in baseball: league), a table for the sides of each conference that do not lead a division, or one table of all sides. 404 if the season has no such tables, or no such round.',
  query: z.object({
    format,
    type: oneValue(schema.STANDING_TYPES).default('total'),
    grouping: oneValue(GROUPINGS)
      .optional()
      .meta({ description: 'For seasons with conferences; default: the first of the `groupings` of the reply' }),
    season,
    date: date.optional().meta({
      description: 'The table at the end of this day, with the matches that had begun; each row has its `movement`',
    }),
    tz: timeZone.optional().meta({ description: 'Time zone of `date`, an IANA name. Default: UTC' }),
    round: text(1, 80)
      .optional()
      .meta({
        description:
          'The table after this round (number, or name in any case), with all matches of the rounds until then, whenever they were played; each row has its `movement`. Deductions count if they were decided before the round. Not with `date`',
        examples: ['13'],
      }),
  }),
  csv: 'table',
  response: schema.standings,
  handler: async ({ params, query }, deps) => {
    const { type, grouping, date: day, round } = query;
    if (day !== undefined && round !== undefined)
      throw invalidParameter('round', 'conflict', 'cannot be combined with date');
    const found = await requireSeason(deps, params.id, query.season);
    const { tournament_id, tournament, season_id, season_label } = found;
    const isPast = day !== undefined || round !== undefined;
    const tables: SeasonTables & { reason?: EmptyReason } = isPast
      ? await pastTables(deps, found, query)
      : await seasonTables(deps.pool, found, type, deps.clock.now(), grouping);
    const { table, complete, groupings, reason = 'no_table' } = tables;
    if (grouping !== undefined && !groupings.includes(grouping)) throw noGrouping(grouping, groupings);
    return {
      body: {
        tournament_id,
        tournament,
        season_id,
        season_label,
        standing_type: type,
        groupings,
        table: table.map(withoutMatches),
        complete,
        ...(table.length === 0 && { reason }),
      },
    };
  },
});

interface PastQuery {
  type: schema.StandingType;
  grouping?: Grouping | undefined;
  date?: string | undefined;
  tz?: string | undefined;
  round?: string | undefined;
}

/**
 * Returns the tables after a day or a round.
 * @throws {Problem} not_found if the season has no such round
 */
async function pastTables(
  { pool, clock }: Pick<Deps, 'pool' | 'clock'>,
  season: SeasonRow,
  { type, grouping, date: day, tz = 'UTC', round }: PastQuery,
) {
  const record = await readSeason(pool, season, clock.now());
  const reason = reasonWithoutRows(record);
  if (record === null) return { table: [], complete: true, groupings: [], reason };
  const options = { type, grouping };
  const tables =
    day !== undefined
      ? await tablesAfterDay(pool, record, { date: day, tz }, options)
      : tablesAfterRound(record, round!, options);
  if (tables !== null) return { ...tables, reason };
  throw new Problem(
    'not_found',
    `The season has no round ${round} that counts in a table; /v1/tournament/${season.tournament_id}/rounds lists its rounds.`,
  );
}

/**
 * @param record null for a season without tables
 * @throws {Problem} not_found if the season has no such grouping, or if the side has no row
 */
async function historyReply(
  season: SeasonRow,
  record: SeasonRecord | null,
  { grouping, participant }: { grouping?: Grouping | undefined; participant?: number | undefined },
): Promise<z.infer<typeof schema.standingsHistory>> {
  const { tournament_id, tournament, season_id, season_label } = season;
  const rules = toTableRules(season);
  const groupings = record !== null && rules.conferences ? listGroupings(rules) : [];
  if (grouping !== undefined && !groupings.includes(grouping)) throw noGrouping(grouping, groupings);
  const { steps, rows } = record === null ? { steps: [], rows: [] } : await tableHistory(record, grouping);
  const chosen = rows.filter(({ participant_id }) => participant === undefined || participant_id === participant);
  if (participant !== undefined && rows.length > 0 && chosen.length === 0)
    throw new Problem('not_found', `Participant ${participant} has no row in the tables of this season.`);
  return {
    tournament_id,
    tournament,
    season_id,
    season_label,
    groupings,
    steps,
    rows: chosen,
    ...(rows.length === 0 && { reason: reasonWithoutRows(record) }),
  };
}

const history = route({
  ...common,
  path: '/v1/tournament/{id}/standings/history',
  example: {},
  summary: 'Places and points from round to round',
  description:
    'One row for each side in each group, computed from the matches alone. A round counts with all its matches, whenever they were played. Deductions count from their day.',
  query: z.object({
    season,
    grouping: oneValue(GROUPINGS).optional(),
    participant: idParam.optional().meta({ description: 'Only the rows of this side' }),
  }),
  response: schema.standingsHistory,
  handler: ({ params: { id }, query }, deps) =>
    deps.caches.replies.get(`table history ${id} ${JSON.stringify(query)}`, null, async (cached) => {
      const found = await requireSeason(deps, id, query.season);
      const record = await readSeason(deps.pool, found, deps.clock.now());
      const version = hash(
        'sha1',
        JSON.stringify([record?.season, record?.matches, record?.decisions, record && [...record.teams]]),
        'base64url',
      );
      if (cached?.version === version) return cached;
      const body = JSON.stringify(await historyReply(found, record, query));
      return { body, version, etag: version };
    }),
});

const scorers = route({
  ...common,
  path: '/v1/tournament/{id}/scorers',
  example: { limit: '2' },
  summary: "A season's top scorers",
  description:
    'Own goals and shoot-outs do not count. An empty list comes with a `reason`, and with the latest season that has scorers.',
  query: z.object({ format, season, limit: scorersPage }),
  csv: 'scorers',
  response: schema.scorers,
  handler: async ({ params, query }, deps) => {
    const { tournament_id, season_id } = await requireSeason(deps, params.id, query.season);
    const list = season_id === null ? [] : await topScorers(deps.pool, season_id, query.limit);
    const empty = list.length === 0 && (await withoutScorers(deps.pool, tournament_id, season_id));
    return { body: { tournament_id, season_id, count: list.length, scorers: list, ...empty } };
  },
});

const bracket = route({
  ...common,
  path: '/v1/tournament/{id}/bracket',
  example: {},
  summary: "A season's knock-out rounds",
  description:
    'Pairings of each knock-out round, by the round names of the sources; if no source names any, inferred from the matches of a finished season. Unknown sides and legs are null. For leagues, and if the rounds are not known, the list is empty and has a `reason`. Cancelled matches are left out.',
  query: z.object({ season }),
  response: bracketSchema.bracket,
  errors: ['not_found'],
  handler: ({ params: { id }, query }, deps) =>
    deps.caches.replies.get(`bracket ${id} ${query.season}`, null, async () => {
      const body = JSON.stringify(
        await seasonBracket(deps.pool, await requireSeason(deps, id, query.season), deps.clock.now()),
      );
      const version = hash('sha1', body, 'base64url');
      return { body, version, etag: version };
    }),
});

const rounds = route({
  ...common,
  path: '/v1/tournament/{id}/rounds',
  example: {},
  summary: "A season's rounds",
  description:
    'In the order of play, without matches that have no round. If no source names rounds, the list is empty, with `reason: "no_rounds"`. `/v1/events?season=&round=` lists the matches of a round by its name or number.',
  query: z.object({ season }),
  response: schema.rounds,
  handler: async ({ params, query }, deps) => {
    const { tournament_id, season_id, season_label } = await requireSeason(deps, params.id, query.season);
    const list = season_id === null ? [] : await listRounds(deps.pool, season_id, new Date(deps.clock.now()));
    const reason = list.length === 0 && { reason: 'no_rounds' };
    return { body: { tournament_id, season_id, season_label, count: list.length, rounds: list, ...reason } };
  },
});

export const routes: Route[] = [standings, history, scorers, bracket, rounds];
