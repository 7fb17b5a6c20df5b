/**
 * The one form of times on the wire: UTC, whole seconds, YYYY-MM-DDTHH:MM:SSZ. `wireTimeSql` in db/postgres.ts writes
 * it in SQL.
 */
import { z } from 'zod';

/** @param ms milliseconds since 1970; fractions of a second are cut off */
export const wireTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

export const timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  .meta({ format: 'date-time' });
