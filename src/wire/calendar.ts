/** Days after its start for which a match stays in calendars, also one that is gone since. */
export const CALENDAR_PAST_DAYS = 90;
