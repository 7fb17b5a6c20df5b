/** Which calendars exist, and which matches they show. */

/** Subjects that have a calendar of their own. */
export const CALENDAR_KINDS = ['team', 'tournament'] as const;
export type CalendarKind = (typeof CALENDAR_KINDS)[number];

/** How many days after its start a match stays in calendars. Deleted matches stay just as long, and are shown as cancelled. */
export const CALENDAR_PAST_DAYS = 90;
