/** The filters for a match list, such as `top`, and the SQL for them. */
import type { z } from 'zod';
import {
  bool,
  commaList,
  date,
  idList,
  idParam,
  integer,
  oneValue,
  sportSlug,
  text,
  timeParam,
  timeZone,
} from '../http/index.ts';
import type { MatchAccess } from '../wire/access.ts';
import { AWAITING_DATA, countryCode, MATCH_STATUSES, SHOWN_STATUS_DETAILS } from '../wire/match.ts';

/** Minimum importance of a top tournament. Amateur and youth tournaments never count as top. */
const TOP_IMPORTANCE = 50;

export const eventFilters = {
  ids: idList.optional().meta({ description: 'Up to 100 matches; unknown ids are left out' }),
  sport: commaList(sportSlug).optional().meta({ description: 'One or several sports, by slug' }),
  date: date.optional().meta({ description: 'Start day, in the time zone `tz`' }),
  tz: timeZone.optional().meta({
    description:
      'Time zone of `date`: an IANA name, old or new, in any case; an offset such as `+03:00` is not accepted. Default: UTC',
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

const TOURNAMENTS = '(SELECT t.id FROM tournament t';
/** Uses a subquery, because Postgres would look up each match's tournament for a join. */
const isImportant = (least: string) =>
  `(m.importance >= ${least} OR m.tournament_id IN ${TOURNAMENTS} WHERE t.importance >= ${least}))`;

/**
 * Returns SQL that is true if a row belongs to any of these sports or tournaments.
 * @param table has the columns sport and tournament_id
 */
export const isWithinSql = (table: string, sports: string, tournaments: string) =>
  `(${table}.sport = ANY (${sports}::text[]) OR ${table}.tournament_id = ANY (${tournaments}::bigint[]))`;

/** Returns the SQL conditions with their values. Parameters are numbered from $1. */
export function conditions(filters: EventFilters): { parts: string[]; values: unknown[] } {
  const values: unknown[] = [];
  const parts: string[] = [];
  const add = (sql: (parameter: string) => string, value: unknown) => {
    if (value === undefined) return;
    values.push(value);
    parts.push(sql(`$${values.length}`));
  };
  // A single value is compared with `=`. The statement for one tournament's matches then reads the index in order.
  const addAny = (column: string, type: string, given: readonly unknown[] | undefined) =>
    given?.length === 1
      ? add((p) => `${column} = ${p}`, given[0])
      : add((p) => `${column} = ANY (${p}::${type}[])`, given);
  addAny('m.id', 'bigint', filters.ids);
  addAny('m.sport', 'text', filters.sport);
  // The status is a literal, so that Postgres can use an index of only the matches with that status.
  if (filters.status !== undefined) parts.push(`m.status = '${filters.status}'`);
  if (filters.status_detail === AWAITING_DATA) parts.push('m.awaiting_data');
  else add((p) => `m.status_detail = ${p} AND NOT m.awaiting_data`, filters.status_detail);
  addAny('m.tournament_id', 'bigint', filters.tournament);
  const [participant, ...others] = filters.participant ?? [];
  if (others.length === 0) add((p) => `(m.home_id = ${p} OR m.away_id = ${p})`, participant);
  else add((p) => `(m.home_id = ANY (${p}::bigint[]) OR m.away_id = ANY (${p}::bigint[]))`, filters.participant);
  add((p) => `m.season_id = ${p}`, filters.season);
  add((p) => `(m.round_num::text = ${p} OR lower(m.round_name) = lower(${p}))`, filters.round);
  add((p) => `m.tournament_id IN ${TOURNAMENTS} WHERE t.country = ${p})`, filters.country);
  add((p) => `m.updated_at >= ${p}::timestamptz`, filters.updated_since);
  if (filters.date !== undefined) {
    values.push(filters.date, filters.tz ?? 'UTC');
    const [day, zone] = [`$${values.length - 1}::date`, `$${values.length}`];
    parts.push(
      `m.scheduled_start >= (${day})::timestamp AT TIME ZONE ${zone} AND m.scheduled_start < (${day} + 1)::timestamp AT TIME ZONE ${zone}`,
    );
  }
  add((p) => `m.scheduled_start >= ${p}::timestamptz`, filters.from);
  add((p) => `m.scheduled_start < ${p}::timestamptz`, filters.to);
  add(isImportant, filters.min_importance);
  if (filters.access !== undefined) {
    values.push(filters.access.sports, filters.access.tournaments);
    parts.push(isWithinSql('m', `$${values.length - 1}`, `$${values.length}`));
  }
  if (filters.top)
    parts.push(
      isImportant(String(TOP_IMPORTANCE)),
      `m.tournament_id NOT IN ${TOURNAMENTS} WHERE t.amateur OR t.youth)`,
    );
  return { parts, values };
}
