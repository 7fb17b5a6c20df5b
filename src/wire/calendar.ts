/** What calendars have. */

/** Subjects that have a calendar of their own. */
export const CALENDAR_KINDS = ['team', 'tournament'] as const;
export type CalendarKind = (typeof CALENDAR_KINDS)[number];

/** Days after its start for which a match stays in calendars, also one that is gone since. */
export const CALENDAR_PAST_DAYS = 90;
