/** SQL for the day on which a match `m` starts in a reader's time zone. A match without a time is on the same day everywhere. */

/** Returns SQL for the local start. @param zone SQL for an IANA name */
export const localStartSql = (zone: string): string =>
  `(m.scheduled_start AT TIME ZONE CASE WHEN m.time_tbd THEN 'UTC' ELSE ${zone} END)`;

/** No zone has ever been further from UTC. */
const FURTHEST = "interval '16 hours'";

/** Returns a condition that all matches before a day meet, and some on later days. */
export const startsBeforeSql = (day: string): string =>
  `m.scheduled_start < (${day})::timestamp AT TIME ZONE 'UTC' + ${FURTHEST}`;
/** Returns a condition that all matches on a day and later meet, and some on earlier days. */
export const startsFromSql = (day: string): string =>
  `m.scheduled_start >= (${day})::timestamp AT TIME ZONE 'UTC' - ${FURTHEST}`;

/**
 * Returns a condition for the matches on a day. An index of starts can serve its first two parts.
 * @param day SQL for a date
 * @param zone SQL for an IANA name
 */
export const onDaySql = (day: string, zone: string): string =>
  `(${startsFromSql(day)} AND ${startsBeforeSql(`${day} + 1`)} AND ${localStartSql(zone)}::date = ${day})`;
