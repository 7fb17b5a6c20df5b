/** The filters for a match list, such as `top`, and the SQL for them. */
import type { z } from 'zod';
import {
  bool,
  commaList,
  date,
  idList,
  idParam,
  integer,
  invalidParameter,
  oneValue,
  sportSlug,
  text,
  timeParam,
  timeZone,
} from '../http/index.ts';
import { readErrorCode } from '../runtime/unknown-values.ts';
import type { MatchAccess } from '../wire/access.ts';
import { AWAITING_DATA, countryCode, MATCH_STATUSES, SHOWN_STATUS_DETAILS } from '../wire/match.ts';
import { onDaySql } from './local-day.ts';

/** Minimum importance of a top tournament. Amateur and youth tournaments never count as top. */
const TOP_IMPORTANCE = 50;

export const eventFilters = {
  ids: idList.optional().meta({ description: 'Up to 100 matches; unknown ids are left out' }),
  sport: commaList(sportSlug).optional().meta({ description: 'One or several sports, by slug' }),
  date: date.optional().meta({
    description: 'Start day in the time zone `tz`; a match without a time has one day in every zone',
  }),
  tz: timeZone.optional().meta({
    description: 'Time zone of `date`: an IANA name, in any case; no offset such as `+03:00`. Default: UTC',
  }),
  status: oneValue(MATCH_STATUSES).optional(),
  status_detail: oneValue(SHOWN_STATUS_DETAILS).optional().meta({
    description: '`awaiting_data`: long past the start, or live and silent, without a result',
  }),
  top: bool.optional().meta({ description: 'Only important tournaments, no amateur or youth ones' }),
  min_importance: integer(0, 100).optional(),
  tournament: idList.optional().meta({ description: 'One tournament or several' }),
  season: idParam.optional(),
  round: text(1, 80)
    .optional()
    .meta({
      description: 'Number or name of a round, in any case',
      examples: ['13', 'Final'],
    }),
  country: countryCode.optional().meta({ description: "The tournament's country" }),
  participant: idList.optional().meta({ description: 'One participant or several' }),
  from: timeParam.optional(),
  to: timeParam.optional(),
  updated_since: timeParam.optional().meta({
    description: 'Only matches that changed at this time or later; `/v1/sync` follows all changes without omissions',
  }),
  order: oneValue(['asc', 'desc']).default('asc'),
};

/** `from` and `updated_since` are inclusive, `to` is exclusive. The zone is UTC by default. */
export interface EventFilters extends Partial<z.infer<z.ZodObject<typeof eventFilters>>> {
  /** The client's access. Absent for all matches. */
  access?: MatchAccess;
}

/** SQLSTATE invalid_parameter_value. */
const UNKNOWN_TIME_ZONE = '22023';

/** @throws {Problem} invalid_parameter, if Postgres does not know the time zone `tz`, because it has its own list of them */
export const inKnownZone = <T>(read: Promise<T>): Promise<T> =>
  read.catch((error: unknown) => {
    if (readErrorCode(error) !== UNKNOWN_TIME_ZONE) throw error;
    throw invalidParameter('tz', 'invalid_value', 'is not known here');
  });

const TOURNAMENTS = '(SELECT t.id FROM tournament t';
/** Uses a subquery, because Postgres would look up each match's tournament for a join. */
const isImportant = (least: string) =>
  `(m.importance >= ${least} OR m.tournament_id IN ${TOURNAMENTS} WHERE t.importance >= ${least}))`;

/**
 * The matches of several participants are collected first, because Postgres would otherwise read all matches in order
 * until the page is full (measured with three teams: 230 ms).
 */
const hasParticipantSql = (participants: string) =>
  `m.id = ANY (ARRAY(SELECT h.id FROM match h WHERE h.home_id = ANY (${participants})
    UNION SELECT a.id FROM match a WHERE a.away_id = ANY (${participants})))`;

/**
 * Returns SQL that is true if a row belongs to any of these sports or tournaments.
 * @param table has the columns sport and tournament_id
 */
export const isWithinSql = (table: string, sports: string, tournaments: string) =>
  `(${table}.sport = ANY (${sports}::text[]) OR ${table}.tournament_id = ANY (${tournaments}::bigint[]))`;

/** SQL conditions with their values and the values' types in Postgres. Parameters are numbered from $1. */
export interface Conditions {
  parts: string[];
  values: unknown[];
  types: string[];
}

/** Returns the conditions that a match `m` has to meet. */
export function conditions(filters: EventFilters): Conditions {
  const values: unknown[] = [];
  const types: string[] = [];
  const parts: string[] = [];
  const parameter = (type: string, value: unknown) => {
    types.push(type);
    return `$${values.push(value)}`;
  };
  const add = (sql: (parameter: string) => string, type: string, value: unknown) => {
    if (value !== undefined) parts.push(sql(parameter(type, value)));
  };
  // A single value is compared with `=`. The statement for one tournament's matches then reads the index in order.
  const addAny = (column: string, type: string, given: readonly unknown[] | undefined) =>
    given?.length === 1
      ? add((p) => `${column} = ${p}`, type, given[0])
      : add((p) => `${column} = ANY (${p})`, `${type}[]`, given);
  addAny('m.id', 'bigint', filters.ids);
  addAny('m.sport', 'text', filters.sport);
  // The status is a literal, so that Postgres can use an index of only the matches with that status.
  if (filters.status !== undefined) parts.push(`m.status = '${filters.status}'`);
  if (filters.status_detail === AWAITING_DATA) parts.push('m.awaiting_data');
  else add((p) => `m.status_detail = ${p} AND NOT m.awaiting_data`, 'text', filters.status_detail);
  addAny('m.tournament_id', 'bigint', filters.tournament);
  const [participant, ...others] = filters.participant ?? [];
  if (others.length === 0) add((p) => `(m.home_id = ${p} OR m.away_id = ${p})`, 'bigint', participant);
  else add(hasParticipantSql, 'bigint[]', filters.participant);
  add((p) => `m.season_id = ${p}`, 'bigint', filters.season);
  add((p) => `(m.round_num::text = ${p} OR lower(m.round_name) = lower(${p}))`, 'text', filters.round);
  add((p) => `m.tournament_id IN ${TOURNAMENTS} WHERE t.country = ${p})`, 'text', filters.country);
  add((p) => `m.updated_at >= ${p}`, 'timestamptz', filters.updated_since);
  if (filters.date !== undefined) {
    const day = `${parameter('date', filters.date)}::date`;
    const utc = `m.scheduled_start >= (${day})::timestamp AT TIME ZONE 'UTC' AND m.scheduled_start < (${day} + 1)::timestamp AT TIME ZONE 'UTC'`;
    parts.push(filters.tz === undefined ? utc : onDaySql(day, parameter('text', filters.tz)));
  }
  add((p) => `m.scheduled_start >= ${p}`, 'timestamptz', filters.from);
  add((p) => `m.scheduled_start < ${p}`, 'timestamptz', filters.to);
  add(isImportant, 'int', filters.min_importance);
  if (filters.access !== undefined) {
    const { sports, tournaments } = filters.access;
    // A condition on one column can use that column's index.
    if (tournaments.length === 0) addAny('m.sport', 'text', sports);
    else if (sports.length === 0) addAny('m.tournament_id', 'bigint', tournaments);
    else parts.push(isWithinSql('m', parameter('text[]', sports), parameter('bigint[]', tournaments)));
  }
  if (filters.top)
    parts.push(
      isImportant(String(TOP_IMPORTANCE)),
      `m.tournament_id NOT IN ${TOURNAMENTS} WHERE t.amateur OR t.youth)`,
    );
  return { parts, values, types };
}
