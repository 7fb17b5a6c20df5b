/** What calendars have. */

/** Subjects that have a separate calendar. */
export const CALENDAR_KINDS = ['team', 'tournament'] as const;
export type CalendarKind = (typeof CALENDAR_KINDS)[number];

/** Days after the start for which a match stays in calendars, even one that is gone since. */
export const CALENDAR_PAST_DAYS = 90;
