/**
 * Durations, days in UTC, and the only form of time on the wire: UTC in whole seconds (YYYY-MM-DDTHH:MM:SSZ). `wireTimeSql`
 * in db/postgres.ts writes that form in SQL.
 */
import { z } from 'zod';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const HOUR_SECONDS = 3_600;
export const DAY_SECONDS = 24 * HOUR_SECONDS;

/**
 * Returns the day in UTC, YYYY-MM-DD.
 * @param time milliseconds since 1970, or a date
 */
export const utcDay = (time: number | Date): string => new Date(time).toISOString().slice(0, 10);

/** Returns a time in wire form. @param ms milliseconds since 1970; fractions of a second are cut off */
export const wireTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

export const timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  .meta({ format: 'date-time' });

/** YYYY-MM-DD */
export const wireDay = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d$/)
  .meta({ format: 'date' });
