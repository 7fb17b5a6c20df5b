/** Rules that make a finished match final. */

/** A finished match that has not changed for this long is final (spec: 24 h). */
export const FINAL_AFTER_MS = 24 * 3_600_000;
/** Longer than any match lasts, with its breaks. */
const MATCH_LENGTH_MS = 3 * 3_600_000;

/** Whether a match is final `now`. @param at ms, its last change */
export const isFinalSince = (at: number, now: number): boolean => at <= now - FINAL_AFTER_MS;

/** Whether an imported match is final. It has no time of its last change, so that its end counts. */
export const isFinalOnImport = (scheduledStart: string, now: number): boolean =>
  Date.parse(scheduledStart) + MATCH_LENGTH_MS + FINAL_AFTER_MS < now;
